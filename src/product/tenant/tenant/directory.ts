// The currencies of a workspace and what its tenant has set for new sales, cached for a few seconds
// so that no request queries the database for them.
import { prepared, type Database } from '../../../db/index.ts';
import { Lineages } from '../../../core/lineages.ts';
import type { EnabledCurrency, ReserveTerms, WorkspaceDirectory } from '../../context.ts';

/** How long results are cached, and by which clock. */
export interface DirectoryOptions {
  /** Milliseconds; default 3,000. */
  readonly keepMs?: number;
  /** Milliseconds of a clock that never jumps; default the process's. */
  readonly now?: () => number;
  /** The lineages of clones; absent: there are none. */
  readonly lineages?: Lineages;
}

interface Kept {
  readonly until: number;
  readonly currencies: Promise<ReadonlyMap<string, EnabledCurrency>>;
}

const KEEP_MS = 3_000;

/** The directory of a database. A failed query is not cached. */
export function workspaceDirectory(
  db: Database,
  options: DirectoryOptions = {},
): WorkspaceDirectory {
  const keepMs = options.keepMs ?? KEEP_MS;
  const now = options.now ?? (() => performance.now());
  const lineages = options.lineages ?? new Lineages();
  const kept = new Map<number, Kept>();
  return {
    lineageOf: (workspace) => lineages.lineageOf(workspace),
    forget: (workspace) => void kept.delete(workspace),
    currencies(workspace) {
      const found = kept.get(workspace);
      if (found !== undefined && found.until > now()) return found.currencies;
      const currencies = readCurrencies(db, workspace);
      const entry = { until: now() + keepMs, currencies };
      kept.set(workspace, entry);
      currencies.catch(() => {
        if (kept.get(workspace) === entry) kept.delete(workspace);
      });
      return currencies;
    },
  };
}

async function readCurrencies(
  db: Database,
  workspace: number,
): Promise<ReadonlyMap<string, EnabledCurrency>> {
  type Row = Omit<EnabledCurrency, 'reserve'> & ReserveTerms;
  const rows = await db.query<Row>(prepared('workspace_currencies')`
    select c.currency, c.digits, c.second_from as "secondFrom",
      coalesce(s.reserve_percent, 0) as percent,
      coalesce(s.reserve_days, 0) as days
    from workspace_currency c left join tenant_setting s on s.workspace = c.workspace
    where c.workspace = ${workspace} order by c.currency`);
  return new Map(
    rows.map(({ percent, days, ...row }) => {
      return [row.currency, { ...row, reserve: percent > 0 ? { percent, days } : null }];
    }),
  );
}
