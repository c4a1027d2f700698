// Clones of one tenant's workspaces are made one at a time in each process, so that no tenant takes
// all the connections for cloning.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../../core/refusal.ts';
import { refusals } from './refusals.ts';

/** Milliseconds that a clone waits for its turn. */
const WAIT_MS = 5_000;

export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` after the tenant's earlier work; throws WORLD_BUSY after five seconds. */
  async take<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(tenant) ?? Promise.resolve();
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const mine = before.then(() => promise);
    this.#last.set(tenant, mine);
    const waiting = new AbortController();
    const late = sleep(WAIT_MS, 'late', waiting).catch(() => 'in time');
    try {
      if ((await Promise.race([before, late])) === 'late') throw refuse(refusals.WORLD_BUSY, {}, 1);
      return await work();
    } finally {
      waiting.abort();
      end();
      if (this.#last.get(tenant) === mine) this.#last.delete(tenant);
    }
  }
}
