// The currencies of a workspace, cached for a few seconds so that no request queries the database
// for them.
import type { Database } from '../../../db/index.ts';
import { Lines } from '../../../core/lines.ts';
import type { EnabledCurrency, WorldDirectory } from '../../context.ts';

/** How long results are cached, and by which clock. */
export interface DirectoryOptions {
  /** Milliseconds; default 3,000. */
  readonly keepMs?: number;
  /** Milliseconds of a clock that never jumps; default the process's. */
  readonly now?: () => number;
  /** The lineages of clones; absent: there are none. */
  readonly lines?: Lines;
}

interface Kept {
  readonly until: number;
  readonly currencies: Promise<ReadonlyMap<string, EnabledCurrency>>;
}

const KEEP_MS = 3_000;

/** The directory of a database. A failed query is not cached. */
export function worldDirectory(db: Database, options: DirectoryOptions = {}): WorldDirectory {
  const keepMs = options.keepMs ?? KEEP_MS;
  const now = options.now ?? (() => performance.now());
  const lines = options.lines ?? new Lines();
  const kept = new Map<number, Kept>();
  return {
    lineOf: (world) => lines.lineOf(world),
    currencies(world) {
      const found = kept.get(world);
      if (found !== undefined && found.until > now()) return found.currencies;
      const currencies = readCurrencies(db, world);
      const entry = { until: now() + keepMs, currencies };
      kept.set(world, entry);
      currencies.catch(() => {
        if (kept.get(world) === entry) kept.delete(world);
      });
      return currencies;
    },
  };
}

async function readCurrencies(
  db: Database,
  world: number,
): Promise<ReadonlyMap<string, EnabledCurrency>> {
  const rows = await db.query<EnabledCurrency>({
    name: 'world_currencies',
    text: 'select currency, digits from world_currency where world = $1 order by currency',
    values: [world],
  });
  return new Map(rows.map((row) => [row.currency, row]));
}
