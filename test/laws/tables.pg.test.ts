// Every table that the sources declare is the one in the database: names, types and what may be
// null. A column that is spelled wrongly is found here, before a command meets it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { declared } from './declared.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** A view does not say which columns may be null. */
  readonly viewed: boolean;
}

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base?.drop());

test('every declared table is the one in the database', async () => {
  const { tables, count } = await declared();
  assert.equal(tables.length, count, 'every declared table is exported');
  assert.ok(count > 20);
  for (const { name, columns, nullable } of tables) {
    const there = await base.db.query<Column>({
      text: `select column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
          exists (select from information_schema.views v
            where v.table_schema = 'public' and v.table_name = c.table_name) as viewed
        from information_schema.columns c where table_schema = 'public' and table_name = $1`,
      values: [name],
    });
    const byName = new Map(there.map((column) => [column.name, column]));
    for (const [column, type] of Object.entries(columns)) {
      const expected = type === 'json' ? 'text' : type;
      const found = byName.get(column);
      assert.equal(found?.type, expected, `${name}.${column}`);
      const may = found?.viewed === true || found?.nullable === nullable?.includes(column);
      assert.ok(may, `${name}.${column} may be null`);
    }
  }
});
