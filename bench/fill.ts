// Stores many invoices by copying settled ones with everything that belongs to them, and continues
// balances and event stream, so that every law still holds. Every trigger and constraint checks the
// copies as it checks a sale's own rows.
import { Database } from '../src/db/index.ts';
import type { Transaction } from '../src/db/index.ts';

/** Most source invoices, and copies per transaction. */
const SOURCES = 2000;
const CHUNK = 50_000;
/** How long the sources' events may wait for their sequence number. */
const SEALING_LIMIT_MS = 30_000;

/** The copies of a chunk: source invoice, new id and number. */
const COPIES = `
  create temp table copies on commit drop as
  select s.workspace, s.id as old_id, g.number,
    (lpad(to_hex(g.millis), 12, '0') || '7' || substr(g.noise, 1, 3)
      || '8' || substr(g.noise, 4, 15))::uuid as new_id
  from (select n as number, md5(n || ':' || random()) as noise,
      extract(epoch from now())::bigint * 1000 - 10000000 + n as millis
    from generate_series($1::bigint, $2::bigint) n) g
  join copied_from s on s.slot = g.number % $3::bigint`;

/** A copied table: how its rows name the invoice, and what differs in a copy. */
interface Copied {
  readonly table: string;
  readonly names: string;
  readonly changes: Readonly<Record<string, string>>;
  /** A definition of the window \`w\`, if a change needs one. */
  readonly window?: string;
  readonly joins?: string;
  /** Where the copies go; absent: the table itself. */
  readonly into?: string;
}

/** In the order that foreign keys require. `s` is the source row, `c` the copy. */
const TABLES: readonly Copied[] = [
  {
    table: 'invoice_document',
    names: 'id',
    changes: { document: 'replace(s.document, c.old_id::text, c.new_id::text)' },
  },
  {
    table: 'step',
    names: 'resource_id',
    // As random as a caller's, and the same for the steps of one request.
    changes: { request_id: 'md5(s.request_id::text || c.new_id)::uuid' },
  },
  { table: 'invoice', names: 'id', changes: {} },
  {
    table: 'posting',
    names: 'resource_id',
    into: 'copied_posting',
    joins: 'left join balance b on b.workspace = s.workspace and b.id = s.account_id',
    window:
      'w as (partition by s.workspace, s.account_id, s.account_version is null ' +
      'order by c.number, s.version, s.line)',
    changes: {
      account_version:
        'case when s.account_version is not null then b.version + row_number() over w end',
      balance_after:
        'case when s.account_version is not null then b.amount + sum(s.amount) over w end',
    },
  },
  {
    table: 'idempotency',
    names: 'record_id',
    changes: { scope: `left(encode(sha256((s.scope || c.new_id)::bytea), 'base64'), 22)` },
  },
  {
    table: 'event',
    names: 'resource_id',
    joins:
      'join seal on seal.workspace = s.workspace ' +
      // In the order of their time, as the engine numbers them.
      `cross join lateral (select c.number as each,
         (left(c.new_id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid as id) fresh`,
    window: 'w as (partition by s.workspace order by c.number, s.sequence)',
    changes: {
      event_id: 'fresh.id',
      sequence: 'seal.sequence + row_number() over w',
      body:
        `regexp_replace(replace(replace(s.body, c.old_id::text, c.new_id::text), ` +
        `s.event_id::text, fresh.id::text), '"sequence":\\d+', ` +
        `'"sequence":' || (seal.sequence + row_number() over w))`,
    },
  },
];

/**
 * Ledger entries and balances in one statement, after which the triggers of both find them in
 * agreement; then the stream's position.
 */
const AFTERWARDS = [
  `with credited as (
     update balance b set version = b.version + p.n, amount = b.amount + p.s
     from (select workspace, account_id, count(*)::int as n, sum(amount)::bigint as s
       from copied_posting where account_version is not null group by 1, 2) p
     where b.workspace = p.workspace and b.id = p.account_id)
   insert into posting select * from copied_posting`,
  `update seal set sequence = greatest(seal.sequence,
     (select coalesce(max(e.sequence), 0) from event e where e.workspace = seal.workspace))`,
];

/** The statement that copies one table; its columns are read from the database. */
async function copyStatement(tx: Transaction, copied: Copied): Promise<string> {
  const columns = await tx.query<{ name: string }>({
    text: `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    values: [copied.table],
  });
  const names = columns.map((column) => column.name);
  const values = names.map(
    (name) => copied.changes[name] ?? (name === copied.names ? 'c.new_id' : `s.${name}`),
  );
  const into = copied.into ?? copied.table;
  return (
    `insert into ${into} (${names.join(', ')}) select ${values.join(', ')} ` +
    `from copies c join ${copied.table} s on s.workspace = c.workspace
      and s.${copied.names} = c.old_id ` +
    `${copied.joins ?? ''}${copied.window === undefined ? '' : ` window ${copied.window}`}`
  );
}

/** Selects what will be copied and waits until its events are sealed; returns how many invoices. */
async function takeSources(db: Database): Promise<number> {
  for (let waited = 0; waited < SEALING_LIMIT_MS; waited += 100) {
    const [row] = await db.query<{ n: number }>('select count(*)::int as n from outbox');
    if (row?.n === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await db.query(
    `create temp table copied_from as select workspace, id, row_number() over (order by id) - 1 as
      slot
     from (select workspace, id from invoice where state = 'success' order by id desc
       limit ${SOURCES}) latest`,
  );
  const [row] = await db.query<{ n: number }>('select count(*)::int as n from copied_from');
  return row?.n ?? 0;
}

/**
 * Stores `count` more settled invoices in the database at `databaseUrl` (a superuser's). Needs some
 * settled invoices to copy, whose buyers' wallets hold enough for all copies.
 */
export async function fill(databaseUrl: string, count: number): Promise<void> {
  const settings = {
    statement_timeout: '0',
    synchronous_commit: 'off',
    work_mem: '128MB',
  };
  const db = new Database({ url: databaseUrl, max: 1, settings });
  try {
    const sources = await takeSources(db);
    if (sources === 0) throw new Error('there is no settled invoice to copy');
    for (let from = 1; from <= count; from += CHUNK) {
      const to = Math.min(from + CHUNK - 1, count);
      await db.transaction(async (tx) => {
        await tx.execute({ text: COPIES, values: [from, to, sources] });
        await tx.execute('analyze copies');
        await tx.execute('create temp table copied_posting (like posting) on commit drop');
        for (const copied of TABLES) await tx.execute(await copyStatement(tx, copied));
        for (const statement of AFTERWARDS) await tx.execute(statement);
      });
    }
  } finally {
    await db.close();
  }
}
