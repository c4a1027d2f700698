// Every table that the sources declare is the one in the database: names, types and what may be
// null. A column that is spelled wrongly is found here, before a command meets it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Table } from '../../src/engine/index.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

const ROOT = new URL('../../src/', import.meta.url).pathname;
const DECLARED = /= (?:defineTable<|tableOf\()/g;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base?.drop());

/** The table that an export is, or is an index of. */
function tableIn(value: unknown): Table | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('table' in value) return tableIn(value.table);
  return 'columns' in value && 'rank' in value ? (value as Table) : null;
}

/** The tables that the sources export, alone or in an index, and how many they declare. */
async function declared(): Promise<{ readonly tables: Table[]; readonly count: number }> {
  const tables = new Set<Table>();
  let count = 0;
  for (const name of globSync('**/*.ts', { cwd: ROOT })) {
    const text = name.endsWith('.test.ts') ? '' : readFileSync(ROOT + name, 'utf8');
    const found = text.match(DECLARED)?.length ?? 0;
    if (found === 0) continue;
    count += found;
    const exports = (await import(ROOT + name)) as Record<string, unknown>;
    for (const value of Object.values(exports)) {
      const table = tableIn(value);
      if (table !== null) tables.add(table);
    }
  }
  return { tables: [...tables], count };
}

test('every declared table is the one in the database', async () => {
  const { tables, count } = await declared();
  assert.equal(tables.length, count, 'every declared table is exported');
  assert.ok(count > 20);
  for (const { name, columns, nullable } of tables) {
    const there = await base.db.query<Column>({
      text: `select column_name as name, udt_name as type, is_nullable = 'YES' as nullable
        from information_schema.columns where table_schema = 'public' and table_name = $1`,
      values: [name],
    });
    const byName = new Map(there.map((column) => [column.name, column]));
    for (const [column, type] of Object.entries(columns)) {
      const expected = type === 'json' ? 'text' : type;
      const found = byName.get(column);
      assert.equal(found?.type, expected, `${name}.${column}`);
      if (nullable === undefined) continue;
      assert.equal(found?.nullable, nullable.includes(column), `${name}.${column} may be null`);
    }
  }
});
