// Reads the overview's figures: queues with their length and oldest entry, and a tenant's ledger by
// currency. Each read is small or has a time limit.
import { queues } from '../catalogue.ts';
import type { Queue as QueueRow } from '../core/queue.ts';
import { raw, sql, type Database, type Queryable } from '../db/index.ts';
import { openItems } from '../product/money/reconciliation/index.ts';
import { kindsThat } from '../ledger/index.ts';
import { sumsOf, type KindSum } from '../product/money/books/index.ts';

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

const ITEMS: Readonly<Record<string, string>> = {
  parked_charge: 'Payments in manual review',
  parked_remittance: 'Refunds and payouts in manual review',
  difference: 'Processor discrepancies',
  waiting_line: 'Unmatched statement rows',
  missing_line: 'Unmatched transfers',
  waiting_refund: 'Refunds waiting for funds',
  waiting_reversal: 'Uncovered chargebacks',
};

const EVENTS: readonly string[] = ['delivery', 'outbox'];
/** What people work on, and what the tenant's receivers wait for. */
const SHOWN = queues.filter(({ by, table }) => by === 'people' || EVENTS.includes(table));

async function read(
  db: Queryable,
  workspace: number,
  { title: name, path, rows }: QueueRow,
): Promise<Queue> {
  const [found] = await db.query<{ count: number; oldest: number | null }>(sql`
    select count(*)::int4 as count,
      extract(epoch from clock_timestamp() + max(w.clock_offset) - min(at))::float8 as oldest
    from workspace w cross join lateral (${raw(rows)} limit ${raw(MOST + 1)}) as waiting
    where w.workspace = ${workspace}`);
  const count = found?.count ?? 0;
  const oldest = found?.oldest ?? null;
  return { name, path: path ?? null, count: Math.min(count, MOST), more: count > MOST, oldest };
}

/** Every queue of a tenant, in a fixed order. */
export async function queuesOf(db: Queryable, workspace: number): Promise<Queue[]> {
  const bounded = await Promise.all(SHOWN.map((queue) => read(db, workspace, queue)));
  const items = await openItems(db, workspace, MOST);
  const open = Object.entries(ITEMS).map(([kind, name]): Queue => {
    const ages = items.filter((item) => item.kind === kind).map((item) => item.age_seconds);
    const oldest = ages.length === 0 ? null : Math.max(...ages);
    const path = `/lists/open_items?kind=${kind}`;
    return { name, path, count: ages.length, more: items.length === MOST, oldest };
  });
  return [...bounded, ...open];
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

const HELD = kindsThat('lies');
const OWED = kindsThat('owed');

/** A tenant's ledger as of the last minute; null if it cannot be summed in time. */
export async function booksOf(db: Database, workspace: number): Promise<Books[] | null> {
  const sums = await sumsOf(db, workspace);
  if (sums === null) return null;
  return [...Map.groupBy(sums.kinds, (one) => one.currency)].map(([currency, kinds]) => {
    const total = (of: readonly string[]): bigint =>
      kinds.filter(({ kind }) => of.includes(kind)).reduce((all, one) => all + one.amount, 0n);
    return { currency, held: -total(HELD), owed: total(OWED), kinds };
  });
}
