// Deletes the secrets of stored answers when they expire. [G-44]
import type { Database } from '../../db/index.ts';

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
