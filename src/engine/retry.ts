// Runs a lane again where the database asks for it: serialization failures and deadlocks, at most
// five times, with jitter. Nothing else is tried again here. [R7]
import { sqlState } from '../db/index.ts';
import { runLane, type Run } from './lane.ts';
import type { LockMode } from './load.ts';
import type { EngineCounters, EngineOptions } from './options.ts';
import type { Pending } from './pending.ts';

/** How often a run is tried again. */
export const MOST_TRIES = 5;

const FIRST_PAUSE_MS = 20;

/** Runs the list in one transaction, and again after 40001 and 40P01. */
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
      return await runLane(options, list, mode, { now: () => scheduler.now(), pause });
    } catch (error) {
      const state = sqlState(error);
      if ((state !== '40001' && state !== '40P01') || tries === MOST_TRIES) throw error;
      counters.retried += 1;
      await pause(scheduler.chance() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}
