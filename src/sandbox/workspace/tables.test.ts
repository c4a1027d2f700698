// The list of copied tables against the database: every table of a workspace is listed, nothing
// that is unique beyond a workspace is duplicated, and no reference is left dangling.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../test/kit/database.ts';
import { Refusal } from '../../core/refusal.ts';
import { WAITING } from './archive.ts';
import { snapshotUnknown } from './refusals.ts';
import { storedOf, type Frozen } from './snapshot-storage.ts';
import { COPIED, NOT_COPIED } from './index.ts';

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base.drop());

const copied = COPIED.map(({ name }) => name);

test('every table with a workspace is copied, or is not for a reason', async () => {
  const rows = await base.db.query<{ name: string }>(
    `select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace' and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        and c.relname not like 'stored\\_%'
        and not exists (select from pg_inherits where inhrelid = c.oid)`,
  );
  const listed = [...copied, ...Object.keys(NOT_COPIED)];
  assert.deepEqual(rows.map(({ name }) => name).sort(), listed.toSorted());
  assert.equal(new Set(listed).size, listed.length, 'a table is listed twice');
});

test('what is said of a column is said of one that is there', async () => {
  const rows = await base.db.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns
      where table_schema = 'public'`,
  );
  const places = new Set(rows.map(({ place }) => place));
  for (const { name, empty = [], moved = [], other = {}, replaced = [] } of COPIED) {
    for (const column of [...empty, ...moved, ...Object.keys(other), ...replaced]) {
      assert.ok(places.has(`${name}.${column}`), `${name}.${column}`);
    }
  }
});

test('leases stay behind; what waits in real time is moved, and stilled at the end', async () => {
  const rows = await base.db.query<{ name: string }>({
    text: `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'lease' and table_name = any ($1)`,
    values: [copied],
  });
  const of = (name: string) => COPIED.find((table) => table.name === name);
  // Of deliveries only ended ones are copied.
  const leased = rows.map(({ name }) => name).filter((name) => name !== 'delivery');
  assert.equal(leased.length, 6);
  for (const name of leased) assert.deepEqual(of(name)?.empty, ['lease', 'leased_until'], name);
  for (const name of WAITING) {
    const { moved = [], other = {} } = of(name) ?? {};
    assert.ok(moved.includes('due') || 'due' in other, name);
  }
  const due = COPIED.filter(({ moved = [] }) => moved.includes('due')).map(({ name }) => name);
  assert.deepEqual([...due, 'statement_cursor'].toSorted(), WAITING.toSorted());
});

test('what is unique beyond a workspace is other in a copy', async () => {
  const rows = await base.db.query<{ name: string; columns: string[] }>({
    text: `select c.relname as name, array_agg(a.attname::text order by a.attname) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indisunique and c.relname = any($1)
      group by c.relname, i.indexrelid having not 'workspace' = any(array_agg(a.attname::text))`,
    values: [copied],
  });
  const places = rows.map(({ name, columns }) => [name, columns.join()]);
  assert.deepEqual(places, [['processor_entry', 'secret_hash']]);
});

test('what a copied row refers to is copied, or is no part of a workspace', async () => {
  const rows = await base.db.query<{ name: string; target: string }>({
    text: `select distinct c.conrelid::regclass::text as name, c.confrelid::regclass::text as target
      from pg_constraint c where c.contype = 'f' and c.conrelid::regclass::text = any($1)`,
    values: [copied],
  });
  const outside = new Set(['workspace', 'client', 'operator', 'terms_version']);
  const apart = new Set(COPIED.filter((table) => table.apart === true).map(({ name }) => name));
  for (const { name, target } of rows) {
    assert.ok(copied.includes(target) || outside.has(target), `${name} refers to ${target}`);
    if (outside.has(target)) continue;
    assert.equal(apart.has(name), apart.has(target), `${name} and ${target} are written together`);
  }
});

test('identity numbers and generated columns are known ones', async () => {
  const rows = await base.db.query<{ name: string }>({
    text: `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attgenerated <> '' and c.relname = any($1)`,
    values: [copied],
  });
  assert.deepEqual(rows, [], 'a generated column cannot be copied');
});

test('a snapshot table is made once, and anew where its table has other columns', async () => {
  const first = base.pool(1);
  const { shape } = await storedOf(first);
  await base.db.execute('insert into stored_seal (workspace, sequence, snapshot) values (1, 1, 1)');
  assert.equal((await storedOf(base.pool(1))).shape, shape);
  const kept = await base.db.query('select from stored_seal');
  assert.equal(kept.length, 1, 'a snapshot table that fits stays');
  await base.db.execute('alter table seal add column more text');
  const changed = await storedOf(base.pool(1));
  assert.notEqual(changed.shape, shape);
  assert.deepEqual(await base.db.query('select more from stored_seal'), []);
  await base.db.execute('alter table seal drop column more');
});

test('a column that may be empty from now on may be empty in the snapshot', async () => {
  const { shape } = await storedOf(base.pool(1));
  await base.db.execute('alter table account alter column created drop not null');
  assert.notEqual((await storedOf(base.pool(1))).shape, shape);
  const [column] = await base.db.query<{ held: boolean }>(
    `select attnotnull as held from pg_attribute
      where attrelid = 'stored_account'::regclass and attname = 'created'`,
  );
  assert.equal(column?.held, false);
  await base.db.execute('alter table account alter column created set not null');
});

test('a snapshot that was deleted before its copy is refused, and is no fault', async () => {
  const stored = await storedOf(base.pool(1));
  const gone = { number: 7, taken: new Date().toISOString(), tables: ['account'], row_count: 3n };
  const restored = stored.restore(1_000_000_000, gone as Frozen, null);
  await assert.rejects(restored, (error) => error instanceof Refusal
    && error.spec === snapshotUnknown);
});
