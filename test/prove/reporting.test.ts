// The reporting views, read by roles that `holdfast reporting` makes: each sees all of its tenant
// and nothing of another, whatever it tries; the entries add up to the books; and what the first
// version promised is there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemRandom } from '../../src/core/random.ts';
import { Database } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { TrialBalance } from '../../src/product/money/books/index.ts';
import {
  createReportingRole,
  removeReportingRole,
  REPORTING,
  reportingRoles,
} from '../../src/product/tenant/reporting/index.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { MIGRATIONS } from '../../src/schema.ts';
import { furnish, type Fixtures } from '../api/fixtures.ts';
import { startPlatform, type Platform, type Tenant } from '../api/kit.ts';
import { saleLine } from '../api/market.ts';
import type { Invoice } from '../api/records.ts';
import { run } from '../cli/terminal.ts';
import { installPandas, psql } from '../kit/analysts.ts';
import type { TestDatabase } from '../kit/database.ts';
import { until } from '../kit/until.ts';
import { ROOT } from '../tidy/tree.ts';

type Row = Readonly<Record<string, unknown>>;

/** A tenant, and somebody who reads its views. */
interface Analyst {
  readonly tenant: Tenant;
  readonly made: Fixtures;
  readonly role: string;
  readonly url: string;
  readonly db: Database;
}

const views = Object.keys(REPORTING);
let platform: Platform;
let base: TestDatabase;
let ada: Analyst;
let bob: Analyst;

function command(...args: string[]) {
  const env = { DATABASE_URL: base.served, HOLDFAST_OWNER_URL: base.url };
  return run({ ...env, HOLDFAST_KEY_FILE: platform.keyFile }, 'reporting', ...args);
}

/** A sale by card with a fee, of which a part goes back to the card, and one that is declined. */
async function trade({ token }: Tenant, { account, card, sellerWallet }: Fixtures): Promise<void> {
  const { api } = platform;
  const post = <T>(status: number, path: string, body: object): Promise<T> =>
    api.must<T>(status, 'invoicing', 'POST', path, { body, token });
  const line = saleLine(sellerWallet, 1_000);
  const recipients = [{ amount: 975, destination_wallet_id: sellerWallet, fee_amount: 25 }];
  const declined = { account_id: account, test_card: 'card_declined' };
  const { id: bad } = await post<{ id: string }>(201, '/sandbox/payment_methods', declined);
  for (const [method, ends] of [[card, 'success'], [bad, 'failed']] as const) {
    const payment_methods = [{ payment_method_id: method }];
    const sale = { account_id: account, payment_methods, line_items: [{ ...line, recipients }] };
    const made = await post<Invoice>(201, '/v2/invoice', sale);
    const path = `/v2/invoice/${made.invoice_id}`;
    await post(200, `${path}/pay`, {});
    await until(ends, async () => {
      const { state } = await api.must<Invoice>(200, 'invoicing', 'GET', path, { token });
      return state === ends;
    });
    if (ends === 'failed') return;
    const [line_item_id] = Object.keys(made.line_items);
    await post(200, '/v2/line-item/refund', { line_item_id, amount: 100, reason: 'other' });
  }
}

async function analyst(): Promise<Analyst> {
  const tenant = await platform.tenant();
  const made = await furnish(platform, tenant);
  await trade(tenant, made);
  const { code, out, err } = await command('create', '--integrator', tenant.integrator, '--json');
  assert.equal(code, 0, err);
  const { role, url } = JSON.parse(out) as { role: string; url: string };
  return { tenant, made, role, url, db: new Database({ url, max: 2 }) };
}

before(async () => {
  platform = await startPlatform({ before: async (database) => void (base = database) });
  ada = await analyst();
  bob = await analyst();
});
after(async () => {
  await ada?.db.close();
  await bob?.db.close();
  await platform?.stop();
});

const all = (who: Analyst, view: string): Promise<Row[]> =>
  who.db.query<Row>(`select * from reporting_v1.${view}`);

test('each analyst sees rows in every view, and none that the other sees', async () => {
  for (const view of views) {
    const [of, others] = [await all(ada, view), await all(bob, view)];
    assert.ok(of.length > 0 && others.length > 0, view);
    const ids = (rows: readonly Row[]): Set<unknown> =>
      new Set(rows.flatMap((row) => Object.values(row)).filter((one) => /-.{4}-/.test(`${one}`)));
    assert.deepEqual([...ids(of)].filter((id) => ids(others).has(id)), [], view);
    assert.ok(!JSON.stringify([...ids(of)]).includes(bob.tenant.integrator));
  }
  const [counted] = await base.db.query<{ mine: bigint }>({
    text: 'select count(*) as mine from invoice where workspace = $1',
    values: [ada.tenant.workspace],
  });
  assert.equal(BigInt((await all(ada, 'invoices')).length), counted?.mine);
});

test('the entries add up to the trial balance, by kind of account and currency', async () => {
  for (const who of [ada, bob]) {
    const { token } = who.tenant;
    const path = '/v1/trial_balance';
    const call = { token };
    const trial = await platform.api.must<TrialBalance>(200, 'invoicing', 'GET', path, call);
    const wanted = trial.currencies.flatMap(({ currency, accounts }) =>
      accounts.map(({ kind, debit, credit }) => `${kind} ${currency} ${credit - debit}`),
    );
    const sums = await who.db.query<{ text: string }>(`
      select a.kind || ' ' || e.currency || ' ' || sum(e.amount) as text
      from ledger_entries e join ledger_accounts a using (ledger_account_id)
      group by a.kind, e.currency having sum(e.amount) <> 0`);
    assert.ok(wanted.length > 3);
    assert.deepEqual(sums.map(({ text }) => text).toSorted(), wanted.toSorted());
  }
});

test('what was promised is there, in its order, and every column has its sentence', async () => {
  const found = await base.db.query<{ view: string; name: string; type: string; says: string }>(`
    select c.relname as view, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      col_description(c.oid, a.attnum) as says
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'reporting_v1'::regnamespace and c.relname <> 'bound_workspace'
    order by c.relname, a.attnum`);
  const promised = Object.entries(REPORTING).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const wanted = promised.flatMap(([view, { columns }]) =>
    Object.entries(columns).map(([name, [type, says]]) => ({ view, name, type, says })),
  );
  assert.deepEqual(found, wanted);
  const first = readFileSync(join(ROOT, 'test/migrations/reporting_v1.txt'), 'utf8').trim();
  const lines = found.map(({ view, name, type }) => `${view} ${name} ${type}`);
  assert.deepEqual(first.split('\n').filter((line) => !lines.includes(line)), []);
});

test('nothing that a view shows names a person or was typed by one', async () => {
  const typed = ['email', 'username', 'description', 'name', 'sub_reason', 'display_string'];
  for (const view of views) {
    const { columns = {} } = REPORTING[view] ?? {};
    const names = Object.keys(columns).filter((name) => view !== 'events' || name !== 'name');
    assert.deepEqual(names.filter((name) => typed.includes(name)), [], view);
    const text = JSON.stringify(await all(ada, view), (_, value) => `${value}`);
    assert.doesNotMatch(text, /@|Specimen|Example/, view);
  }
});

/** What somebody tries who knows the schema by heart, and ids of the other tenant. */
const REFUSED: readonly string[] = [
  'select * from public.invoice',
  'select * from public.reporting_role',
  'select * from public.workspace',
  'select * from reporting_v1.bound_workspace',
  'set role holdfast',
  'set session authorization holdfast',
  'create table public.mine (a int)',
  'create temporary table invoice (a int)',
  'create schema mine',
  `create function reporting_v1.leak(t text) returns bool language sql as 'select true'`,
  'create view reporting_v1.mine as select 1',
  'update public.reporting_role set role = role',
  'insert into reporting_v1.refunds default values',
  'delete from reporting_v1.payouts',
  `select turn_generation('delivery')`,
  `select workspace_now(1)`,
  `select * from dblink('', '')`,
  `copy reporting_v1.invoices to program 'true'`,
  `select pg_read_file('/etc/hosts')`,
  'alter role current_user createrole',
  'select stavalues1 from pg_statistic',
];

test('everything else is refused', async () => {
  for (const sql of REFUSED) {
    const work = ada.db.transaction((tx) => tx.query(sql), 'begin read write');
    await assert.rejects(work, /permission denied|must be|cannot (?:insert|delete)|dblink/, sql);
  }
});

test('no trick in a query meets a row of the other tenant', async () => {
  const theirs = bob.made.invoice;
  const [seen] = await bob.db.query<Row>(
    `select count(*)::int as n from invoices where invoice_id = '${theirs}'`,
  );
  assert.equal(seen?.['n'], 1);
  const nothing = [
    `select * from invoices where invoice_id = '${theirs}'`,
    // Fails at the first row that is not a number, if it is asked about rows of others.
    `select * from invoices where invoice_id::text = '${theirs}' or 1 / (case
      when invoice_id = '${theirs}' then 0 else 1 end) = 0`,
    `select * from payouts where amount / (case when account_id::text = 'x' then 0 else 1 end) < 0
      and payout_id = '${bob.made.payout}'`,
    `select * from ledger_entries where resource_id = '${theirs}'`,
    `select i.* from invoices i join events e on e.resource_id = '${theirs}'`,
    `select * from pg_stats where schemaname = 'public'`,
    `select * from pg_stat_activity where query !~ '^<insuff|^$|pg_stat_activity'`,
  ];
  for (const sql of nothing) {
    for (const planned of ['', 'set enable_seqscan = off', 'set enable_indexscan = off']) {
      const rows = await ada.db.transaction(async (tx) => {
        if (planned !== '') await tx.execute(planned);
        return tx.query<Row>(sql);
      });
      assert.deepEqual(rows, [], sql);
    }
  }
});

test('a plan tells nothing of values, and conditions come after the tenant', async () => {
  for (const view of views) {
    const [column = ''] = Object.keys(REPORTING[view]?.columns ?? {});
    const sql = `explain select * from ${view} where ${column}::text > ''`;
    const lines = await ada.db.query<{ 'QUERY PLAN': string }>(sql);
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(plan, /^Subquery Scan on \w+ .*\n +Filter: .*::text/, `${view}: ${plan}`);
  }
  // By statistics, an estimate would tell how many amounts of others are larger.
  await base.db.execute('analyze posting');
  const estimate = async (db: Database, from: string, amount: number): Promise<string> => {
    const sql = `explain select * from ${from} where amount > ${amount}`;
    const [first] = await db.query<{ 'QUERY PLAN': string }>(sql);
    return /rows=\d+/.exec(first?.['QUERY PLAN'] ?? '')?.[0] ?? '';
  };
  const told = async (db: Database, from: string): Promise<boolean> =>
    (await estimate(db, from, -(10 ** 9))) !== (await estimate(db, from, 10 ** 9));
  assert.equal(await told(base.db, 'posting'), true);
  assert.equal(await told(ada.db, 'ledger_entries'), false);
});

test('a role is limited, read-only by default, and dead once it is removed', async () => {
  const { out } = psql(ada.url, `select current_setting('statement_timeout'),
    current_setting('default_transaction_read_only'), current_setting('timezone'), rolconnlimit,
    rolsuper or rolcreaterole or rolcreatedb or rolbypassrls
    from pg_roles where rolname = current_user`);
  assert.equal(out.split('\n')[1], '1min,on,UTC,5,f');
  const [stored] = await base.db.query<{ rolpassword: string }>({
    text: 'select rolpassword from pg_authid where rolname = $1',
    values: [ada.role],
  });
  assert.match(stored?.rolpassword ?? '', /^SCRAM-SHA-256\$/);
  const { tenant } = ada;
  const third = await command('create', '--integrator', tenant.integrator, '--json');
  const { role, url } = JSON.parse(third.out) as { role: string; url: string };
  const open = new Database({ url, max: 1 });
  assert.ok((await open.query('select from invoices')).length > 0);
  assert.match((await command('list')).out, new RegExp(`${role} +${tenant.integrator} .* exists`));
  assert.equal((await command('remove', role)).code, 0);
  await assert.rejects(open.query('select from invoices').then((rows) => {
    if (rows.length === 0) throw new Error('nothing');
  }), /nothing|invalid|does not exist/);
  await open.close();
  await assert.rejects(new Database({ url, max: 1 }).query('select 1'), /authentication failed/);
  assert.match((await command('remove', role)).err, /There is no such role/);
  const nobody = await command('create', '--integrator', '0'.repeat(8));
  assert.match(nobody.err, /There is no such tenant/);
});

test("psql and pandas read the views by the page's own examples", async () => {
  const page = readFileSync(join(ROOT, 'docs/reporting.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sql\n([^]*?)^```/gm)].map(([, sql = '']) => sql);
  assert.ok(blocks.length >= 3);
  for (const sql of blocks) {
    const { status, out, err } = psql(ada.url, sql);
    assert.equal(status, 0, err);
    assert.notEqual(out, '', sql);
  }
  const program = join(ROOT, 'docs/examples/reporting.py');
  const env = { ...process.env, REPORTING_URL: ada.url };
  const { status, stdout, stderr } = spawnSync(installPandas(), [program], {
    ...{ encoding: 'utf8', env },
  });
  assert.equal(status, 0, stderr);
  const [head, row = ''] = stdout.split('\n');
  assert.equal(head, 'month,currency,seller,gross_amount,amount');
  assert.match(row, /^\d{4}-\d\d-01/);
  assert.equal(row.split(',').slice(1).join(), `USD,${ada.made.seller},1000,25`);
});

test('an owner that is no superuser makes readers once it may make roles', async () => {
  const name = `plain_${base.url.slice(-12)}`;
  await base.db.execute(`create role ${name} login password 'plain'`);
  await base.db.execute(`create database ${name} owner ${name}`);
  const address = new URL(base.url);
  address.pathname = `/${name}`;
  const admin = new Database({ url: address.href, max: 1 });
  [address.username, address.password] = [name, 'plain'];
  const owner = new Database({ url: address.href, max: 2 });
  try {
    await migrate(owner, MIGRATIONS);
    const wish = { name: 'Plain', currencies: ['USD'] };
    const { integrator } = await createWorkspace(owner, wish);
    const make = () => createReportingRole(owner, systemRandom, integrator);
    await assert.rejects(make, new RegExp(`may not create roles.*alter role ${name} createrole`));
    await admin.execute(`alter role ${name} createrole`);
    const made = await make();
    assert.ok(made);
    [address.username, address.password] = [made.role, made.password];
    assert.equal(psql(address.href, 'select * from invoices').status, 0);
    assert.equal(psql(address.href, 'select * from public.invoice').status, 1);
    assert.equal(await removeReportingRole(owner, made.role), true);
    assert.deepEqual(await reportingRoles(owner), []);
  } finally {
    await Promise.all([admin.close(), owner.close()]);
    await base.db.execute(`drop database ${name} with (force)`);
    await base.db.execute(`drop role ${name}`);
  }
});
