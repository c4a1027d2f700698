// Reads a workspace's records at the processor simulator: charges with totals, and the statement
// that reconciliation compares with our ledger.
import { raw, sql, type Database } from '../../../db/index.ts';
import type { StatementLine } from '../../../providers/processor/port.ts';
import { pageOf } from '../store/paging.ts';
import { CHARGE_COLUMNS, type Charge } from './charges.ts';
import { keepTerms } from './terms.ts';

/** Rows per page. */
export const PAGE = 1_000;

/** Sums of one currency, minor units. */
export interface Total {
  readonly currency: string;
  /** Authorized or pending, neither captured nor given back. */
  readonly reserved: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  /** Returned or charged back to the payer and not given back since. */
  readonly taken_back: bigint;
  /** Paid out and not returned. */
  readonly paid_out: bigint;
}

/** Which kinds count into each total, and how. */
const SUMS = [
  ['reserved', 'amount', "'reserved'"],
  ['captured', 'amount', "'capture'"],
  ['refunded', 'amount', "'refund'"],
  [
    'taken_back',
    "case when kind in ('chargeback', 'return') then amount else -amount end",
    "'chargeback', 'return', 'dispute_won', 'dispute_withdrawn'",
  ],
  ['paid_out', "case kind when 'payout' then amount else -amount end", "'payout', 'payout_return'"],
].map(
  ([name, value, kinds]) =>
    `coalesce(sum(${value}) filter (where kind in (${kinds})), 0)::bigint as ${name}`,
);

/** A workspace's records: totals of all, and one page of charges in the order of their keys. */
export interface Book {
  readonly charges: readonly Charge[];
  readonly totals: readonly Total[];
  /** Cursor of the next page, or null after the last. */
  readonly next: string | null;
}

/** Reads the records in one snapshot; `after` is the `next` of the previous page, or ''. */
export async function readBook(db: Database, workspace: number, after: string): Promise<Book> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<Charge>(sql`select ${raw(CHARGE_COLUMNS)} from processor_charge
      where workspace = ${workspace} and key > ${after} order by key limit ${PAGE + 1}`);
    const totals = await tx.query<Total>(sql`select currency, ${raw(SUMS.join(', '))}
      from (
        select currency, 'reserved' as kind, amount * parts as amount
        from processor_charge where workspace = ${workspace} and state in ('authorized', 'pending')
        union all
        select currency, kind, amount from processor_statement where workspace = $1
      ) as line group by currency order by currency`);
    const { entries: charges, next } = pageOf(rows, PAGE, ({ key }) => key);
    return { charges, totals, next };
  }, 'begin isolation level repeatable read read only');
}

/** A statement row with its time. */
export interface BookLine extends StatementLine {
  readonly at: string;
}

/**
 * One page of the statement after a row, with what midnights wrote until now. Waits for writers to
 * finish first, so that no row appears later below one already shown.
 */
export async function readStatement(
  db: Database,
  workspace: number,
  after: bigint,
): Promise<readonly BookLine[]> {
  await keepTerms(db, workspace);
  return db.transaction(async (tx) => {
    await tx.query("set local lock_timeout = '2s'");
    await tx.query('lock table processor_statement in share mode');
    return tx.query<BookLine>(sql`
      select line, key, reference, kind, part, amount, currency, reason, due_by, at, fee,
        available_at
      from processor_statement where workspace = ${workspace} and line > ${after} order by line
        limit ${PAGE}`);
  });
}
