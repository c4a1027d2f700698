// What is read and locked, seen at the database's door: rows of one tenant never stand for those of
// another, and locks are always taken in one order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable, Statement } from '../db/index.ts';
import { findKey, findRows, ImmutableRows, Loaded, lockRows } from './rows.ts';
import { tableOf, type IdRow, type Index, type Table } from '../core/table.ts';

interface LeafRow extends IdRow {
  readonly name: string;
}

function leafTable(name: string, rank: number): Table {
  const columns = { id: 'uuid', name: 'text' } as const;
  return tableOf(name, rank, columns, { remembered: 2 }) as unknown as Table;
}

/** Answers every question with the same rows; keeps what it was asked. */
function answering(rows: readonly LeafRow[]): { db: Queryable; asked: string[] } {
  const asked: string[] = [];
  const query = async (statement: Statement | string): Promise<readonly LeafRow[]> => {
    asked.push(typeof statement === 'string' ? statement : statement.text);
    return rows;
  };
  return { db: { query } as unknown as Queryable, asked };
}

const id = '00000000-0000-7000-8000-000000000001';

test('a row that is remembered for one tenant is none of another', () => {
  const table = leafTable('leaf', 1);
  const memory = new ImmutableRows();
  memory.keep(table, { workspace: 1, id, name: 'mine' } as LeafRow);
  assert.ok(memory.get(table, 1, id));
  assert.equal(memory.get(table, 2, id), undefined);
  for (const other of ['2', '3']) memory.keep(table, { workspace: 1, id: other } as LeafRow);
  assert.equal(memory.get(table, 1, id), undefined, 'the oldest goes first');
});

test('a search of two tenants in one statement gives each its own rows', async () => {
  const index = { table: leafTable('leaf', 1), column: 'name' } as unknown as Index;
  const rows = [1, 2].map((workspace): LeafRow => ({ workspace, id, name: 'same' }));
  const loaded = new Loaded();
  const requests = [1, 2, 3].map((workspace) => ({ index, workspace, value: 'same' }));
  await findRows(answering(rows).db, requests, loaded);
  const found = (workspace: number) => loaded.found.get(findKey(index, workspace, 'same'));
  assert.deepEqual([found(1), found(2), found(3)], [[rows[0]], [rows[1]], []]);
});

test('tables are locked by rank and rows by id, whatever the order of the requests', async () => {
  const tables = [leafTable('last', 9), leafTable('first', 1), leafTable('middle', 5)];
  for (const mode of ['skip', 'wait'] as const) {
    const { db, asked } = answering([]);
    await lockRows(db, tables.map((table) => ({ table, workspace: 1, id })), mode);
    const order = asked.map((text) => /from (\w+)/.exec(text)?.[1]);
    assert.deepEqual(order, ['first', 'middle', 'last']);
    for (const text of asked) {
      assert.match(text, /order by workspace, id\s+for no key update/);
      assert.equal(text.endsWith('skip locked'), mode === 'skip');
    }
  }
});
