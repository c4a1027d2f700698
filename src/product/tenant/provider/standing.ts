// What is configured and what is not, for an operator who starts or checks an installation. [G-90]
import { sql, type Queryable } from '../../../db/index.ts';
import type { ProviderKind } from '../../../providers/port.ts';
import type { Environment } from '../../context.ts';

/** One kind of outside party: who does it, and what that means. */
export interface Standing {
  readonly kind: string;
  /** Such as `acme (2 tenants), none (1 tenant)`. */
  readonly has: string;
  readonly means: string;
}

/** What holds for tenants without a provider. */
const WITHOUT: Readonly<Record<ProviderKind, Readonly<Record<Environment, string>>>> = {
  processor: {
    staging: 'without one the simulator plays it',
    production: 'without one cards are not entered, and payments by card are refused',
  },
  identity: {
    staging: 'without one the simulator plays it',
    production: 'without one operators review every application',
  },
};

/** What holds where every tenant has one. */
const WITH: Readonly<Record<ProviderKind, string>> = {
  processor: 'takes cards, and reports what it did in its statement',
  identity: 'decides about applications; operators decide what it does not',
};

/** What no tenant chooses. */
const FIXED: readonly Standing[] = [
  { kind: 'payout rail', has: 'bank file', means: 'payouts to accounts by IBAN wait for a file' },
  { kind: 'files', has: 'database', means: 'documents are stored encrypted' },
  { kind: 'keys', has: 'file', means: 'back it up apart from the database' },
];

/** A row for each kind. */
export async function standing(db: Queryable, env: Environment): Promise<readonly Standing[]> {
  const kinds = Object.keys(WITHOUT) as ProviderKind[];
  const rows = await db.query<{ kind: ProviderKind; provider: string; tenants: number }>(sql`
    select k.kind, coalesce(c.provider, 'none') as provider, count(*)::int as tenants
    from workspace w cross join unnest(${kinds}::text[]) k(kind)
      left join provider_connection c on c.workspace = w.workspace and c.kind = k.kind
    where w.main and w.ended is null group by k.kind, c.provider
    order by c.provider nulls last`);
  const chosen = kinds.map((kind) => {
    const all = rows.filter((row) => row.kind === kind);
    const isEverywhere = all.length > 0 && all.every(({ provider }) => provider !== 'none');
    const has = all.length === 0 ? 'none' : all.map(counted).join(', ');
    return { kind, has, means: isEverywhere ? WITH[kind] : WITHOUT[kind][env] };
  });
  return [...chosen, ...FIXED];
}

function counted({ provider, tenants }: { readonly provider: string; readonly tenants: number }) {
  return `${provider} (${tenants} ${tenants === 1 ? 'tenant' : 'tenants'})`;
}

/** The rows of production as lines of a table, for the start; `server` takes our mails. */
export async function standingLines(
  db: Queryable,
  server: { readonly host: string } | null,
): Promise<readonly string[]> {
  const means = server === null ? 'nobody is mailed' : 'mails people where a tenant wants it';
  const mail = { kind: 'mail', has: server?.host ?? 'none', means };
  const rows = [...(await standing(db, 'production')), mail];
  const width = (of: 'kind' | 'has'): number => Math.max(...rows.map((row) => row[of].length)) + 2;
  const [first, second] = [width('kind'), width('has')];
  return rows.map(({ kind, has, means }) => kind.padEnd(first) + has.padEnd(second) + means);
}
