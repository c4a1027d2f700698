// Ends access for good: of an erased person, and of an archived workspace. For a block and a
// revoked consent triggers do it, in the transaction of that change. [G-16]
import { prepared, raw, type Transaction } from '../../../db/index.ts';

/** Seconds for which a revocation outlives the last token that it may concern. */
export const MARGIN_SECONDS = 60;

/** Revokes all tokens of an erased account, and deletes its links. */
export async function endAccess(
  db: Pick<Transaction, 'execute'>,
  workspace: number,
  account: string,
): Promise<void> {
  const values = [workspace, account];
  await db.execute({ text: 'select end_access($1, $2, null)', values });
  await db.execute({ text: 'delete from link where workspace = $1 and account_id = $2', values });
}

/**
 * Ends every link of a workspace that is being archived, and every session that one opened. A
 * concurrent opening is waited for, or finds the link ended.
 */
export async function endLinksOf(
  db: Pick<Transaction, 'execute'>,
  workspace: number,
): Promise<void> {
  await db.execute(prepared('oauth_end_links')`with ended as (
      update link set expires = least(expires, workspace_at(${workspace}, $now)),
        ended_at = case when used_at is not null then $now end
      where workspace = $1 and ended_at is null and (used_at is not null
      or expires > workspace_at($1, $now))
      returning nonce_hash, session_seconds, used_at)
    ${raw(REVOKED)} from ended where used_at is not null on conflict (kind, id) do nothing`);
}

/** A session's tokens expire by real time, however far its workspace's clock has been advanced. */
const REVOKED = `insert into revoked_token (kind, id, expires)
  select 'family', nonce_hash,
    $now + make_interval(secs => session_seconds + ${MARGIN_SECONDS})`;

/**
 * Moves the clients of an archived workspace to its heir, with the signed-in users whose account
 * the heir has; without an heir the clients are shut out.
 */
export async function moveAccess(
  db: Pick<Transaction, 'execute'>,
  workspace: number,
  heir: number | null,
): Promise<void> {
  if (heir === null) {
    const text = 'update client set disabled = true where workspace = $1';
    await db.execute({ text, values: [workspace] });
    return;
  }
  const values = [workspace, heir];
  await db.execute({ text: 'update client set workspace = $2 where workspace = $1', values });
  // Signed-in users stay so where the clone has their account.
  await db.execute({
    text: `update refresh_token r set workspace = $2
      where r.workspace = $1 and r.expires > $now
        and exists (select from account a where a.workspace = $2 and a.id = r.account_id)`,
    values,
  });
}
