// Deletes stored answers: secrets when they expire, everything else after 30 days. [G-44]
import type { Database } from '../../db/index.ts';

/** [G-44] */
export const KEPT_DAYS = 30;
const BATCH = 5_000;

type Executor = Pick<Database, 'execute'>;

/** Deletes expired secrets, at most five thousand; gives how many. Run it until it gives 0. */
export function forgetSecrets(db: Executor): Promise<number> {
  return db.execute(
    `delete from kept_secret where (workspace, scope, place) in (
      select workspace, scope, place from kept_secret
      where expires <= $now limit ${BATCH})`,
  );
}

/** Deletes old answers, at most five thousand; gives how many. Run it until it gives 0. */
export function forgetAnswers(db: Executor): Promise<number> {
  return db.execute(
    `delete from idempotency where (workspace, scope) in (
      select workspace, scope from idempotency
      where created < $now - interval '${KEPT_DAYS} days' limit ${BATCH})`,
  );
}
