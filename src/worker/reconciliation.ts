// The loop that holds the processor's statements against the books. Answers for when a statement is
// looked at: soon after money moved in this process or a notice came, else each minute. Knows no
// rule of matching.
import type { Database } from '../db/index.ts';
import {
  advanceProved,
  alarmText,
  forgetNotices,
  reconcileDue,
  sweep,
  wakeStatements,
} from '../domain/reconciliation/index.ts';
import type { LoopParts } from './loops.ts';
import type { UpkeepRow } from './upkeep.ts';

/** A running loop. */
export interface Reconciliation {
  /** To be told of each commit: the worlds and the tables that it wrote. */
  committed(worlds: ReadonlySet<number>, tables: ReadonlySet<string>): void;
  /** Looks for statements that are due now. */
  wake(): void;
  /** Begins no more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Milliseconds between looks for a statement that is due. */
const BEAT = 1_000;
/** Seconds between a commit that moved money and a look at the statement. */
const SOON = 2;

/** What is done from time to time: work without a job, the mark of what is proved, the alarm. */
export function reconciliationRows(
  db: Database,
  notice: (text: string) => void,
): readonly UpkeepRow[] {
  return [
    { name: 'work at the processor without a job', everySeconds: 10, run: () => sweep(db) },
    { name: 'old notices', everySeconds: 3_600, run: () => forgetNotices(db) },
    {
      name: 'reconciliation',
      everySeconds: 60,
      async run() {
        await advanceProved(db);
        const text = await alarmText(db);
        if (text !== '') notice(text);
        return 0;
      },
    },
  ];
}

/** Starts the loop. */
export function startReconciliation(parts: LoopParts): Reconciliation {
  const moved = new Set<number>();
  let stopped = false;
  let woken = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  async function turn(): Promise<void> {
    woken = false;
    try {
      const worlds = [...moved];
      moved.clear();
      if (worlds.length > 0) await wakeStatements(parts.db, worlds, SOON);
      while (!stopped && (await reconcileDue(parts)) > 0);
    } catch (error) {
      parts.fault(error);
    }
  }

  function schedule(ms: number): void {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      running = turn().finally(() => {
        running = null;
        if (!stopped) schedule(woken ? 0 : BEAT);
      });
    }, ms);
    timer.unref();
  }

  schedule(BEAT);
  return {
    committed(worlds, tables) {
      if (!tables.has('attempt') && !tables.has('remittance')) return;
      for (const world of worlds) moved.add(world);
    },
    wake() {
      woken = true;
      if (running === null && !stopped) schedule(0);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
