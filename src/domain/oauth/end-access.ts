// Ends access for good: of a person who was erased, of a world that ended. A block and a consent
// taken back end it by triggers: in the same commit, whoever changes the row. [G-16]
import type { Transaction } from '../../db/index.ts';

/** Seconds for which a revocation is remembered beyond the last token that it may meet. */
export const MARGIN_SECONDS = 60;

/** Revokes all tokens of an account that was erased, and forgets its links. */
export async function endAccess(
  db: Pick<Transaction, 'execute'>,
  world: number,
  account: string,
): Promise<void> {
  const values = [world, account];
  await db.execute({ text: 'select end_access($1, $2, null)', values });
  await db.execute({ text: 'delete from link where world = $1 and account_id = $2', values });
}

/**
 * Ends every link of a world that ends, and every session that one opened. Whoever opens one in
 * this moment is waited for, or meets its end.
 */
export async function endLinksOf(db: Pick<Transaction, 'execute'>, world: number): Promise<void> {
  await db.execute({
    name: 'oauth_end_links',
    text: `with ended as (
        update link set expires = least(expires, world_now($1)),
          ended_at = case when used_at is not null then clock_timestamp() end
        where world = $1 and ended_at is null and (used_at is not null or expires > world_now($1))
        returning nonce_hash, session_seconds, used_at)
      ${REVOKED} from ended where used_at is not null on conflict (kind, id) do nothing`,
    values: [world],
  });
}

/** A session's tokens end by real time, however far the clock of its world has gone. */
const REVOKED = `insert into revoked_token (kind, id, expires)
  select 'family', nonce_hash,
    clock_timestamp() + make_interval(secs => session_seconds + ${MARGIN_SECONDS})`;
