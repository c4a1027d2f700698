// The clock's work on payout schedules: requests each due payout through the usual command, once
// for an account, currency and period, and only where the account is eligible. [G-38, G-91]
import { createHash } from 'node:crypto';
import type { Database } from '../../../db/index.ts';
import type { Engine } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { LINE_CAP } from '../../../core/money.ts';
import { Refusal } from '../../../core/refusal.ts';
import { requestPayout } from '../payout/index.ts';
import { dueSchedules, nextDue, noteRun, type DueSchedule } from './store.ts';

const BATCH = 50;

export interface RunParts {
  readonly db: Database;
  readonly engine: Engine;
  /** As of every payout: seconds of review; null: never sent by itself. */
  readonly holdSeconds: number | null;
}

/**
 * Requests what is due; gives how many schedules there were. Safe in several processes. One that
 * fails stays due and stops no other; its fault is thrown at the end.
 */
export async function runSchedules(parts: RunParts): Promise<number> {
  const due = await dueSchedules(parts.db, BATCH);
  const faults: unknown[] = [];
  for (const schedule of due) {
    try {
      const outcome = await requested(parts, schedule);
      await noteRun(parts.db, schedule, nextDue(schedule.now, schedule), outcome);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  return due.length;
}

async function requested(
  { engine, holdSeconds }: RunParts,
  schedule: DueSchedule,
): Promise<string> {
  const { workspace, id, due, balance, minimum, currency, account_id: account } = schedule;
  if (balance === 0n || balance < minimum) return 'too_little';
  // The period is part of the key: after a crash the same request is answered as it was.
  const period = `payout schedule/${workspace}/${id}/${due}`;
  const key = createHash('sha256').update(period).digest('hex');
  const input = {
    id: derivedUuid(period),
    account,
    source_payment_method_id: schedule.wallet_method_id,
    destination_payment_method_id: schedule.destination_method_id,
    amount: balance > LINE_CAP ? LINE_CAP : balance,
    currency,
    holdSeconds,
  };
  const idempotency = { scope: key, fingerprint: key };
  try {
    await engine.run(requestPayout, input, { workspace, actor: 'system', idempotency });
    return 'requested';
  } catch (error) {
    // Only a last word uses up the period: not a database that is away, nor an unknown commit.
    if (!(error instanceof Refusal) || error.spec.retry) throw error;
    return error.spec.code;
  }
}
