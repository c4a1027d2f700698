// A database of the first release that is supported, restored from its dump, is brought to this
// release: it then is what a fresh database is, every law holds, and a sale goes through.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startPlatform } from '../../scripts/demo/platform.ts';
import { proofs } from '../../src/catalogue.ts';
import { HEARTBEAT } from '../../src/db/heartbeat.ts';
import { finishUpgrade, isFinished, type Database } from '../../src/db/index.ts';
import { checkSchema, migrate } from '../../src/db/migrate.ts';
import { runProofs } from '../../src/ledger/index.ts';
import { documentRow } from '../../src/product/money/invoice/stored-terms.ts';
import { Api, type Ready } from '../kit/api.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { catalogueOf } from './catalogue.ts';
import { digestsOfDump, digestsOfFiles, KEY_FILE, MIGRATIONS, restoredDump } from './dump.ts';
import { narrowings, REASONS } from './expand.ts';

/** What a later release might add. */
const LATER = '9999_later.sql';
const LATER_SQL = `-- A table and a column that a later release might add.

-- What a later release keeps.
create table later (workspace integer not null, id uuid not null, primary key (workspace, id));
select append_only('later');
alter table invoice add column later text not null default 'as before';
`;

const TERMS = {
  ...{ total: 5, currency: 'USD', created: '2026-11-23T10:00:00.000001Z' },
  ...{ account_id: 'acct_01kb0000000000000000000000', lines: [], methods: [] },
};
const PACKED = documentRow(1, '019ab000-0000-7000-8000-000000000001', TERMS);

const folder = mkdtempSync(join(tmpdir(), 'holdfast-migrations-'));
const keyFile = join(folder, 'keys.json');
const later = join(folder, 'migrations');
/** The migrations of a program that does not know packed terms. */
const before0054 = join(folder, 'before');
let restored: TestDatabase;
let fresh: TestDatabase;
/** What the last release knows. */
let known: string[];
before(async () => {
  copyFileSync(KEY_FILE, keyFile);
  chmodSync(keyFile, 0o600);
  cpSync(MIGRATIONS, later, { recursive: true });
  writeFileSync(join(later, LATER), LATER_SQL);
  const filter = (path: string): boolean => !/00(?:5[4-9]|6\d)_/.test(path);
  cpSync(MIGRATIONS, before0054, { recursive: true, filter });
  [restored, fresh] = await Promise.all([restoredDump(), testDatabase()]);
  known = await catalogueOf(restored.db);
});
after(async () => {
  await restored?.drop();
  await fresh?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The migrations that the dump lacks. */
function missing(...more: string[]): string[] {
  const known = digestsOfDump();
  return [...Object.keys(digestsOfFiles()).filter((name) => !(name in known)), ...more];
}

/** Brings it to the release of a folder, and finishes the upgrade. */
async function bring(db: Database, path: string): Promise<string[]> {
  const applied = await migrate(db, pathToFileURL(`${path}/`));
  await endAnswers(db);
  assert.equal(await db.ownTransaction(finishUpgrade), null);
  return applied;
}

/** As when the answers that the last release kept have ended: a fresh database never had any. */
async function endAnswers(db: Database): Promise<void> {
  await db.execute('truncate idempotency');
  if (await isFinished(db)) await db.query(`select hash_keys('idempotency')`);
}

async function requireLaws(db: Database): Promise<void> {
  const results = await db.transaction((tx) => runProofs(tx, proofs));
  assert.deepEqual(results.filter(({ breaches }) => breaches > 0), []);
}

/** What becomes of packed terms in a database; nothing is kept. */
async function stored(db: Database): Promise<string> {
  return db.ownTransaction(async (tx) => {
    await tx.execute('begin');
    const [row] = await tx.query<{ document: string }>({
      text: 'insert into invoice_document values (1, $1, $2) returning document',
      values: [PACKED.id, PACKED.document],
    });
    await tx.execute('rollback');
    return row?.document ?? '';
  });
}

/** The unique indexes of kept answers and of their past: by their keys, or by hashes of these. */
async function indexesOfKeys(db: Database): Promise<string[]> {
  const text = `select case when indisprimary then 'keys' else 'hashes' end as by from pg_index
    where indisunique and indrelid in ('idempotency'::regclass, 'idempotency_past'::regclass)
    order by indrelid::regclass::text`;
  return (await db.query<{ by: string }>(text)).map(({ by }) => by);
}

/** What of two indexes there is, and whether each holds hashes and is whole. */
async function indexesOfAccounts(db: Database): Promise<string[]> {
  const text = `select concat_ws(' ', relname,
      case when indexprs is null then 'plain' else 'hashed' end,
      case when not indisvalid then 'half-made' end) as line
    from pg_index join pg_class on oid = indexrelid
    where relname ~ '^(?:posting_chain|invoice_account)' order by 1`;
  return (await db.query<{ line: string }>(text)).map(({ line }) => line);
}

/** Leaves what a build that was ended leaves. */
async function leaveHalfMade(to: TestDatabase): Promise<void> {
  const [writer, builder] = [to.pool(1), to.pool(1)];
  await writer.execute('begin; lock table posting in row exclusive mode');
  await builder.execute("set lock_timeout = '50ms'");
  const build = 'create index concurrently posting_chain_next on posting (line)';
  await assert.rejects(builder.execute(build), /lock timeout/);
  await writer.execute('commit');
}

test('until the upgrade is finished it stores what the last release reads', async () => {
  const { db } = restored;
  assert.deepEqual(await migrate(db, pathToFileURL(`${MIGRATIONS}/`)), missing());
  assert.equal(await isFinished(db), false);
  assert.deepEqual(JSON.parse(await stored(db)), TERMS);
  const last = restored.pool(1);
  await last.execute("set application_name = 'holdfast heartbeat'");
  const finish = (): Promise<string | null> => {
    return db.ownTransaction((tx) => finishUpgrade(tx, 'concurrently'));
  };
  assert.equal(await finish(), '1 of the nodes run an older release: replace them first.');
  await last.execute(`begin; select from invoice_document; set application_name = '${HEARTBEAT}'`);
  assert.match((await finish()) ?? '', /^Something reads all sales/);
  await last.execute('commit');
  assert.deepEqual(JSON.parse(await stored(db)), TERMS);
  assert.deepEqual(await indexesOfKeys(db), ['keys', 'keys']);
  await leaveHalfMade(restored);
  const left = ['invoice_account plain', 'posting_chain plain'];
  left.push('posting_chain_next plain half-made');
  assert.deepEqual(await indexesOfAccounts(db), left);
  assert.equal(await finish(), null);
  assert.equal(await isFinished(db), true);
  assert.deepEqual(await indexesOfAccounts(db), ['invoice_account hashed', 'posting_chain hashed']);
  assert.deepEqual(await indexesOfKeys(db), ['keys', 'hashes'], 'what is kept is not read again');
  await endAnswers(db);
  assert.deepEqual(await indexesOfKeys(db), ['hashes', 'hashes']);
  assert.equal(await stored(db), PACKED.document);
  const refused = checkSchema(db, pathToFileURL(`${before0054}/`));
  await assert.rejects(refused, /0054_packed_terms\.sql needs one that knows 0054/);
});

test('brought to this release it is what a fresh database is, and trades on', async () => {
  assert.deepEqual(await catalogueOf(restored.db), await catalogueOf(fresh.db));
  await requireLaws(restored.db);
  // As a node of that release leaves a currency that it enables after the migration.
  await restored.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute(`delete from ledger_account where kind = 'tax_collected'`);
  });
  const before = process.env['HOLDFAST_KEY_FILE'];
  process.env['HOLDFAST_KEY_FILE'] = keyFile;
  const platform = await startPlatform(restored.url);
  try {
    const ready = platform.ready as unknown as Ready;
    const api = await Api.open(ready);
    const { buyer } = ready.accounts;
    const methods = [{ payment_method_id: buyer.wallet_payment_method_id }];
    const type = { transaction_type: 'user_to_integrator', currency: 'USD' };
    const line_items = [{ ...type, amount: 900, tax: { amount: 171 } }];
    const body = api.sale(900, methods, { account_id: buyer.account_id, line_items });
    const id = await api.created(body);
    await api.pay(id);
    assert.equal((await api.finished(id)).state, 'success');
    const { ok } = await platform.holdfast('verify');
    assert.equal(ok, true);
  } finally {
    if (before === undefined) delete process.env['HOLDFAST_KEY_FILE'];
    else process.env['HOLDFAST_KEY_FILE'] = before;
    await platform.stop();
  }
});

test('programs of the last release can serve on it: nothing they know is narrowed', async () => {
  const now = await catalogueOf(fresh.db);
  assert.deepEqual(narrowings(known, now), Object.keys(REASONS).toSorted());
});

test('what narrows is seen: something gone, stricter or unlike before, and no more', async () => {
  const now = await catalogueOf(fresh.db);
  let found: string[] = [];
  const planted = fresh.db.transaction(async (tx) => {
    // Its views hold the types of what they show.
    await tx.execute('drop schema reporting_v1 cascade');
    await tx.execute(`alter table client drop column disabled, alter column name drop not null,
        alter column previous_secret_hash set not null, add column wanted text not null,
        add column fine text not null default 'yes' check (fine <> 'no'),
        add constraint client_brief check (length(name) < 99);
      alter table refund alter column counted type numeric;
      drop index wallet_workspace_account_id_currency_key;
      create table extra (workspace integer primary key, name text not null unique)`);
    found = narrowings(now, await catalogueOf(tx));
    throw new Error('planted');
  });
  await assert.rejects(planted, /^Error: planted$/);
  assert.deepEqual(found, [
    ...['column client disabled', 'column client name', 'column client previous_secret_hash'],
    ...['column client wanted', 'column refund counted', 'constraint client client_brief'],
    ...['constraint refund refund_check', 'constraint refund refund_check1'],
    'index wallet wallet_workspace_account_id_currency_key',
  ]);
});

test('statistics take every workspace for the only one', async () => {
  const odd = await fresh.db.query<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute
    where attname = 'workspace' and not attisdropped
      and attrelid in (select oid from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r')
      and 'n_distinct=1' <> all (coalesce(attoptions, '{}')) order by 1`,
  );
  assert.deepEqual(odd.map(({ name }) => name), ['workspace']);
});

test('a migration to come is applied to it as to a fresh database', async () => {
  const again = await restoredDump();
  try {
    assert.deepEqual(await bring(again.db, later), missing(LATER));
    assert.deepEqual(await bring(fresh.db, later), [LATER]);
    const lines = await catalogueOf(again.db);
    assert.deepEqual(lines, await catalogueOf(fresh.db));
    assert.ok(lines.some((line) => /^trigger .* later_append_only /.test(line)));
    await requireLaws(again.db);
    await assert.rejects(bring(again.db, MIGRATIONS), /unknown to this release: use a newer one/);
  } finally {
    await again.drop();
  }
});

test('a migration that was changed afterwards is refused', async () => {
  writeFileSync(join(later, LATER), `${LATER_SQL}-- Changed.\n`);
  await assert.rejects(bring(fresh.db, later), /9999_later.sql was changed after it was applied/);
});
