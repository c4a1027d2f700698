// Forgets kept answers in time: secrets when they end, all else after 30 days. Refuses to know when
// it is run. [G-44]
import type { Database } from '../../db/index.ts';

/** Days that an answer is kept. [G-44] */
export const KEPT_DAYS = 30;
const BATCH = 5_000;

const STATEMENTS: readonly string[] = [
  `delete from kept_secret where (world, scope, place) in (
    select world, scope, place from kept_secret where expires <= clock_timestamp() limit ${BATCH})`,
  `delete from idempotency where (world, scope) in (
    select world, scope from idempotency
    where created < clock_timestamp() - interval '${KEPT_DAYS} days' limit ${BATCH})`,
];

/** Deletes at most five thousand rows of each kind; gives how many went. Run it until it gives 0. */
export async function forgetKept(db: Pick<Database, 'execute'>): Promise<number> {
  let gone = 0;
  for (const text of STATEMENTS) gone += await db.execute(text);
  return gone;
}
