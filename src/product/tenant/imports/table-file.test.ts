// Reading CSV files: what spreadsheets write is read, what cannot be trusted is refused by line and
// code, and no error holds a cell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeaderRefused, readTable, type TableRow } from './table-file.ts';
import type { RowRefusal } from './row-codes.ts';

const COLUMNS = { account: true, name: false, city: false };

/** In pieces of `size` bytes, so that a character or a line end may be split. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(given: string | Uint8Array, size = 3): Promise<(TableRow | RowRefusal)[]> {
  const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
  const rows: (TableRow | RowRefusal)[] = [];
  for await (const row of readTable(pieces(bytes, size), COLUMNS)) rows.push(row);
  return rows;
}

const codes = (rows: readonly (TableRow | RowRefusal)[]): string[] =>
  rows.map((row) => ('code' in row ? `${row.line} ${row.code}` : `${row.line} read`));

test('a mark of byte order, CRLF, quotes, commas and line breaks in quotes are read', async () => {
  const text = '\uFEFFaccount,name\r\n1,"Ada, ""A"""\r\n\r\n2,"two\r\nlines"\r\n3,Zoë';
  for (const size of [1, 2, 7, 4_096]) {
    assert.deepEqual(await read(text, size), [
      { line: 2, cells: { account: '1', name: 'Ada, "A"', city: '' } },
      { line: 5, cells: { account: '2', name: 'two\r\nlines', city: '' } },
      { line: 6, cells: { account: '3', name: 'Zoë', city: '' } },
    ]);
  }
});

test('columns may stand in any order, and a text like a formula is a text', async () => {
  const rows = await read('name,account\n=HYPERLINK("x"),1\n"=1+1",2\n');
  assert.deepEqual(codes(rows), ['2 QUOTES_INVALID']);
  const [row] = await read('name,account\n"=1+1",2\n');
  assert.deepEqual(row, { line: 2, cells: { account: '2', name: '=1+1', city: '' } });
});

test('a row that is short, long or holds NUL is refused, and the next one is read', async () => {
  const rows = await read('account,name\n1\n2,x,y\n3,a\u0000b\n4,z\n');
  assert.deepEqual(codes(rows), ['2 ROW_COLUMNS', '3 ROW_COLUMNS', '4 ROW_NUL', '5 read']);
});

test('nothing is read after open quotes, an endless row or bytes that are not UTF-8', async () => {
  const open = await read('account,name\n1,a\n2,"b\n3,c\n');
  assert.deepEqual(codes(open), ['2 read', '3 QUOTES_INVALID']);
  const long = await read(`account,name\n1,a\n2,${'x'.repeat(70_000)}\n3,c\n`, 4_096);
  assert.deepEqual(codes(long), ['2 read', '3 ROW_TOO_LONG']);
  const bytes = Buffer.concat([Buffer.from('account,name\n1,a\n2,'), Buffer.from([0xff, 0x0a])]);
  const foreign = await read(bytes, 8);
  assert.equal(codes(foreign).at(-1)?.split(' ')[1], 'FILE_UNREADABLE');
});

test('a header with an unknown, doubled or missing column is refused whole', async () => {
  const cases: [string, RegExp][] = [
    ['', /is empty/],
    ['account,password\n', /unknown column; there are account, name, city\.$/],
    ['Account\n', /unknown column/],
    ['account,name,name\n', /twice/],
    ['name\n', /must name the columns account/],
    ['"account\n', /cannot be read/],
  ];
  for (const [text, sentence] of cases) {
    await assert.rejects(read(text), (error) => {
      assert.ok(error instanceof HeaderRefused, text);
      assert.match(error.message, sentence);
      assert.doesNotMatch(error.message, /password/, 'no cell is told');
      return true;
    });
  }
});

test('a fault of the source is passed on', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('account\n1\n');
    throw new Error('the disk is gone');
  }
  const rows = readTable(broken(), COLUMNS);
  await assert.rejects(async () => {
    for await (const _ of rows);
  }, /the disk is gone/);
});
