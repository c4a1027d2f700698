// Waits until nothing that is due is left in a world. Answers for reading the rows, not the memory
// of this process: whoever runs the loops, what they have not ended is seen. Gives up with a name.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../../kernel/refusal.ts';
import type { Services } from '../context.ts';
import { wakeStatements } from '../reconciliation/index.ts';
import { leftUndone } from './due.ts';
import { refusals } from './refusals.ts';

/** Milliseconds that something due may take: longer than a receiver that does not answer. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 10;

/** What the clock runs on. */
export type ClockServices = Pick<Services, 'db' | 'entropy' | 'turn'>;

/**
 * Has every loop take its turn until nothing due is left. The statement of the processor is read
 * after that, and what it tells is done as well. CLOCK_BUSY names what does not end.
 */
export async function settle(services: ClockServices, world: number): Promise<void> {
  await untilCalm(services, world);
  await wakeStatements(services.db, [world], 0);
  await untilCalm(services, world);
}

async function untilCalm({ db, turn }: ClockServices, world: number): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  // Twice, since the second turn may find what the last work of the first has made possible.
  for (let calm = 0; calm < 2;) {
    await turn?.();
    const left = await leftUndone(db, world);
    calm = left.length === 0 ? calm + 1 : 0;
    if (left.length === 0) continue;
    if (performance.now() > end) throw refuse(refusals.CLOCK_BUSY, { due: named(left) });
    await sleep(PAUSE_MS);
  }
}

function named(left: readonly { readonly what: string; readonly id: string }[]): string {
  return left.slice(0, 5).map(({ what, id }) => `${what} ${id}`).join(', ');
}
