// Periodic deletion that keeps tables small: the list of such work, its interval, and its stop.
import type { Database } from '../db/index.ts';
import { forgetUnused } from '../product/money/invoice/index.ts';
import { forgetNotes } from '../product/tell/explain/index.ts';
import { forgetExpired } from '../product/access/oauth/index.ts';
import { forgetAnswers, forgetSecrets } from '../product/idempotent/index.ts';
import { forgetViews } from '../product/people/review/index.ts';
import { foldAllCredits } from '../ledger/index.ts';

/** One kind of periodic work. */
export interface UpkeepRow {
  /** For the log. */
  readonly name: string;
  /** Seconds from the end of one turn to the start of the next. */
  readonly everySeconds: number;
  /** Does part of the work and returns how much; called again at once until it returns 0. */
  run(): Promise<number>;
}

export interface Upkeep {
  /** Begins no more work; resolves when running work has ended. */
  stop(): Promise<void>;
}

const MINUTE = 60;
const HOUR = 3_600;

/** The upkeep of an installation. Safe in several processes. [G-10, G-14, G-44] */
export function upkeepRows(db: Database): readonly UpkeepRow[] {
  return [
    { name: 'credits of integrators', everySeconds: 2, run: () => foldAllCredits(db) },
    { name: 'expired tokens and links', everySeconds: HOUR, run: () => forgetExpired({ db }) },
    { name: 'unused authorized invoices', everySeconds: HOUR, run: () => forgetUnused(db) },
    { name: 'secrets of kept answers', everySeconds: MINUTE, run: () => forgetSecrets(db) },
    { name: 'kept answers', everySeconds: HOUR, run: () => forgetAnswers(db) },
    { name: 'notes of calls', everySeconds: HOUR, run: () => forgetNotes(db) },
    { name: 'documents shown to reviewers', everySeconds: HOUR, run: () => forgetViews(db) },
  ];
}

/**
 * Starts one loop per row, the first turn after one interval. A failed turn is reported to `fault`
 * with the row's name and repeated at the next interval.
 */
export function startUpkeep(
  rows: readonly UpkeepRow[],
  fault: (error: unknown, name: string) => void,
): Upkeep {
  const ending = new AbortController();
  const loops = rows.map((row) => loop(row, fault, ending.signal));
  return {
    async stop() {
      ending.abort();
      await Promise.all(loops);
    },
  };
}

/** One turn of each row now, beside its loop; failures are reported the same way. */
export async function turnOf(
  rows: readonly UpkeepRow[],
  fault: (error: unknown, name: string) => void,
): Promise<void> {
  await Promise.all(rows.map((row) => turn(row, fault, () => false)));
}

async function turn(
  row: UpkeepRow,
  fault: (error: unknown, name: string) => void,
  ended: () => boolean,
): Promise<void> {
  try {
    while (!ended() && (await row.run()) > 0);
  } catch (error) {
    fault(error, row.name);
  }
}

async function loop(
  row: UpkeepRow,
  fault: (error: unknown, name: string) => void,
  ending: AbortSignal,
): Promise<void> {
  while (await pause(row.everySeconds * 1_000, ending)) {
    await turn(row, fault, () => ending.aborted);
  }
}

/** True after so many milliseconds; false at once if it is aborted. Keeps no process alive. */
function pause(ms: number, ending: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (ending.aborted) {
      resolve(false);
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      ending.removeEventListener('abort', end);
      resolve(true);
    }, ms);
    timer.unref();
    ending.addEventListener('abort', end, { once: true });
  });
}
