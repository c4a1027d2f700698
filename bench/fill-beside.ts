// Stores what hangs on many sales beside their own rows: attempts, refunds, transfers, payouts,
// disputes, deposits, escrows, accounts, businesses and deliveries, in shares of the invoices. For
// measuring how they are read: histories and references of these rows are left out.
import { Database } from '../src/db/index.ts';

const AGO = `now() - interval '3 days'`;
/** An id as old as the invoice. */
const FRESH = `(left(n.id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid`;
/** SQL of a value for most rows, and others for one in so many. */
const mostly = (most: string, ...others: readonly (readonly [each: number, sql: string])[]) => {
  const rare = others.map(([each, sql]) => `when n.slot % ${each} = 0 then ${sql}`);
  return `case ${rare.join(' ')} else ${most} end`;
};

/** Rows of one table: of each so many invoices one, and SQL of the columns. */
interface Beside {
  readonly table: string;
  readonly each: number;
  readonly columns: Readonly<Record<string, string>>;
}

const MONEY = { currency: `'USD'`, amount: '1 + n.slot % 5000' };
const TIMES = {
  created: `${AGO} - n.slot * interval '1 second'`,
  updated: AGO,
};
const SENT = {
  resource_id: 'n.id',
  payment_method_id: 'n.account_id',
  version: '1',
  processor_reference: `'pr_' || n.slot`,
  updated: AGO,
};

const TABLES: readonly Beside[] = [
  {
    table: 'attempt',
    each: 3,
    columns: {
      ...{ id: FRESH, purpose: `'invoice'`, processor_token: `'t'` },
      ...{ ...MONEY, ...SENT },
      state: mostly(`'captured'`, [1_000, `'parked'`], [10, `'declined'`]),
      failure_code: mostly('null', [1_000, 'null'], [10, `'card_declined'`]),
    },
  },
  {
    table: 'transfer',
    each: 5,
    columns: {
      ...{ id: FRESH, purpose: `'refund'`, kind: `'refund'`, target: `'t'` },
      ...{ ...MONEY, ...SENT },
      state: mostly(`'paid'`, [1_000, `'parked'`], [20, `'returned'`]),
    },
  },
  {
    table: 'refund',
    each: 10,
    columns: {
      ...{ id: FRESH, invoice_id: 'n.id', refund_invoice_id: FRESH, ...MONEY, version: '1' },
      ...{ reason: `'other'`, sub_reason: `''`, parts: `'[]'`, lines: `'{}'`, ...TIMES },
      state: mostly(`'REFUND-SUCCESS'`, [50, `'REFUND-REJECTED'`]),
      counted: mostly('1 + n.slot % 5000', [50, '0']),
    },
  },
  {
    table: 'payout',
    each: 7,
    columns: {
      ...{ id: FRESH, account_id: 'n.account_id', ...MONEY, amount: '2 + n.slot % 5000' },
      ...{ source_method_id: 'n.id', source_wallet_id: 'n.id', destination_method_id: 'n.id' },
      ...{ fee_amount: '1', version: '1', ...TIMES },
      state: mostly(`'SUCCESS'`, [500, `'FUNDS-IN-ESCROW-ON-HOLD'`], [50, `'FAILED'`]),
      failure_code: mostly('null', [500, 'null'], [50, `'account_closed'`]),
      due: mostly('null', [500, `now() + interval '9 days'`]),
    },
  },
  {
    table: 'dispute',
    each: 50,
    columns: {
      ...{ id: FRESH, account_id: 'n.account_id', reversal_id: 'n.id', resource_id: 'n.id' },
      ...{ purpose: `'invoice'`, reference: `'dp_' || n.slot`, ...MONEY, reason: `'fraud'` },
      ...{ version: '1', ...TIMES, due_by: `now() + interval '9 days'` },
      state: mostly(`'lost'`, [40, `'needs_response'`], [3, `'won'`]),
    },
  },
  {
    table: 'deposit',
    each: 10,
    columns: {
      ...{ id: FRESH, account_id: 'n.account_id', wallet_id: 'n.id', ...MONEY, version: '1' },
      ...TIMES,
      state: mostly(`'success'`, [50, `'failed'`]),
      failure_code: mostly('null', [50, `'card_declined'`]),
    },
  },
  {
    table: 'incoming_transfer',
    each: 20,
    columns: {
      ...{ id: FRESH, bank_account_id: 'n.id', bank_reference: `'bk_' || n.slot`, ...MONEY },
      ...{ value_date: `'2030-01-31'`, wallet_id: 'n.id', version: '1', ...TIMES },
      state: mostly(`'credited'`, [200, `'unallocated'`]),
    },
  },
  {
    table: 'escrow',
    each: 5,
    columns: {
      // As `invoiceOf` makes one of the other.
      id: `(left(n.id::text, 35)
        || to_hex((('x' || right(n.id::text, 1))::bit(4)::int) # 1))::uuid`,
      ...{ account_id: 'n.account_id', version: '1', hold_seconds: '86400', ...TIMES },
      state: mostly(`'COMMITTED'`, [20, `'ESCROWED'`]),
      due: mostly('null', [20, `now() + interval '9 days'`]),
    },
  },
  {
    table: 'account',
    each: 5,
    columns: {
      ...{ id: FRESH, username_key: `'beside ' || n.slot`, ...TIMES },
      blocked: 'n.slot % 500 = 0',
    },
  },
  {
    table: 'ledger_account',
    each: 5,
    columns: { id: FRESH, kind: `'wallet'`, currency: `'USD'` },
  },
  {
    table: 'entity',
    each: 20,
    columns: {
      ...{ id: FRESH, account_id: FRESH, version: '1', entity_type: `''`, country: `''` },
      ...{ tax_id_given: 'false', course: `'accept'`, agents: `'[]'`, people: '1', ...TIMES },
      ...{ documents: `'[]'`, reasons: `'[]'`, rules: `'[]'` },
      state: mostly(`'ACCEPT'`, [100, `'PROCESSING'`]),
    },
  },
];

const insert = ({ table, each, columns }: Beside): string => `
  insert into ${table} (workspace, ${Object.keys(columns).join(', ')})
  select n.workspace, ${Object.values(columns).join(', ')}
  from (select workspace, id, account_id, number / ${each} as slot from numbered
    where number % ${each} = 0) n order by id on conflict do nothing`;

/** A row of the processor's statement for each payment, and each event sent to an endpoint. */
const AFTERWARDS = [
  `insert into statement_line (workspace, id, line, key, subject, reference, kind, part, amount,
      currency, verdict, why, booked)
    select workspace, gen_random_uuid(), row_number() over (partition by workspace order by id),
      id::text, id, processor_reference, 'capture', 1, amount, currency, 'matched', 'matched', true
    from attempt where state = 'captured'`,
  `insert into webhook_endpoint (workspace, id, url, state, disabled_reason, signing, created,
      updated)
    select workspace, gen_random_uuid(), 'http://127.0.0.1:9/', 'disabled', 'request', 'v1', now(),
      now() from (select distinct workspace from numbered) w`,
  `insert into delivery (workspace, endpoint_id, sequence, resource_id, state, tries, attempts,
      last_status)
    select e.workspace, p.id, e.sequence, e.resource_id,
      case when e.sequence % 1000 = 0 then 'dead' else 'delivered' end, 1, 1, 200
    from event e join webhook_endpoint p on p.workspace = e.workspace
      and p.disabled_reason = 'request'`,
];

/** Stores it for all invoices in the database at `databaseUrl` (a superuser's), once. */
export async function fillBeside(databaseUrl: string): Promise<void> {
  const settings = {
    statement_timeout: '0',
    synchronous_commit: 'off',
    work_mem: '256MB',
    session_replication_role: 'replica',
  };
  const db = new Database({ url: databaseUrl, max: 1, settings });
  try {
    await db.transaction(async (tx) => {
      await tx.execute(`create temp table numbered on commit drop as
        select workspace, id, account_id,
          row_number() over (partition by workspace order by id) as number from invoice`);
      for (const one of TABLES) await tx.execute(insert(one));
      for (const statement of AFTERWARDS) await tx.execute(statement);
    });
    await db.query('vacuum analyze');
  } finally {
    await db.close();
  }
}
