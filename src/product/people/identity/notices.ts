// Takes webhooks of the identity vendor: authenticated, each once, and never believed. The check
// that one names is retrieved from the vendor, so a forged, old, repeated or reordered webhook
// changes nothing. Also finds checks whose job is missing, or whose time is over. [EV6]
import { prepared, type Database } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import type { CheckNotice } from '../../../providers/identity/port.ts';
import { checkEnds, checkOpen } from './machine.ts';

/** Days that a webhook's id is remembered; its signature expires long before. */
const KEPT_DAYS = 30;
const BATCH = 5_000;

type Executor = Pick<Database, 'execute'>;

/** Stores an authenticated webhook and has its check retrieved; a repetition does nothing. */
export function takeNotice(db: Database, { workspace, id, key }: CheckNotice): Promise<void> {
  return db.transaction(async (tx) => {
    const fresh = await tx.execute(prepared('take_identity_notice')`
      insert into identity_notice_seen (workspace, notice_id) select ${workspace}, ${id}
      where exists (select from workspace where workspace = $1) on conflict do nothing`);
    if (fresh > 0 && isUuid(key)) await lookAgain(tx, workspace, key);
  });
}

/** Has a check retrieved now: it is elsewhere than we know. */
export function lookAgain(db: Executor, workspace: number, check: string): Promise<number> {
  return askAgain(db, `c.workspace = $1 and c.id = $2`, [workspace, check]);
}

/** Gives a job to every open check without one; gives how many there were. [M7] */
export function sweepChecks(db: Executor): Promise<number> {
  return askAgain(
    db,
    `c.state in (${checkOpen}) and not exists (
      select from identity_job k where k.workspace = c.workspace and k.check_id = c.id)`,
    [],
  );
}

/** Has every check taken up that nobody has ended in time; gives how many. */
export function wakeLapsed(db: Executor): Promise<number> {
  return askAgain(
    db,
    `c.state in (${checkOpen}) and ${checkEnds('c')} <= $now + w.clock_offset
      and exists (select from identity_job k where k.workspace = c.workspace and k.check_id = c.id
        and k.lease is null and k.due > $now)`,
    [],
  );
}

/** Makes jobs due with `tries` 1, so that the vendor is asked before anything is begun. */
function askAgain(db: Executor, where: string, values: unknown[]): Promise<number> {
  return db.execute({
    text: `insert into identity_job as j (workspace, check_id, due, tries)
      select c.workspace, c.id, $now, 1 from workspace w
      join identity_check c on c.workspace = w.workspace where w.ended is null and ${where}
      on conflict (workspace, check_id) do update
        set due = least(j.due, excluded.due), tries = greatest(j.tries, 1),
          again = j.lease is not null`,
    values,
  });
}

/** Deletes ids of old webhooks, five thousand at most; gives how many. Run it until it gives 0. */
export function forgetIdentityNotices(db: Executor): Promise<number> {
  return db.execute(
    `delete from identity_notice_seen where (workspace, notice_id) in (
      select workspace, notice_id from identity_notice_seen
      where seen < $now - interval '${KEPT_DAYS} days' limit ${BATCH})`,
  );
}
