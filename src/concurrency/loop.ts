// Repeats background work of one process: at a steady interval, and soon after it was woken. Turns
// never overlap, and a failed turn is followed by the next.
import { asWork } from './cause.ts';

export interface LoopOptions {
  /** Milliseconds from the end of one turn to the next, and from the start to the first. */
  readonly everyMs: number;
  /** Milliseconds from a wake to the turn, so that what comes meanwhile shares it; 0 by default. */
  readonly pauseMs?: number;
  turn(): Promise<unknown>;
  fault(error: unknown): void;
}

export interface Loop {
  /** Takes a turn soon; during a turn, another one soon after it. */
  wake(): void;
  /** Resolves when no turn is running. */
  settled(): Promise<void>;
  /** Takes no more turns; resolves when the running one has ended. */
  stop(): Promise<void>;
}

/** Starts a loop, which keeps no process alive. */
export function startLoop({ everyMs, pauseMs = 0, turn, fault }: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let woken = false;
  let stopped = false;

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (stopped) return;
    if (ms === 0) begin();
    else timer = setTimeout(begin, ms).unref();
  }

  function begin(): void {
    woken = false;
    // Whoever woke it, a turn is nobody's.
    running = asWork(undefined, turn)
      .catch(fault)
      .then(() => {
        running = null;
        schedule(woken ? pauseMs : everyMs);
      });
  }

  schedule(everyMs);
  return {
    wake() {
      if (woken) return;
      woken = true;
      if (running === null) schedule(pauseMs);
    },
    async settled() {
      await running;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
