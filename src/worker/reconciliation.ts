// The loop that reconciles the processor's statements with the ledger: soon after money moved in
// this process or a webhook came, else every minute. The matching is in
// src/product/money/reconciliation.
import { startLoop } from '../concurrency/loop.ts';
import type { Database } from '../db/index.ts';
import {
  advanceProved,
  alarmText,
  reconcileDue,
  wakeStatements,
} from '../product/money/reconciliation/index.ts';
import { sweep } from '../product/money/wallet/index.ts';
import type { LoopParts } from './parts.ts';
import type { UpkeepRow } from './upkeep.ts';

export interface Reconciliation {
  /** To be called at each commit with the workspaces and tables written. */
  committed(workspaces: ReadonlySet<number>, tables: ReadonlySet<string>): void;
  /** Checks for due statements now. */
  wake(): void;
  /** Begins no more; resolves when running work has ended. */
  stop(): Promise<void>;
}

/** Milliseconds between checks for a due statement. */
const BEAT = 1_000;
/** Seconds between a commit that moved money and reading the statement. */
const SOON = 2;

/** Periodic work: what no job covers, the proven mark, the alarm. */
export function reconciliationRows(
  db: Database,
  notice: (text: string) => void,
): readonly UpkeepRow[] {
  return [
    { name: 'work at the processor without a job', everySeconds: 10, run: () => sweep(db) },
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

export function startReconciliation(parts: LoopParts): Reconciliation {
  const moved = new Set<number>();
  let stopped = false;
  const loop = startLoop({
    everyMs: BEAT,
    fault: parts.fault,
    async turn() {
      const workspaces = [...moved];
      moved.clear();
      if (workspaces.length > 0) await wakeStatements(parts.db, workspaces, SOON);
      while (!stopped && (await reconcileDue(parts)) > 0);
    },
  });
  return {
    committed(workspaces, tables) {
      if (!tables.has('attempt') && !tables.has('transfer')) return;
      for (const workspace of workspaces) moved.add(workspace);
    },
    wake: () => loop.wake(),
    stop() {
      stopped = true;
      return loop.stop();
    },
  };
}
