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
  await endSessionsOf(db, world, account);
  await db.execute({
    text: 'delete from link where world = $1 and account_id = $2',
    values: [world, account],
  });
}

/** Ends every session that an account's links opened; links that nobody opened stay. */
export async function endSessionsOf(
  db: Pick<Transaction, 'execute'>,
  world: number,
  account: string,
): Promise<void> {
  // Tokens of a session are a family under the id of their link.
  await db.execute({
    text: `insert into revoked_token (kind, id, expires)
      select 'family', id::text, used_at + make_interval(secs => session_seconds)
      from link where world = $1 and account_id = $2 and used_at is not null
      on conflict (kind, id) do nothing`,
    values: [world, account],
  });
  await db.execute({
    text: `update link set ended_at = clock_timestamp()
      where world = $1 and account_id = $2 and used_at is not null and ended_at is null`,
    values: [world, account],
  });
}
