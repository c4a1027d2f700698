// Ends every access that an account was given: families of tokens are revoked, links go. Refuses to
// know why. Other processes learn of it within 5 s. [ID2]
import type { Transaction } from '../../db/index.ts';
import { FAMILY_MEMORY_SECONDS } from './grants.ts';

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
    text: `select from link where world = $1 and account_id = $2 and expires > clock_timestamp()
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

/** Seconds for which a revocation is remembered beyond the last token that it may meet. */
export const MARGIN_SECONDS = 60;

/** Revokes the tokens of an account's sessions: a family under the id of their link. */
async function revokeSessions(
  db: Pick<Transaction, 'execute'>,
  world: number,
  account: string,
  which: 'true' | 'used_at is not null',
): Promise<void> {
  await db.execute({
    text: `insert into revoked_token (kind, id, expires)
      select 'family', id::text, coalesce(used_at, clock_timestamp())
        + make_interval(secs => session_seconds + ${MARGIN_SECONDS})
      from link where world = $1 and account_id = $2 and ${which}
      on conflict (kind, id) do nothing`,
    values: [world, account],
  });
}
