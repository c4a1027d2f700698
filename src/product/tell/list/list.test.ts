// Fields of CSV: nothing that a spreadsheet would run, and what was there can be read again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { column, type List } from '../../../core/list.ts';
import type { Queryable } from '../../../db/index.ts';
import { cursorOf, keyOfCursor } from './cursor.ts';
import { csvField, exportRows } from './export.ts';

test('what a spreadsheet would run begins with an apostrophe, and numbers stay numbers', () => {
  for (const [text, field] of [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['a,b', '"a,b"'],
    ['two\nlines', '"two\nlines"'],
    ['plain', 'plain'],
    [' =1', ' =1'],
    [null, ''],
  ] as const) {
    assert.equal(csvField({ kind: 'text' }, text), field);
  }
  assert.equal(csvField({ kind: 'amount' }, -1_234), '-1234');
});

const LIST: List = {
  name: 'things',
  title: 'Things',
  hint: '',
  from: 'thing',
  key: { id: 'bigint' },
  columns: { id: column.number(), said: column.text() },
  filters: {},
};

/** A table of so many rows, and the most that were asked for at once. */
function tableOf(size: number) {
  let most = 0;
  const db = {
    async query({ text, values }: { text: string; values: readonly unknown[] }) {
      const limit = Number([...text.matchAll(/limit (\d+)/g)].at(-1)?.[1]);
      const before = values.length > 1 ? Number(values[1]) : size + 1;
      const ids = Array.from({ length: Math.min(limit, before - 1) }, (_, n) => before - 1 - n);
      most = Math.max(most, ids.length);
      return ids.map((id) => ({ id, said: `=${id}`, key_0: id, key_now: null }));
    },
  } as unknown as Queryable;
  return { db, most: () => most };
}

for (const [format, first, last] of [
  ['csv', "5000,'=5000", "1,'=1"],
  ['jsonl', '{"id":5000,"said":"=5000"}', '{"id":1,"said":"=1"}'],
] as const) {
  test(`an export as ${format} has every row once, and holds a page at a time`, async () => {
    const { db, most } = tableOf(5_000);
    const parts: string[] = [];
    for await (const part of exportRows(db, 1, LIST, { filters: {}, limit: 1 }, format)) {
      parts.push(part);
    }
    const lines = parts.join('').trim().split(/\r?\n/);
    if (format === 'csv') assert.equal(lines.shift(), 'id,said');
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [5_000, first, last]);
    assert.equal(new Set(lines).size, 5_000);
    assert.ok(most() < 2_500);
  });
}

test('a cursor is read again by its list alone', () => {
  assert.deepEqual(keyOfCursor(LIST, cursorOf([7n])), ['7']);
  for (const wrong of ['', '7~8', '-1', '1e3', '7 ', 'a', '9'.repeat(16)]) {
    assert.equal(keyOfCursor(LIST, wrong), null);
  }
});
