// The one statement of a batch, to the letter: columns as arrays or as one value, parts counted,
// versions compared, names that are the same for the same shape only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrayValue, scalarSlot, scalarText, slotText } from '../db/index.ts';
import { tableOf, type RowOf, type Table } from '../core/table.ts';
import { Writes, writeStatement } from './write.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

test('values of a column as PostgreSQL reads an array', () => {
  assert.equal(arrayValue('int4', [1, -2, 3]), '{1,-2,3}');
  assert.equal(arrayValue('int8', [1n, null]), '{1,NULL}');
  assert.equal(arrayValue('bool', [true, null, null, false]), '{true,NULL,NULL,false}');
  assert.equal(arrayValue('text', []), '{}');
  const texts = ['a', 'a', 'b c', '', 'NULL', 'null', 'nulls', 'x"y', 'x\\y', 'é', null];
  const quoted = ['"b c"', '""', '"NULL"', '"null"', 'nulls', '"x\\"y"', '"x\\\\y"'];
  const shown = ['a', 'a', ...quoted];
  const written = [...shown, '"é"', 'NULL', 'NULL'].join(',');
  assert.equal(arrayValue('text', [...texts, undefined]), `{${written}}`);
  assert.equal(arrayValue('text', ['2026-06-01T00:00:00.000000Z', 'a@b.c/d=']).toString(),
    '{2026-06-01T00:00:00.000000Z,a@b.c/d=}');
  assert.equal(arrayValue('json', ['{"a":1}', null, '2']), '{"a":1}\u001e\u001e2');
  assert.equal(arrayValue('uuid', [ID, null]), `{${ID},NULL}`);
  const bytes = arrayValue('uuid', [ID, ID]) as Buffer;
  const hex = ID.replaceAll('-', '');
  const words = [1, 0, 2950, 2, 1].map((word) => word.toString(16).padStart(8, '0'));
  assert.equal(bytes.toString('hex'), `${words.join('')}00000010${hex}00000010${hex}`);
});

test('one value, and where it stands in a statement', () => {
  const given = [null, undefined, 5n, '', false];
  assert.deepEqual(given.map(scalarText), [null, null, '5', '', 'false']);
  assert.equal(scalarSlot('json', 3), '$3::text');
  assert.equal(scalarSlot('int4', 3), '$3::int4');
  assert.equal(slotText('json', 3), "string_to_array($3::text, chr(30), '')");
  assert.equal(slotText('uuid', 3), '$3::uuid[]');
});

const columns = { id: 'uuid', version: 'int4', at: 'text', note: 'text' } as const;
const cups = tableOf('cup', 1, columns, { versioned: true });
type CupRow = RowOf<typeof cups>;
const constant = ['workspace', 'version', 'at'];
const sets = tableOf('cup_set', 1, columns, { versioned: true, constant });
const plain = tableOf('cup_log', 1, columns, { constant: ['at'] });

const cup = (more: Partial<CupRow> = {}): CupRow => {
  return { workspace: 1, id: ID, version: 2, at: 'noon', note: 'n', ...more };
};

function effectsOf(
  inserts: readonly (readonly [unknown, CupRow])[],
  updates: readonly (readonly [unknown, CupRow, number])[],
): Writes {
  const writes = new Writes();
  for (const [table, row] of inserts) writes.addInsert(table as Table, row);
  for (const [table, row, expected] of updates) writes.addUpdate(table as Table, row, expected);
  return writes;
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const shown = (values: readonly unknown[] = []): unknown[] =>
  values.map((value) => (Buffer.isBuffer(value) ? 'ids' : value));

test('what is inserted and what is changed, each with its count', () => {
  const other = cup({ id: ID.replace('0189', '0190'), note: 'm' });
  const { text, values } = writeStatement(
    effectsOf([[cups, cup()], [cups, other]], [[cups, cup({ version: 3 }), 2]]),
  );
  assert.equal(
    flat(text),
    'with i_cup as (insert into cup (workspace, id, version, at, note) select n.workspace, n.id, ' +
      'n.version, n.at, n.note from unnest($1::int4[], $2::uuid[], $3::int4[], $4::text[], ' +
      '$5::text[]) as n(workspace, id, version, at, note) returning 1), u_cup as (update cup t set '
      +
      'version = n.version, at = n.at, note = n.note from unnest($6::int4[], $7::uuid[], ' +
      '$8::int4[], $9::text[], $10::text[], $11::int4[]) as n(workspace, id, version, at, note, ' +
      'expected_version) where t.workspace = n.workspace and t.id = n.id and t.version = ' +
      'n.expected_version returning 1) select assert_counts($12::int8[], array[(select count(*) ' +
      'from i_cup), (select count(*) from u_cup)])',
  );
  const inserted = ['{1,1}', 'ids', '{2,2}', '{noon,noon}', '{n,m}'];
  const changed = ['{1}', 'ids', '{3}', '{noon}', '{n}', '{2}'];
  assert.deepEqual(shown(values), [...inserted, ...changed, '{2,1}']);
});

test('a constant column is one value, also the version that was read; the workspace never', () => {
  const { text, values } = writeStatement(
    effectsOf([[sets, cup()]], [[sets, cup({ version: 4 }), 3], [sets, cup({ workspace: 2 }), 3]]),
  );
  assert.match(flat(text), /^with i_cup_set as .* select \$1::int4, n\.id, \$3::int4, \$4::text/);
  // The two changed rows are of different versions: all goes as arrays.
  const arrays = ['{1,2}', 'ids', '{4,2}', '{noon,noon}', '{n,n}', '{3,3}'];
  assert.deepEqual(shown(values), ['1', 'ids', '2', 'noon', '{n}', ...arrays, '{1,2}']);
  const same = writeStatement(effectsOf([], [[sets, cup({ version: 4 }), 3]]));
  assert.deepEqual(shown(same.values), ['{1}', 'ids', '4', 'noon', '{n}', '3', '{1}']);
  assert.match(flat(same.text), /\.workspace and t\.id = n\.id and t\.version = \$6::int4/);
  const differ = writeStatement(
    effectsOf([], [[sets, cup({ version: 4 }), 3], [sets, cup({ workspace: 2, version: 4 }), 2]]),
  );
  assert.deepEqual(shown(differ.values).slice(2, 6), ['{4,4}', '{noon,noon}', '{n,n}', '{3,2}']);
  assert.notEqual(differ.name, same.name);
});

test('a table without versions compares none', () => {
  const { text, values } = writeStatement(effectsOf([], [[plain, cup(), 2]]));
  assert.doesNotMatch(text, /expected_version|t\.version/);
  assert.deepEqual(shown(values), ['{1}', 'ids', '{2}', 'noon', '{n}', '{1}']);
});

test('the name is short, and the same for the same shape only', () => {
  const name = (writes: Writes) => writeStatement(writes).name;
  const one = name(effectsOf([[cups, cup()]], []));
  assert.equal(name(effectsOf([[cups, cup()], [cups, cup({ note: 'z' })]], [])), one);
  const names = [
    one,
    name(effectsOf([], [[cups, cup(), 1]])),
    name(effectsOf([[sets, cup()]], [])),
    name(effectsOf([[sets, cup()], [sets, cup({ at: 'dusk' })]], [])),
    name(effectsOf([[cups, cup()], [sets, cup()]], [])),
  ];
  assert.equal(new Set(names).size, names.length);
  for (const short of names) assert.match(short ?? '', /^w\d+$/);
});
