// Screening again after an import: for each workspace one row with a cursor over its accounts.
// A process leases the row for one batch at a time, so any process may stop and another goes on.
import { prepared, raw, sql, type Database, type Queryable } from '../../../db/index.ts';

const LEASE = `interval '60 s'`;

/** A batch of a run, leased. */
export interface Run {
  readonly workspace: number;
  /** Everybody was screened against everything up to this import. */
  readonly base: number;
  readonly target: number;
  /** The last account screened; null: none yet. */
  readonly cursor: string | null;
}

/** Has every workspace screened against an import; a run in progress begins again. */
export async function schedule(db: Pick<Database, 'execute'>, target: number): Promise<void> {
  await db.execute(sql`insert into screening_run as r (workspace, target)
    select workspace, ${target} from workspace where ended is null
    on conflict (workspace) do update set target = excluded.target, cursor = null, screened = 0,
      found = 0, started = $now, ended = null, leased_until = null`);
}

/** Leases a run that is due, or null. */
export async function claimRun(db: Queryable): Promise<Run | null> {
  const [run] = await db.query<Run>(prepared('screening_run_claim')`
    update screening_run set leased_until = $now + ${raw(LEASE)}
    where workspace = (
      select r.workspace from screening_run r join workspace w on w.workspace = r.workspace
      where r.ended is null and w.ended is null
        and (r.leased_until is null or r.leased_until < $now)
      order by r.workspace limit 1 for update of r skip locked)
    returning workspace, base, target, cursor`);
  return run ?? null;
}

/** What a batch did. */
export interface Batch {
  /** The last account of the batch; null: none was left, and the run has ended. */
  readonly cursor: string | null;
  readonly screened: number;
  readonly found: number;
}

/** Gives the lease back after a batch; nothing where the run has begun again meanwhile. */
export async function advanceRun(db: Pick<Database, 'execute'>, run: Run, batch: Batch) {
  await db.execute(prepared('screening_run_advance')`
    update screening_run set cursor = coalesce(${batch.cursor}, cursor),
      screened = screened + ${batch.screened},
      found = found + ${batch.found}, leased_until = null,
      base = case when $1 is null then target else base end,
      ended = case when $1 is null then $now end
    where workspace = ${run.workspace} and target = ${run.target} and cursor is not distinct
      from ${run.cursor}`);
}

/** The version of a list in force. */
export interface ListStatus {
  readonly list: string;
  readonly version: number;
  readonly entries: number;
  readonly imported: string;
}

/** How far screening again is. */
export interface RunStatus {
  readonly workspace: number;
  readonly screened: number;
  readonly found: number;
  readonly ended: boolean;
}

/** The lists in force, and the run of each workspace. */
export async function screeningStatus(
  db: Queryable,
): Promise<{ readonly lists: ListStatus[]; readonly runs: RunStatus[] }> {
  const lists = await db.query<ListStatus>(
    `select list, version, entries, imported from (
        select distinct on (list) list, version, entries, imported, dropped from screening_list
        order by list, version desc) latest
      where dropped is null order by list`,
  );
  const runs = await db.query<RunStatus>(
    `select r.workspace, r.screened, r.found, r.ended is not null as ended from screening_run r
      join workspace w on w.workspace = r.workspace where w.ended is null order by r.workspace`,
  );
  return { lists, runs };
}
