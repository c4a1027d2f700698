// A line item's id leads to its invoice: it is near the invoice's id, never equal to it or to
// another invoice of the same escrow, and the invoice is found from the documents alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '../../../db/index.ts';
import { isUuid, millisOfUuid, newUuid } from '../../../core/ids.ts';
import { invoiceOfLine, lineItemId, subitemIds } from './line-id.ts';

test('a line or subitem has a UUID of its own of the same moment, however many there are', () => {
  for (const id of [newUuid(), `${newUuid().slice(0, 24)}ffffffffffff`]) {
    const lines = Array.from({ length: 50_000 }, (_, at) => lineItemId(id, at));
    const subitems = Array.from({ length: 50_000 }, subitemIds(id, lines.length));
    const all = new Set([...lines, ...subitems]);
    assert.equal(all.size, lines.length + subitems.length);
    for (const line of all) {
      assert.ok(isUuid(line) && millisOfUuid(line) === millisOfUuid(id));
      assert.equal(line.slice(14, 30), id.slice(14, 30));
      assert.equal(line.at(-1), id.at(-1));
      assert.notEqual(line, id);
    }
  }
});

/** Documents by id; answers the query as the primary key would. */
function store(documents: Readonly<Record<string, object>>): Queryable {
  return {
    async query<R>(statement: { values?: readonly unknown[] } | string): Promise<R[]> {
      assert.ok(typeof statement !== 'string');
      const [, from, to] = statement.values as [number, string, string];
      const found = Object.entries(documents).filter(([id]) => id >= from && id <= to);
      return found.map(([id, document]) => ({ id, document: JSON.stringify(document) })) as R[];
    },
  };
}

test('the invoice of a line is found among its neighbours', async () => {
  const id = `${newUuid().slice(0, -1)}1`;
  const line = lineItemId(id, 2);
  const beside = `${id.slice(0, -1)}2`;
  const lines = (...ids: string[]) => ({ lines: ids.map((one) => ({ id: one })) });
  const db = store({
    [id]: lines(lineItemId(id, 0), line),
    [beside]: lines(newUuid()),
    [newUuid()]: lines(newUuid()),
  });
  assert.equal((await invoiceOfLine(db, 1, line))?.id, id);
  assert.equal(await invoiceOfLine(db, 1, lineItemId(id, 1)), null);
  assert.equal(await invoiceOfLine(db, 1, newUuid()), null);
  assert.equal(await invoiceOfLine(db, 1, 'nothing'), null);
});
