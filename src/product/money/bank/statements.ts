// Reads of imported statements: the newest files, and one with what became of each row that it had
// first. No row says who paid.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { OPEN_STATES } from './machine.ts';
import type { IncomingRow, Reason, SETTLED } from './tables.ts';

/** SQL: the transfer `t` waits for a person. */
const WAITS = `t.state in (${OPEN_STATES})`;

/** A statement file that was imported. Amounts are minor units. */
export interface StatementSeen {
  readonly id: string;
  readonly currency: string;
  readonly digits: number;
  readonly bank_name: string;
  readonly number: string;
  readonly format: 'camt.053' | 'csv';
  /** Null where the file states no balance. */
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  /** False where no other statement of the account begins or ends with its opening balance. */
  readonly follows: boolean;
  readonly created: Instant;
  /** Rows that no earlier file had. */
  readonly entries: number;
  /** Credits among them that wait for a person. */
  readonly open: number;
  /** Debits among them that are no payout or return of ours, such as fees of the bank. */
  readonly foreign_debits: number;
}

/** SQL: statements `s` of this source as they are seen. */
const seenOf = (source: string): string => `select s.id, b.currency, c.digits, b.bank_name,
    b.number, s.format, s.opening, s.closing, s.created, e.entries, e.open,
    e.foreign_debits, coalesce((select bool_or(s.opening in (o.opening, o.closing))
      from bank_statement o where o.workspace = s.workspace
        and o.bank_account_id = s.bank_account_id and o.id <> s.id), true) as follows
  from (${source}) s
  join bank_account b on b.workspace = s.workspace and b.id = s.bank_account_id
  join workspace_currency c on c.workspace = b.workspace and c.currency = b.currency
  cross join lateral (select count(*)::int4 as entries,
      count(*) filter (where ${WAITS})::int4 as open,
      count(*) filter (where e.settles is null and e.direction = 'debit')::int4 as foreign_debits
    from bank_entry e left join incoming_transfer t on t.workspace = e.workspace
      and t.entry_id = e.id
    where e.workspace = s.workspace and e.statement_id = s.id) e
  order by s.created desc, s.id desc`;

/** The newest statements. */
export function latestStatements(
  db: Queryable,
  workspace: number,
  most: number,
): Promise<readonly StatementSeen[]> {
  const newest = 'where workspace = $1 order by created desc, id desc limit $2';
  return db.query({
    name: 'latest_bank_statements',
    text: seenOf(`select * from bank_statement ${newest}`),
    values: [workspace, most],
  });
}

/** One statement, or null. */
export async function statementOf(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<StatementSeen | null> {
  const rows = await db.query<StatementSeen>({
    name: 'bank_statement_seen',
    text: seenOf('select * from bank_statement where workspace = $1 and id = $2'),
    values: [workspace, id],
  });
  return rows[0] ?? null;
}

/** A row of a statement, and what became of it. */
export interface EntrySeen {
  readonly id: string;
  readonly direction: 'credit' | 'debit';
  readonly amount: bigint;
  readonly booked: string;
  readonly bank_reference: string;
  /** What it settled of ours; null for an incoming transfer, or for nothing. */
  readonly settles: (typeof SETTLED)[number] | null;
  readonly transfer_id: string | null;
  readonly state: IncomingRow['state'] | null;
  readonly why: Reason | null;
}

/** The rows of a statement: those that wait for a person first, then by day. */
export function entriesOf(
  db: Queryable,
  workspace: number,
  statementId: string,
  most: number,
): Promise<readonly EntrySeen[]> {
  return db.query(prepared('bank_statement_entries')`
    select e.id, e.direction, e.amount, e.booked, e.bank_reference, e.settles,
      t.id as transfer_id, t.state, t.why
    from bank_entry e left join incoming_transfer t on t.workspace = e.workspace
      and t.entry_id = e.id
    where e.workspace = ${workspace} and e.statement_id = ${statementId}
    order by (${raw(WAITS)}) is not true, e.booked, e.id
    limit ${most}`);
}
