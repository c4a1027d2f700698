// Takes a notice of the identity vendor: proven, once, and never believed. The check that it names
// is looked up in the vendor's records, so a forged, old, repeated or reordered one has nothing to
// change. Also finds checks that nobody would ask about. [EV6]
import type { Database } from '../../db/index.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { CheckNotice } from '../../ports/identity-vendor.ts';

/** Days that a notice is remembered; the vendor's signature is too old long before. */
const KEPT_DAYS = 30;
const BATCH = 5_000;

type Executor = Pick<Database, 'execute'>;

/** Notes a proven notice, and has its check looked up; a repetition does nothing. */
export function takeNotice(db: Database, { world, id, key }: CheckNotice): Promise<void> {
  return db.transaction(async (tx) => {
    const fresh = await tx.execute({
      name: 'take_identity_notice',
      text: `insert into identity_notice_seen (world, notice_id) select $1, $2
        where exists (select from world where world = $1) on conflict do nothing`,
      values: [world, id],
    });
    if (fresh > 0 && isUuid(key)) await askAgain(tx, `c.world = $1 and c.id = $2`, [world, key]);
  });
}

/** Gives a job to each open check without one; gives how many there were. [M7] */
export function sweepChecks(db: Executor): Promise<number> {
  return askAgain(
    db,
    `c.state in ('asking', 'pending') and not exists (
      select from identity_job k where k.world = c.world and k.check_id = c.id)`,
    [],
  );
}

/** Makes jobs due, as asked before, so that the vendor's records are read first. */
function askAgain(db: Executor, where: string, values: unknown[]): Promise<number> {
  return db.execute({
    text: `insert into identity_job as j (world, check_id, due, tries)
      select c.world, c.id, clock_timestamp(), 1 from world w
      join identity_check c on c.world = w.world where w.ended is null and ${where}
      on conflict (world, check_id) do update
        set due = least(j.due, excluded.due), tries = greatest(j.tries, 1),
          again = j.lease is not null`,
    values,
  });
}

/** Forgets old notices, five thousand at most; gives how many. Run it until it gives 0. */
export function forgetIdentityNotices(db: Executor): Promise<number> {
  return db.execute(
    `delete from identity_notice_seen where (world, notice_id) in (
      select world, notice_id from identity_notice_seen
      where seen < clock_timestamp() - interval '${KEPT_DAYS} days' limit ${BATCH})`,
  );
}
