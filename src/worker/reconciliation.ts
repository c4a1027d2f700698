// The loop that holds the processor's statements against the books. Answers for when a statement is
// looked at: soon after money moved in this process or a notice came, else each minute. Knows no
// rule of matching.
import type { ReconcilerParts } from '../domain/reconciliation/index.ts';
import { reconcileDue, wakeStatements } from '../domain/reconciliation/index.ts';

/** A running loop. */
export interface Reconciliation {
  /** To be told of each commit: the worlds and the tables that it wrote. */
  committed(worlds: ReadonlySet<number>, tables: ReadonlySet<string>): void;
  /** Begins no more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Milliseconds between looks for a statement that is due. */
const BEAT = 1_000;
/** Seconds between a commit that moved money and a look at the statement. */
const SOON = 2;

/** Starts the loop. */
export function startReconciliation(parts: ReconcilerParts): Reconciliation {
  const moved = new Set<number>();
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();

  async function turn(): Promise<void> {
    try {
      const worlds = [...moved];
      moved.clear();
      if (worlds.length > 0) await wakeStatements(parts.db, worlds, SOON);
      while (!stopped && (await reconcileDue(parts)) > 0);
    } catch (error) {
      parts.fault(error);
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      running = turn().finally(() => {
        if (!stopped) schedule();
      });
    }, BEAT);
    timer.unref();
  }

  schedule();
  return {
    committed(worlds, tables) {
      if (!tables.has('attempt') && !tables.has('remittance')) return;
      for (const world of worlds) moved.add(world);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
