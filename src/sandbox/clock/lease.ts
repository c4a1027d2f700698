// The mutex of a clock (a lease), and one move of the clock, which is one transaction that also
// makes due what waits in real time. Calls in any process exclude each other, and a process that
// dies between two moves leaves a valid clock.
import { setTimeout as sleep } from 'node:timers/promises';
import { prepared, raw, sqlState, type Database } from '../../db/index.ts';
import type { Instant } from '../../core/time.ts';
import { hastenDeliveries } from '../../product/tell/webhook/index.ts';

/** What waits in real time; brought forward by `$2` in workspace `$1` as the clock advances. */
export const PULLS: readonly string[] = [
  ...[
    ...['attempt_job', 'transfer_job', 'dispute_answer_job', 'identity_job', 'erasure_job'],
    ...['payee_job', 'statement_cursor', 'mail'],
  ].map((table) => `update ${table} set due = due - $2::interval where workspace = $1`),
  ...['processor', 'vendor'].flatMap((book) => [
    `update ${book}_due set due = due - $2::interval where workspace = $1`,
    `update ${book}_notice set due = due - $2::interval
      where workspace = $1 and remaining > 0 and not posting`,
  ]),
  `update sandbox_wait set until = until - $2::interval
    where workspace = $1 and until > $now`,
];

/** Seconds that the lease outlives its process. */
const LEASE_SECONDS = 5;
/** Milliseconds between renewals: several may be late before the lease is lost. */
const RENEW_MS = 1_000;
const DEADLOCK = '40P01';

/** The lease of a workspace's clock. */
export interface ClockLease {
  readonly workspace: number;
  readonly lease: string;
  /** The target of an earlier call under the same key that was interrupted. */
  readonly target: Instant | null;
}

/**
 * Takes the lease; null while another call has it, or for an archived workspace. `scope` is the
 * call's, from its Idempotency-Key.
 */
export async function takeLease(
  db: Database,
  workspace: number,
  lease: string,
  scope: string | null,
): Promise<ClockLease | null> {
  const [row] = await db.query<{ target: Instant | null }>({
    name: 'clock_take',
    text: `update workspace set clock_lease = $2, clock_scope = $3,
        clock_leased_until = $now + interval '${LEASE_SECONDS} s',
        clock_target = case when clock_scope = $3 then clock_target end
      where workspace = $1 and ended is null
        and (clock_lease is null or clock_leased_until < $now)
      returning clock_target as target`,
    values: [workspace, lease, scope],
  });
  return row === undefined ? null : { workspace, lease, target: row.target };
}

/** Stores the target, so that a repetition can continue an interrupted call. */
export async function noteTarget(db: Database, lease: ClockLease, target: Instant): Promise<void> {
  await db.execute(prepared('clock_note_target')`
    update workspace set clock_target = ${target} where workspace = ${lease.workspace}
      and clock_lease = ${lease.lease}`);
}

/** Renews the lease until `over`; it ends with its process, however long the work takes. */
export async function renewLease(
  db: Database,
  lease: ClockLease,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleep(RENEW_MS, null, { signal: over, ref: false }).catch(() => {});
    if (over.aborted) return;
    const renewal = db.execute(prepared('clock_keep')`
      update workspace set clock_leased_until = $now + interval
      '${raw(LEASE_SECONDS)} s'
      where workspace = ${lease.workspace} and clock_lease = ${lease.lease}`);
    // Without the database the next renewal is in time, or the lease is lost: no move is wrong.
    await renewal.catch(() => {});
  }
}

/** Releases the lease; `ended`: nothing is left to continue. */
export async function releaseLease(db: Database, lease: ClockLease, ended: boolean): Promise<void> {
  await db.execute(prepared('clock_let_go')`
    update workspace set clock_lease = null, clock_leased_until = null,
      clock_scope = case when ${ended} or clock_target is null then null else clock_scope end,
      clock_target = case when $1 then null else clock_target end
    where workspace = ${lease.workspace} and clock_lease = ${lease.lease}`);
}

/**
 * Moves the clock to a time, never back, and brings forward what waits in real time, in one
 * transaction. False where the lease was lost, or the workspace is archived.
 */
export async function moveTo(db: Database, lease: ClockLease, to: Instant): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await moveOnce(db, lease, to);
    } catch (error) {
      // A worker that postpones several jobs of one payment can deadlock with this.
      if (tries === 3 || sqlState(error) !== DEADLOCK) throw error;
    }
  }
}

function moveOnce(db: Database, { workspace, lease }: ClockLease, to: Instant): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [moved] = await tx.query<{ step: string }>(prepared('clock_move')`
      with before as (select workspace, clock_offset from workspace
        where workspace = ${workspace} and clock_lease = ${lease} and ended is null
        for no key update)
      update workspace w set
        clock_offset = greatest(b.clock_offset, ${to}::timestamptz - $now),
        clock_leased_until = $now + interval '${raw(LEASE_SECONDS)} s'
      from before b where w.workspace = b.workspace
      returning (w.clock_offset - b.clock_offset)::text as step`);
    if (moved === undefined) return false;
    const values = [workspace, moved.step];
    for (const text of PULLS) await tx.execute({ text, values });
    await hastenDeliveries(tx, workspace, moved.step);
    return true;
  });
}
