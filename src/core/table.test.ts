// What a table's declaration says of its columns: types, words, and which may be null.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf } from './table.ts';

test('a question mark, or null among its words, lets a column be null, and nothing else', () => {
  const { columns, nullable, words } = tableOf('lamp', 1, {
    id: 'uuid',
    note: 'text?',
    state: ['on', 'off'],
    colour: ['red', null],
  });
  assert.deepEqual(nullable, ['note', 'colour']);
  assert.deepEqual(Object.values(columns), ['int4', 'uuid', 'text', 'text', 'text']);
  assert.deepEqual(words, { state: ['on', 'off'], colour: ['red', null] });
});
