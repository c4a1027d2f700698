// Answers for what the sandbox processor shows of a whole world: its charges with totals, and its
// statement line by line, which is what reconciliation compares our books with. Reads only.
import type { Database } from '../../db/index.ts';
import type { Charge } from './charges.ts';
import { CHARGE_COLUMNS } from './charges.ts';

/** Rows of one page. */
export const PAGE = 1_000;

/** Sums of one currency, minor units. */
export interface Total {
  readonly currency: string;
  /** Reserved and neither taken nor given back. */
  readonly reserved: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
}

/** A world's book: totals of all, and one page of charges in the order of their keys. */
export interface Book {
  readonly charges: readonly Charge[];
  readonly totals: readonly Total[];
  /** Where the next page starts, or null after the last. */
  readonly next: string | null;
}

/** Reads the book in one snapshot; `after` is the `next` of the page before, or ''. */
export async function readBook(db: Database, world: number, after: string): Promise<Book> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<Charge>({
      text: `select ${CHARGE_COLUMNS} from processor_charge
        where world = $1 and key > $2 order by key limit $3`,
      values: [world, after, PAGE + 1],
    });
    const totals = await tx.query<Total>({
      text: `select currency, sum(reserved)::bigint as reserved, sum(captured)::bigint as captured,
          sum(refunded)::bigint as refunded
        from (
          select currency, amount as reserved, 0 as captured, 0 as refunded
          from processor_charge where world = $1 and state = 'authorized'
          union all
          select currency, 0, case kind when 'capture' then amount else 0 end,
            case kind when 'refund' then amount else 0 end
          from processor_statement where world = $1
        ) as line group by currency order by currency`,
      values: [world],
    });
    const charges = rows.slice(0, PAGE);
    const next = rows.length > PAGE ? (charges.at(-1)?.key ?? null) : null;
    return { charges, totals, next };
  }, 'begin isolation level repeatable read read only');
}

/** A line of the statement; minor units. */
export interface StatementLine {
  readonly line: bigint;
  readonly key: string;
  readonly reference: string;
  readonly kind: 'capture' | 'refund';
  readonly part: number;
  readonly amount: bigint;
  readonly currency: string;
  readonly at: string;
}

/** One page of the statement after a line. */
export async function readStatement(
  db: Database,
  world: number,
  after: bigint,
): Promise<readonly StatementLine[]> {
  return db.query<StatementLine>({
    text: `select line, key, reference, kind, part, amount, currency, at
      from processor_statement where world = $1 and line > $2 order by line limit $3`,
    values: [world, after, PAGE],
  });
}
