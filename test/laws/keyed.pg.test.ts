// Every row is found by a whole key that includes the workspace, in the plans that the engine's
// connections make and keep. A plan by workspace alone reads all its rows for each one. The tables
// are filled with meaningless rows for the planner.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '../../src/db/index.ts';
import { ENGINE_SETTINGS, type Table } from '../../src/engine/index.ts';
import { ImmutableRows, Loaded, lockRows, readRows } from '../../src/engine/rows.ts';
import { newUuid } from '../../src/core/ids.ts';
import { testDatabase } from '../kit/database.ts';

/** So many that an older PostgreSQL prefers a hundred key look-ups to scanning a workspace. */
const WORKSPACES = 2_000;
/** Fewer than PostgreSQL waits for before it takes statistics by itself. */
const FEW = 5;

interface Keyed {
  readonly name: string;
  /** One of the keys, with the workspace among its columns. */
  readonly key: readonly string[];
  readonly types: readonly string[];
  /** Drops what holds the rows to a meaning. */
  readonly loosen: string;
  /** Writes one row for each workspace from $1 to $2. */
  readonly fill: string;
}

/** Something of each type, about the number `g` of a workspace. */
const ANY_VALUE = `case format_type(a.atttypid, null)
  when 'uuid' then 'gen_random_uuid()' when 'text' then 'g::text' when 'bytea' then '''x'''
  when 'boolean' then 'true' when 'interval' then '''1 s''' when 'date' then 'current_date'
  when 'timestamp with time zone' then 'now() + g * interval ''1 s'''
  else case when a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) then 'g'
    else '''{}''' end end`;

const KEYED = `select t.relname as name, k.key, k.types,
    (select string_agg(format('alter table %I drop constraint %I', t.relname, conname), ';')
      from pg_constraint where conrelid = t.oid and contype = 'c') as loosen,
    (select format('insert into %I (%s) overriding system value select %s
          from generate_series($1::int, $2::int) g', t.relname,
        string_agg(quote_ident(a.attname), ', '), string_agg(${ANY_VALUE}, ', '))
      from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '') as fill
  from pg_class t join pg_index p on p.indrelid = t.oid and p.indisunique and p.indpred is null
  cross join lateral (select array_agg(a.attname::text order by n) as key,
      array_agg(format_type(a.atttypid, null) order by n) as types
    from unnest(p.indkey::int2[]) with ordinality i(number, n)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.number) k
  where t.relnamespace = 'public'::regnamespace and 'workspace' = any(k.key) and k.key[2] <> ''`;

/** One row, rows of a list, an update of such; and what the engine asks where a row has an id. */
async function lookUp(db: Queryable, { name, key, types }: Keyed): Promise<void> {
  const one = key.map((column, at) => `${column} = $${at + 1}`).join(' and ');
  const lists = types.map((type, at) => `$${at + 1}::${type}[]`).join(', ');
  const from = `unnest(${lists}) as n(${key.join(', ')})`;
  const same = key.map((column) => `t.${column} = n.${column}`).join(' and ');
  const values = key.map(() => null);
  await db.query({ text: `select * from ${name} where ${one}`, values });
  await db.query({ text: `select t.* from ${from} join ${name} t on ${same}`, values });
  const text = `update ${name} t set workspace = t.workspace from ${from} where ${same}`;
  await db.query({ text, values });
  if (key.join() !== 'workspace,id' || types[1] !== 'uuid') return;
  const table: Table = { name, rank: 0, columns: { workspace: 'int4' } };
  const request = { table, workspace: 1, id: newUuid() };
  await readRows(db, [request], new Loaded(), new ImmutableRows());
  await lockRows(db, [request], 'wait');
}

/** Columns that find a handful of rows by themselves. */
const SELECTIVE = ['id', 'matched_account_id'];

/** The plans that look by less than the key, and by none of those columns. */
async function workspacePlans(db: Queryable, keys: readonly Keyed[]): Promise<string[]> {
  const found: string[] = [];
  for (const keyed of keys) {
    const explained: Queryable = {
      async query({ text, values }: { text: string; values: readonly unknown[] }) {
        const nulls = values.map(() => 'null').join(', ');
        await db.query(`prepare look_up as ${text}`);
        const explain = `explain execute look_up (${nulls})`;
        const lines = await db.query<{ 'QUERY PLAN': string }>(explain);
        await db.query('deallocate look_up');
        const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
        const [condition = ''] = /Index Cond: .*/.exec(plan) ?? [];
        const by = (column: string): boolean => new RegExp(`\\b${column} = `).test(condition);
        if (!SELECTIVE.some(by) && !keyed.key.every(by)) found.push(`${text}\n${plan}`);
        return [];
      },
    } as Queryable;
    await lookUp(explained, keyed);
  }
  return found;
}

test('by its key: without rows, without statistics, with one row in each workspace', async () => {
  const base = await testDatabase();
  try {
    await base.pool(1, ENGINE_SETTINGS).transaction(async (tx) => {
      const keys = await tx.query<Keyed>(KEYED);
      const tables = [...new Map(keys.map((key) => [key.name, key])).values()];
      assert.ok(tables.length > 50);
      assert.deepEqual(await workspacePlans(tx, keys), []);
      await tx.execute('set local session_replication_role = replica');
      for (const { loosen, fill } of tables) {
        if (loosen !== null) await tx.execute(loosen);
        await tx.execute({ text: fill, values: [1, FEW] });
      }
      assert.deepEqual(await workspacePlans(tx, keys), []);
      for (const { name, fill } of tables) {
        await tx.execute({ text: fill, values: [FEW + 1, WORKSPACES] });
        await tx.execute(`analyze ${name}`);
      }
      assert.deepEqual(await workspacePlans(tx, keys), []);
    });
  } finally {
    await base.drop();
  }
});
