// Reads the overview's figures: queues with their length and oldest entry, and a tenant's ledger by
// currency. Each read is small or has a time limit.
import type { Database, Queryable } from '../db/index.ts';
import { openItems } from '../product/money/reconciliation/index.ts';
import { HIT_WAITS } from '../product/people/review/index.ts';
import {
  STANDING,
  SYSTEM_ACCOUNT_KINDS,
  systemAccountId,
  type SystemAccountKind,
} from '../ledger/index.ts';

/** One queue. */
export interface Queue {
  readonly name: string;
  /** Where it is worked on; null if that is not a page. */
  readonly path: string | null;
  readonly count: number;
  /** True if more wait than are counted. */
  readonly more: boolean;
  /** Seconds the oldest entry has waited; null for none. */
  readonly oldest: number | null;
}

/** Queues are counted up to here. */
const MOST = 500;

/** Name, the page where it is worked on, and SQL of what waits. */
const BOUNDED: readonly (readonly [string, string | null, string])[] = [
  [
    'Identities to review',
    '/reviews',
    `select updated as at from kyc where workspace = $1 and state = 'MANUAL_REVIEW'
      order by updated, id`,
  ],
  [
    'Businesses to review',
    '/businesses',
    `select updated as at from entity where workspace = $1 and state = 'PROCESSING'
        and course = 'people' order by updated, id`,
  ],
  [
    'Watch-list hits to decide',
    '/hits',
    `select h.created as at from screening_hit h where h.workspace = $1 and ${HIT_WAITS}
      order by h.created`,
  ],
  [
    'Bank transfers to allocate',
    '/transfers',
    `select created as at from incoming_transfer where workspace = $1
      and state in ('proposed', 'unallocated', 'allocating', 'returning') order by created`,
  ],
  [
    'Rows of bank statements to explain',
    '/transfers',
    `select e.created as at from bank_entry e where e.workspace = $1 and e.direction = 'debit'
      and e.settles is null order by e.booked`,
  ],
  [
    'Opening balances to confirm',
    '/openings',
    `select updated as at from opening where workspace = $1 and state = 'prepared'
      order by updated`,
  ],
  [
    'Payouts to collect into a file',
    '/payout-files',
    `select updated as at from transfer t where workspace = $1 and state = 'waiting'
      and not exists (select from payout_file_item i where i.workspace = t.workspace
        and i.transfer_id = t.id and i.live) order by id`,
  ],
  [
    'Payout files to confirm or hand over',
    '/payout-files',
    `select updated as at from payout_file where workspace = $1
      and state in ('collected', 'confirmed') order by updated`,
  ],
  [
    'Payouts on hold',
    null,
    `select created as at from payout where workspace = $1 and due is not null order by due`,
  ],
  [
    'Disputes to answer',
    '/disputes',
    `select created as at from dispute where workspace = $1 and state = 'needs_response'
      order by created`,
  ],
  [
    'Disputes under review by the bank',
    '/disputes',
    `select created as at from dispute where workspace = $1 and state = 'under_review'
      order by created`,
  ],
  [
    'Pending deliveries',
    null,
    `select e.at from delivery d join event e on e.workspace = d.workspace
      and e.sequence = d.sequence
      where d.workspace = $1 and d.state = 'pending' order by d.due`,
  ],
  [
    'Failed deliveries',
    null,
    `select e.at from delivery d join event e on e.workspace = d.workspace
      and e.sequence = d.sequence
      where d.workspace = $1 and d.state = 'dead' order by d.endpoint_id, d.sequence`,
  ],
  ['Unpublished events', null, `select at from outbox where workspace = $1 order by at`],
];

const ITEMS: Readonly<Record<string, string>> = {
  parked_charge: 'Payments in manual review',
  parked_remittance: 'Refunds and payouts in manual review',
  difference: 'Processor discrepancies',
  waiting_line: 'Unmatched statement rows',
  missing_line: 'Unmatched transfers',
  waiting_refund: 'Refunds waiting for funds',
  waiting_reversal: 'Uncovered chargebacks',
};

/** Every queue of a tenant, in a fixed order. */
export async function queuesOf(db: Queryable, workspace: number): Promise<Queue[]> {
  const bounded = await Promise.all(
    BOUNDED.map(async ([name, path, rows]): Promise<Queue> => {
      const [found] = await db.query<{ count: number; oldest: number | null }>({
        text: `select count(*)::int4 as count, extract(epoch from
            clock_timestamp() + (select clock_offset from workspace where workspace = $1) - min(at)
          )::float8 as oldest from (${rows} limit ${MOST + 1}) as waiting`,
        values: [workspace],
      });
      const count = found?.count ?? 0;
      const more = count > MOST;
      const oldest = found?.oldest ?? null;
      return { name, path, count: Math.min(count, MOST), more, oldest };
    }),
  );
  const items = await openItems(db, workspace, MOST);
  const open = Object.entries(ITEMS).map(([kind, name]): Queue => {
    const ages = items.filter((item) => item.kind === kind).map((item) => item.age_seconds);
    const oldest = ages.length === 0 ? null : Math.max(...ages);
    return { name, path: null, count: ages.length, more: items.length === MOST, oldest };
  });
  return [...bounded, ...open];
}

/** Balance of all accounts of one kind. Minor units. */
export interface KindSum {
  readonly kind: string;
  readonly amount: bigint;
}

/** A tenant's ledger in one currency. Minor units. */
export interface Books {
  readonly currency: string;
  /** At processors and, in the sandbox, created from nothing. */
  readonly held: bigint;
  /** To people: wallets, restricted funds, escrows, transfers in progress. */
  readonly owed: bigint;
  readonly kinds: readonly KindSum[];
}

const kindsThat = (stand: 'lies' | 'owed'): readonly string[] =>
  Object.entries(STANDING).flatMap(([kind, standing]) => (standing === stand ? [kind] : []));
const HELD = kindsThat('lies');
const OWED = kindsThat('owed');
const KEEP_MS = 60_000;
const TIMEOUT = '2s';

interface Kept {
  readonly until: number;
  readonly books: Promise<Books[] | null>;
}

const databases = new WeakMap<Database, Map<number, Kept>>();

/**
 * A tenant's ledger as of the last minute; null if it cannot be summed in two seconds. Summed once
 * a minute, however many ask.
 */
export function booksOf(db: Database, workspace: number): Promise<Books[] | null> {
  const kept = databases.get(db) ?? new Map<number, Kept>();
  databases.set(db, kept);
  const now = performance.now();
  const found = kept.get(workspace);
  if (found !== undefined && found.until > now) return found.books;
  const books = sum(db, workspace);
  kept.set(workspace, { until: now + KEEP_MS, books });
  books.catch(() => kept.delete(workspace));
  return books;
}

async function sum(db: Database, workspace: number): Promise<Books[] | null> {
  try {
    return await db.transaction((tx) => sumIn(tx, workspace), 'begin read only');
  } catch (error) {
    if ((error as { code?: unknown }).code === '57014') return null;
    throw error;
  }
}

async function sumIn(tx: Queryable, workspace: number): Promise<Books[]> {
  await tx.query(`set local statement_timeout = '${TIMEOUT}'`);
  // This reads a whole table; the pool's settings are for reads by key.
  await tx.query('set local enable_seqscan = on');
  await tx.query('set local enable_hashjoin = on');
  const [of] = await tx.query<{ lineage: number }>({
    text: 'select lineage from workspace where workspace = $1',
    values: [workspace],
  });
  const rows = await tx.query<{ id: string; kind: string; currency: string; amount: string }>({
    text: `select null as id, a.kind, a.currency, sum(b.amount)::text as amount
        from balance b join ledger_account a on a.workspace = b.workspace and a.id = b.id
        where b.workspace = $1 group by a.kind, a.currency
      union all
      select p.account_id::text, '', p.currency, sum(p.amount)::text
        from posting p where p.workspace = $1 and p.account_version is null
        group by p.account_id, p.currency`,
    values: [workspace],
  });
  const currencies = [...new Set(rows.map((row) => row.currency))].toSorted();
  return currencies.map((currency) => {
    const house = new Map(
      Object.keys(SYSTEM_ACCOUNT_KINDS).map((kind) => [
        systemAccountId(of?.lineage ?? workspace, kind as SystemAccountKind, currency),
        kind,
      ]),
    );
    const kinds = rows
      .filter((row) => row.currency === currency)
      .map(({ id, kind, amount }) => ({
        kind: id === null ? kind : (house.get(id) ?? 'other'),
        amount: BigInt(amount),
      }));
    const total = (of: readonly string[]): bigint =>
      kinds.filter(({ kind }) => of.includes(kind)).reduce((all, one) => all + one.amount, 0n);
    return { currency, held: -total(HELD), owed: total(OWED), kinds };
  });
}
