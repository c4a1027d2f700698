// What a list's declaration says: the filters by its time, the columns of filters, and which
// declarations contradict themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byParty, byState, column, defineLists, timeFilters, type List } from './list.ts';

const LAMPS: List = {
  name: 'lamps',
  title: 'Lamps',
  hint: 'Buy one.',
  from: 'lamp',
  key: { due: 'timestamptz', id: 'uuid' },
  dated: 'due',
  columns: { id: column.id(), due: column.time({ nullable: true }) },
  filters: {},
};

test('a list by time is asked for from a moment on, and before one', () => {
  assert.deepEqual(timeFilters({ dated: 'id' }), ['created_from', 'created_before']);
  assert.deepEqual(timeFilters({ dated: 'due', up: true }), ['due_from', 'due_before']);
  assert.deepEqual(timeFilters({}), []);
});

test('a filter names its column only where that has another name', () => {
  assert.deepEqual(byParty('index'), { kind: 'party', by: 'index' });
  assert.deepEqual(byParty('scan', 'buyer'), { kind: 'party', by: 'scan', column: 'buyer' });
  assert.deepEqual(byState(['on', 'off']), { kind: 'state', by: 'scan', words: ['on', 'off'] });
});

test('a list dated by what is not in its key, or without columns, is a fault', () => {
  const { dated: _, ...undated } = { ...LAMPS, key: { id: 'uuid' } } as const;
  assert.deepEqual(defineLists([LAMPS, undated]), [LAMPS, undated]);
  assert.throws(() => defineLists([LAMPS, { ...LAMPS, key: { id: 'uuid' } }]), /lamps is wrong/);
  assert.throws(() => defineLists([{ ...LAMPS, columns: {} }]), /lamps is wrong/);
});
