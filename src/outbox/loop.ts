// Runs the sealing: soon after a commit of this process, and at a steady interval for other
// processes' commits.
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
  const block = options.block ?? 500;
  const woken = new Set<number>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  let turns = 0;

  async function turn(): Promise<void> {
    try {
      // Also under steady local load, other processes' workspaces are checked now and then.
      turns += 1;
      const mine = woken.size > 0 && turns % 8 !== 0;
      const workspaces = mine ? [...woken] : await waitingWorkspaces(options.db);
      woken.clear();
      await pass(options, block, workspaces);
    } catch (error) {
      options.fault(error);
    }
  }

  function schedule(ms: number): void {
    if (stopped || running !== null) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      running = turn().finally(() => {
        running = null;
        schedule(woken.size > 0 ? (options.pause ?? 20) : (options.beat ?? 250));
      });
    }, ms);
  }

  schedule(0);
  return {
    wake(workspaces) {
      if (woken.size === 0 && running === null) schedule(options.pause ?? 20);
      for (const workspace of workspaces) woken.add(workspace);
    },
    async drain() {
      for (;;) {
        await running;
        const workspaces = await waitingWorkspaces(options.db);
        if (workspaces.length === 0) return;
        await pass(options, block, workspaces);
      }
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
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
