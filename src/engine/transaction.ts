// The transaction runner: lock, check the read sets again, take the time, decide each command,
// write everything, commit. A batch skips rows that others hold locked; a single command waits.
// Nothing is answered before COMMIT.
import { EngineFault, type CommandAnswer } from '../core/command.ts';
import { jsonTextOf } from '../core/json-text.ts';
import { Refusal } from '../core/refusal.ts';
import type { Instant } from '../core/time.ts';
import { arrayValue, isUnreachable, sqlState, type Transaction } from '../db/index.ts';
import type { Pending } from './discover.ts';
import { idempotencyTable, storedRecord, type IdempotencyRow } from './kept-answers.ts';
import { engineRefusals, type EngineCounters, type EngineOptions } from './options.ts';
import {
  Collector,
  Loaded,
  lockRows,
  RowRequests,
  WorkingCopy,
  type LockKey,
  type LockMode,
} from './rows.ts';
import { lockWorkspaces } from './tables.ts';
import { UnitOfWork } from './unit-of-work.ts';
import { wasCommitted, Writes, writeStatement, type CommitWait } from './write.ts';

/** The result for one command. `again`: a row was locked elsewhere, or the read set has changed. */
export type Verdict =
  | { readonly kind: 'answer'; readonly answer: CommandAnswer }
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'fault'; readonly error: unknown }
  | { readonly kind: 'again' };

/** The result of a run. `workspaces`: the workspaces that were written to. */
export interface Run {
  readonly verdicts: Map<Pending, Verdict>;
  readonly workspaces: ReadonlySet<number>;
  readonly writes: Writes;
}

const BEGIN = { name: 'begin', text: 'begin' };
const COMMIT = { name: 'commit', text: 'commit' };

interface Stamp {
  readonly xid: string;
  /** By workspace; a refusal where it is archived, about to be, or being moved. */
  readonly now: ReadonlyMap<number, Instant | Refusal>;
}

/** Runs the commands in one transaction. Throws the driver's errors after rolling back. */
export async function runTransaction(
  { db, newId, workspacesEnd = false }: Pick<EngineOptions, 'db' | 'newId' | 'workspacesEnd'>,
  list: readonly Pending[],
  mode: LockMode,
  queueTimeout: CommitWait,
): Promise<Run> {
  const connection = await db.connection();
  let broken = false;
  let stamp: Stamp | null = null;
  let committing = false;
  let run: Run | null = null;
  try {
    const working = new WorkingCopy();
    const workspaces = [...new Set(list.map((pending) => pending.submission.workspace))];
    stamp = await inOrder(
      connection.together(
        () =>
          [
            connection.execute(BEGIN),
            ...(mode === 'wait' ? [connection.execute("set local lock_timeout = '2s'")] : []),
            lockAll(connection, list, mode, working),
            takeStamp(
              connection,
              workspaces,
              workspacesEnd ? lockWorkspaces(connection, workspaces) : null,
            ),
          ] as const,
      ),
    );
    run = decideAll(list, working, stamp, newId);
    if (run.writes.empty) {
      await connection.execute('rollback');
      return run;
    }
    committing = true;
    const { writes } = run;
    await inOrder(
      connection.together(
        () =>
          [connection.query<unknown>(writeStatement(writes)), connection.execute(COMMIT)] as const,
      ),
    );
    return run;
  } catch (error) {
    const cut = isUnreachable(error);
    if (cut) broken = true;
    else await connection.execute('rollback').catch(() => (broken = true));
    // An error from the server means not committed; only a broken connection leaves it open.
    const unknown = committing && (cut || sqlState(error) === null);
    if (unknown && stamp !== null && run !== null) {
      if (await wasCommitted(db, stamp.xid, run.writes, queueTimeout)) return run;
    }
    throw error;
  } finally {
    connection.release(broken);
  }
}

/** Waits for all, so that no query is left running; the last result, or the first error. */
async function inOrder<T>(work: readonly [...Promise<unknown>[], Promise<T>]): Promise<T> {
  const results = await Promise.allSettled(work);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return (results.at(-1) as PromiseFulfilledResult<T>).value;
}

async function lockAll(
  connection: Transaction,
  list: readonly Pending[],
  mode: LockMode,
  working: WorkingCopy,
): Promise<void> {
  const requests = new RowRequests();
  for (const pending of list) {
    const { workspace } = pending.submission;
    for (const { table, id } of pending.locks) requests.add(table, workspace, id);
  }
  for (const [table, rows] of await lockRows(connection, requests.list, mode)) {
    for (const row of rows) working.set(table, row);
  }
}

/** `holding` was sent first, so whether a workspace is archived cannot change after this read. */
async function takeStamp(
  connection: Transaction,
  workspaces: readonly number[],
  holding: Promise<ReadonlySet<number>> | null,
): Promise<Stamp> {
  const reading = connection.query<{
    xid: string;
    workspace: number;
    now: Instant;
    ended: boolean;
    moving: boolean;
  }>({
    name: 'stamp',
    text: `select pg_current_xact_id()::text as xid, workspace,
        clock_timestamp() + clock_offset as now, ended is not null as ended,
        coalesce(ended = '-infinity', false) as moving
      from workspace where workspace = any($1::int4[])`,
    values: [arrayValue('int4', workspaces)],
  });
  const [held, rows] = await Promise.all([holding, reading]);
  const now = rows.map(({ workspace, now, ended, moving }) => {
    const live = !ended && (held === null || held.has(workspace));
    const why = moving ? engineRefusals.TENANT_MOVING : engineRefusals.WORLD_ENDED;
    return [workspace, live ? now : new Refusal(why, {}, 1)] as const;
  });
  return { xid: rows[0]?.xid ?? '', now: new Map(now) };
}

function decideAll(
  list: readonly Pending[],
  working: WorkingCopy,
  stamp: Stamp,
  newId: () => string,
): Run {
  const writes = new Writes();
  const verdicts = new Map<Pending, Verdict>();
  const workspaces = new Set<number>();
  for (const pending of list) {
    const verdict = decideOne(pending, working, stamp, newId, writes, workspaces);
    verdicts.set(pending, verdict);
  }
  return { verdicts, workspaces, writes };
}

function decideOne(
  pending: Pending,
  working: WorkingCopy,
  stamp: Stamp,
  newId: () => string,
  writes: Writes,
  workspaces: Set<number>,
): Verdict {
  const { workspace } = pending.submission;
  const now = stamp.now.get(workspace);
  if (now === undefined) {
    return {
      kind: 'fault',
      error: new EngineFault('a command names a workspace that is not there'),
    };
  }
  if (now instanceof Refusal) return { kind: 'refusal', refusal: now };
  const again = loadAgain(pending, working);
  if (again === null) return { kind: 'again' };
  const draft = new UnitOfWork(pending, now, working, newId);
  try {
    const answer = pending.command.decide(draft, pending.input, again.loaded);
    if (!draft.empty) {
      keepAnswer(draft, pending, answer);
      draft.merge(writes);
      workspaces.add(workspace);
    }
    return { kind: 'answer', answer };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refusal', refusal: error };
    return { kind: 'fault', error };
  }
}

/**
 * What `load` returns under the locks; null unless every row of the read set is locked and, given
 * these rows, no other row is needed.
 */
function loadAgain(pending: Pending, working: WorkingCopy): { readonly loaded: unknown } | null {
  const { workspace } = pending.submission;
  for (const { table, id } of pending.locks) {
    const held = working.get(table, workspace, id);
    if (held !== undefined) continue;
    // Discovery found that the row does not exist: there is nothing to lock.
    if (pending.loaded.get(table, workspace, id) !== null) return null;
  }
  const again = new Collector(pending, working);
  const loaded = pending.command.load(again, pending.input);
  const same =
    again.missing.length + again.missingFinds.length === 0 &&
    again.locks.every((rows, at) => {
      const same = (lock: LockKey): boolean => lock.table === rows.table && lock.id === rows.id;
      const likely = pending.locks[at];
      return (likely !== undefined && same(likely)) || pending.locks.some(same);
    });
  if (same) return { loaded };
  pending.speculative = speculativeOf(pending, working);
  return null;
}

function speculativeOf(pending: Pending, working: WorkingCopy): Loaded {
  const speculative = new Loaded();
  const { workspace } = pending.submission;
  for (const { table, id } of pending.locks) {
    const row = working.get(table, workspace, id);
    if (row) speculative.set(table, workspace, id, row);
  }
  return speculative;
}

/** Only a command that writes stores its answer; a refusal leaves the key unused. [G-44] */
function keepAnswer(draft: UnitOfWork, pending: Pending, answer: CommandAnswer): void {
  const claim = pending.submission.idempotency;
  if (!claim) return;
  const whole = answer.record === undefined && answer.payload !== undefined && !answer.secret;
  const row: IdempotencyRow = {
    workspace: draft.workspace,
    scope: claim.scope,
    fingerprint: claim.fingerprint,
    status: answer.status,
    ...storedRecord(answer.record),
    answer: whole ? jsonTextOf(answer.payload) : null,
  };
  draft.insert(idempotencyTable, row);
}

/** Retries after the first attempt. */
export const MOST_TRIES = 5;

const FIRST_PAUSE_MS = 20;

/**
 * Runs the commands in one transaction, and again after a serialization failure or a deadlock, with
 * jitter. No other error is retried here. [R7]
 */
export async function runRetrying(
  options: EngineOptions,
  counters: EngineCounters,
  list: readonly Pending[],
  mode: LockMode,
): Promise<Run> {
  const { scheduler } = options;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => scheduler.after(ms, resolve));
  for (let tries = 0; ; tries += 1) {
    try {
      return await runTransaction(options, list, mode, { now: () => scheduler.now(), pause });
    } catch (error) {
      const state = sqlState(error);
      if ((state !== '40001' && state !== '40P01') || tries === MOST_TRIES) throw error;
      counters.retried += 1;
      await pause(scheduler.chance() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}
