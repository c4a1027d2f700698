// Reads that may not take for ever: in one snapshot, with a limit, and for what everybody sees at
// most once a minute.
import type { Queryable, Transaction } from './statement.ts';

const KEEP_MS = 60_000;
/** What reading may take: of what everybody sees, and of what somebody asked for. */
const SEEN = '5s';
const REPORT = '30s';
const WHOLE_TABLES = `, set_config('enable_seqscan', 'on', true),
  set_config('enable_hashjoin', 'on', true)`;
const TIMED_OUT = '57014';

/** The pool that reads. */
export interface Transacting {
  transaction<T>(work: (tx: Transaction) => Promise<T>, begin: string): Promise<T>;
}

/**
 * Reads in one snapshot; null where that takes too long. `whole`: all of a tenant is read, for
 * which the settings of the pool, made for reads by key, are wrong.
 */
export async function inTime<T>(
  db: Transacting,
  whole: boolean,
  read: (tx: Queryable) => Promise<T>,
  timeout = REPORT,
): Promise<T | null> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`select set_config('statement_timeout', '${timeout}', true)
        ${whole ? WHOLE_TABLES : ''}`);
      return read(tx);
    }, 'begin isolation level repeatable read read only');
  } catch (error) {
    if ((error as { code?: unknown }).code === TIMED_OUT) return null;
    throw error;
  }
}

interface Kept<T> {
  readonly until: number;
  readonly result: Promise<T | null>;
}

/** A reader of what a tenant has, as of the last minute; null where reading takes too long. */
export function onceAMinute<T>(
  whole: boolean,
  read: (tx: Queryable, workspace: number) => Promise<T>,
): (db: Transacting, workspace: number) => Promise<T | null> {
  const databases = new WeakMap<Transacting, Map<number, Kept<T>>>();
  return (db, workspace) => {
    const kept = databases.get(db) ?? new Map<number, Kept<T>>();
    databases.set(db, kept);
    const now = performance.now();
    const found = kept.get(workspace);
    if (found !== undefined && found.until > now) return found.result;
    const result = inTime(db, whole, (tx) => read(tx, workspace), SEEN);
    kept.set(workspace, { until: now + KEEP_MS, result });
    result.catch(() => kept.delete(workspace));
    return result;
  };
}
