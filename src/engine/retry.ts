// Runs a transaction again after a serialization failure or a deadlock, at most five times and with
// jitter. No other error is retried here. [R7]
import { sqlState } from '../db/index.ts';
import { runTransaction, type Run } from './transaction.ts';
import type { LockMode } from './load.ts';
import type { EngineCounters, EngineOptions } from './options.ts';
import type { Pending } from './pending.ts';

/** Retries after the first attempt. */
export const MOST_TRIES = 5;

const FIRST_PAUSE_MS = 20;

/** Runs the commands in one transaction, and again after SQLSTATE 40001 or 40P01. */
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
