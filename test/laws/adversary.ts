// Runs hand-typed SQL in transactions that are never kept, with named ids, and reports which
// constraint refused it.
import {
  brokenConstraint,
  sqlState,
  type Database,
  type Transaction,
} from '../../src/db/index.ts';

/** Ids that statements speak of, by name. */
export type Known = Record<string, string>;

/** What must be refused, by which constraint, and the statements. */
export type Refused = readonly [what: string, constraint: string, statements: readonly string[]];

/** `:name` stands for a known id, quoted; `:workspace` for its number. */
function filled(text: string, known: Known): string {
  return text.replaceAll(/(?<!:):([a-z]\w*)/gi, (whole, name: string) => {
    const value = known[name];
    if (value === undefined) return whole;
    return /^\d+$/.test(value) ? value : `'${value}'`;
  });
}

class Undo extends Error {}

/**
 * Runs statements in a transaction that is never kept; the constraint that refused one, or null.
 */
export async function attempt(
  db: Database,
  known: Known,
  statements: readonly string[],
  look: (tx: Transaction) => Promise<void> = async () => {},
): Promise<string | null> {
  try {
    await db.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(filled(statement, known));
      await look(tx);
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return null;
    return brokenConstraint(error) ?? sqlState(error) ?? String(error);
  }
  return null;
}

/** A step of a resource; `which`: workspace, resource and version. */
export function step(
  which: string,
  from: string,
  on: string,
  to: string,
  machine = 'invoice',
): string {
  return `insert into step values
    (${which}, '${machine}', '${from}', '${on}', '${to}', clock_timestamp(), 'hand', null)`;
}
