// Forgets kept answers in time: secrets when they end, all else after 30 days. Refuses to know when
// it is run. [G-44]
import type { Database } from '../../db/index.ts';

/** Days that an answer is kept. [G-44] */
export const KEPT_DAYS = 30;
const BATCH = 5_000;

type Executor = Pick<Database, 'execute'>;

/** Destroys ended secrets, five thousand at most; gives how many. Run it until it gives 0. */
export function forgetSecrets(db: Executor): Promise<number> {
  return db.execute(
    `delete from kept_secret where (world, scope, place) in (
      select world, scope, place from kept_secret
      where expires <= clock_timestamp() limit ${BATCH})`,
  );
}

/** Deletes old answers, five thousand at most; gives how many. Run it until it gives 0. */
export function forgetAnswers(db: Executor): Promise<number> {
  return db.execute(
    `delete from idempotency where (world, scope) in (
      select world, scope from idempotency
      where created < clock_timestamp() - interval '${KEPT_DAYS} days' limit ${BATCH})`,
  );
}
