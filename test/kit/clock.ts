// The engine's scheduler for tests: the process's own timers and a monotonic clock.
import type { Scheduler } from '../../src/engine/index.ts';

export const testScheduler: Scheduler = {
  now: () => performance.now(),
  soon: (work) => void setImmediate(work),
  after: (ms, work) => void setTimeout(work, ms),
  chance: () => 0.5,
};
