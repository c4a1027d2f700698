// Ends every access that an account was given: families of tokens are revoked, links go. Refuses to
// know why. Other processes learn of it within 5 s. [ID2]
import type { Transaction } from '../../db/index.ts';
import { FAMILY_MEMORY_SECONDS } from './grants.ts';

/** Seconds for which a revocation is remembered beyond the last token that it may meet. */
export const MARGIN_SECONDS = 60;

/** Revokes all tokens of an account, and forgets its links. */
export async function endAccess(
  db: Pick<Transaction, 'execute'>,
  world: number,
  account: string,
): Promise<void> {
  await db.execute({
    text: `insert into revoked_token (kind, id, expires)
      select distinct 'family', family::text,
        clock_timestamp() + make_interval(secs => ${FAMILY_MEMORY_SECONDS})
      from refresh_token where world = $1 and account_id = $2
      on conflict (kind, id) do nothing`,
    values: [world, account],
  });
  // Also of those that nobody opened: one may be opened in this moment.
  await revokeSessions(db, world, account, 'true');
  await db.execute({
    text: 'delete from link where world = $1 and account_id = $2',
    values: [world, account],
  });
}

/**
 * Ends every session that an account's links opened; links that nobody opened stay. In the
 * transaction that takes away what sessions are opened for.
 */
export async function endSessionsOf(
  db: Transaction,
  world: number,
  account: string,
): Promise<void> {
  // Whoever opens one in this moment is waited for, or waits and then meets what is true by now.
  await db.execute({
    text: `select from link where world = $1 and account_id = $2 and expires > world_now($1)
      order by nonce_hash for update`,
    values: [world, account],
  });
  await revokeSessions(db, world, account, 'used_at is not null');
  await db.execute({
    text: `update link set ended_at = clock_timestamp()
      where world = $1 and account_id = $2 and used_at is not null and ended_at is null`,
    values: [world, account],
  });
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

/** Revokes the tokens of an account's sessions: a family under the nonce of their link. */
async function revokeSessions(
  db: Pick<Transaction, 'execute'>,
  world: number,
  account: string,
  which: 'true' | 'used_at is not null',
): Promise<void> {
  await db.execute({
    text: `${REVOKED} from link where world = $1 and account_id = $2 and ${which}
      on conflict (kind, id) do nothing`,
    values: [world, account],
  });
}
