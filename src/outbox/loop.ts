// Runs the sealing: soon after a commit of this process, and at a steady interval for other
// processes' commits.
import { startLoop } from '../concurrency/loop.ts';
import { sealBlock, waitingWorkspaces, type SealOptions } from './seal.ts';

export interface SealLoopOptions extends SealOptions {
  /** Called after events with deliveries were sealed. */
  readonly queued: () => void;
  readonly fault: (error: unknown) => void;
  /** Milliseconds between checks for other processes' commits. */
  readonly beat?: number;
  /** Milliseconds between a commit and its sealing, so that blocks grow under load. */
  readonly pause?: number;
}

export interface SealLoop {
  /** Reports that workspaces have new events. */
  wake(workspaces: ReadonlySet<number>): void;
  /** Resolves once everything waiting is sealed; for tests, stories and a clean stop. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export function startSealing(options: SealLoopOptions): SealLoop {
  const { db, beat: everyMs = 250, pause: pauseMs = 20, block = 500, fault } = options;
  const woken = new Set<number>();
  let turns = 0;
  const loop = startLoop({
    everyMs,
    pauseMs,
    fault,
    async turn() {
      // Also under steady local load, other processes' workspaces are checked now and then.
      turns += 1;
      const mine = woken.size > 0 && turns % 8 !== 0;
      const workspaces = mine ? [...woken] : await waitingWorkspaces(db);
      woken.clear();
      await pass(options, block, workspaces);
    },
  });
  loop.wake();
  return {
    wake(workspaces) {
      for (const workspace of workspaces) woken.add(workspace);
      loop.wake();
    },
    async drain() {
      for (;;) {
        await loop.settled();
        const workspaces = await waitingWorkspaces(db);
        if (workspaces.length === 0) return;
        await pass(options, block, workspaces);
      }
    },
    stop: () => loop.stop(),
  };
}

/** Seals what waits in the workspaces, block after block. */
async function pass(
  options: SealLoopOptions,
  block: number,
  workspaces: Iterable<number>,
): Promise<void> {
  for (const workspace of workspaces) {
    for (;;) {
      const { events, deliveries } = await sealBlock(options, workspace);
      if (deliveries > 0) options.queued();
      if (events < block) break;
    }
  }
}
