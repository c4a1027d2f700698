// Runs the sealing: soon after a commit of this process, and at a steady beat for the commits of
// others.
import { sealBlock, waitingWorlds, type SealOptions } from './seal.ts';

export interface SealLoopOptions extends SealOptions {
  /** Called after events were sealed that someone is to be told of. */
  readonly queued: () => void;
  readonly fault: (error: unknown) => void;
  /** Milliseconds between looks for other processes' commits. */
  readonly beat?: number;
  /** Milliseconds between a commit and its sealing, so that blocks grow under load. */
  readonly pause?: number;
}

/** A running sealing loop. */
export interface SealLoop {
  /** Says that a world has new events. */
  wake(worlds: ReadonlySet<number>): void;
  /** Seals everything that waits, and resolves then; for tests, stories and a clean stop. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the loop. */
export function startSealing(options: SealLoopOptions): SealLoop {
  const block = options.block ?? 500;
  const woken = new Set<number>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  let turns = 0;

  async function turn(): Promise<void> {
    try {
      // Under steady load of one's own worlds, the worlds of other processes get their look as
      // well.
      turns += 1;
      const mine = woken.size > 0 && turns % 8 !== 0;
      const worlds = mine ? [...woken] : await waitingWorlds(options.db);
      woken.clear();
      await pass(options, block, worlds);
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
    wake(worlds) {
      if (woken.size === 0 && running === null) schedule(options.pause ?? 20);
      for (const world of worlds) woken.add(world);
    },
    async drain() {
      for (;;) {
        await running;
        const worlds = await waitingWorlds(options.db);
        if (worlds.length === 0) return;
        await pass(options, block, worlds);
      }
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

/** Seals what waits in the worlds, block after block. */
async function pass(
  options: SealLoopOptions,
  block: number,
  worlds: Iterable<number>,
): Promise<void> {
  for (const world of worlds) {
    for (;;) {
      const { events, deliveries } = await sealBlock(options, world);
      if (deliveries > 0) options.queued();
      if (events < block) break;
    }
  }
}
