// The habits that keep a second installation and a larger one possible, as the catalog and the
// sources show them. test/prove/statements.test.ts holds the plans of all statements to them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { literalsOf } from './sql-text.ts';
import { filesOf, isTest } from './tree.ts';
import { asksClock, changes, isExcused } from './habits.ts';
import { DIRECTORY_KEYS, DIRECTORY_WRITERS, OWN_CLOCK } from './habits.ts';

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base?.drop());

/** SQL: each table, and whether its rows are found by the tenant. */
const TABLES = `select t.oid, t.relname as name, coalesce(a.attname = 'workspace', false) as tenant
  from pg_class t left join pg_index i on i.indrelid = t.oid and i.indisprimary
  left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
  where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')`;

const named = (rows: readonly { readonly name: string }[]): string[] =>
  rows.map(({ name }) => name);

test('no global directory refers into the tables of a tenant', async () => {
  const keys = await base.db.query<{ name: string }>(`with t as (${TABLES})
    select c.conname as name from pg_constraint c
    join t d on d.oid = c.conrelid and not d.tenant join t o on o.oid = c.confrelid and o.tenant
    where c.contype = 'f' order by 1`);
  assert.deepEqual(named(keys), Object.keys(DIRECTORY_KEYS).toSorted());
});

test('no trigger writes across directories and tenants, but where access ends', async () => {
  const tables = await base.db.query<{ name: string; tenant: boolean }>(TABLES);
  const triggers = await base.db.query<{ name: string; tenant: boolean; text: string }>(
    `with t as (${TABLES}) select g.tgname as name, t.tenant,
      p.prosrc || coalesce((select string_agg(q.prosrc, ' ') from pg_proc q
        where q.pronamespace = t.relnamespace
          and p.prosrc ~ ('(perform|select) ' || q.proname || '\\(')), '') as text
    from pg_trigger g join (select t.*, c.relnamespace from t join pg_class c using (oid)) t
      on t.oid = g.tgrelid
    join pg_proc p on p.oid = g.tgfoid where not g.tgisinternal order by 1`);
  assert.ok(triggers.length > 50, 'the triggers were found');
  const isTenant = new Map(tables.map(({ name, tenant }) => [name, tenant]));
  const across = triggers.filter(({ tenant, text }) =>
    [...text.matchAll(/\b(?:insert into|update|delete from) (\w+)/g)].some(
      ([, table = '']) => isTenant.has(table) && isTenant.get(table) !== tenant,
    ),
  );
  assert.deepEqual(named(across), Object.keys(DIRECTORY_WRITERS).toSorted());
});

test('no statement finds a row by its place', () => {
  const found = filesOf('src/**/*.ts').filter(({ text }) => /\bctid\b/.test(text));
  assert.deepEqual(found.map(({ path }) => path), []);
});

test('no update or deletion of the sources or of a function asks a clock', async () => {
  const files = filesOf('src/**/*.ts').filter(({ path }) => !isTest(path));
  const literals = files.flatMap(({ path, text }) => {
    return literalsOf(text).map((literal) => ({ place: path, literal }));
  });
  const functions = await base.db.query<{ place: string; literal: string }>(
    `select proname as place, unnest(string_to_array(prosrc, ';')) as literal from pg_proc
      where pronamespace = 'public'::regnamespace`,
  );
  const changing = [...literals, ...functions].filter(({ literal }) => changes(literal));
  assert.ok(changing.length > 150, 'the statements were found');
  const asking = changing.filter(({ literal }) => {
    return asksClock(literal) && !isExcused(literal.replaceAll(/\s+/g, ' ').trim(), OWN_CLOCK);
  });
  assert.deepEqual(asking.map(({ place, literal }) => `${place}: ${literal}`), []);
});
