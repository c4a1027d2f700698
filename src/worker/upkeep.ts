// What a process does from time to time to keep its tables small. Answers for the table of such
// work, its beat, and its end; refuses to know what the rows mean that are forgotten.
import type { Database } from '../db/index.ts';
import { forgetUnused } from '../domain/checkout/index.ts';
import { forgetNotes } from '../domain/explain/index.ts';
import { forgetExpired } from '../domain/oauth/index.ts';
import { forgetAnswers, forgetSecrets } from '../domain/once/index.ts';
import { forgetViews } from '../domain/review/index.ts';
import { foldAllCredits } from '../ledger/index.ts';

/** Work that is done again and again. */
export interface UpkeepRow {
  /** For the log. */
  readonly name: string;
  /** Seconds from the end of one turn to the beginning of the next. */
  readonly everySeconds: number;
  /** Does some of it and gives how much; it is asked again at once until that is 0. */
  run(): Promise<number>;
}

/** Running upkeep. */
export interface Upkeep {
  /** Begins no more work; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

const MINUTE = 60;
const HOUR = 3_600;

/** The upkeep of an installation. Several processes may do it at once. [G-10, G-14, G-44] */
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
 * Starts one loop for each row, its first turn after one interval. A turn that fails is told to
 * `fault`, with the row's name, and tried again at the next.
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

/** One turn of each row now, beside its loop; what fails is told as there. */
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

/** True after so many milliseconds; false at once when it ends. Keeps no process alive. */
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
