// What a decision leaves behind when it is accepted: rows of history, of the books and of events,
// column by column, and what later decisions of the same batch see of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineMachine } from '../core/machine.ts';
import { balanceTable, postingTable } from '../ledger/tables.ts';
import { outboxTable } from '../outbox/tables.ts';
import type { Decision, LedgerEntry } from '../core/command.ts';
import { Writes } from './write.ts';
import { UnitOfWork } from './unit-of-work.ts';
import { stepTable } from './tables.ts';
import {
  indexBy,
  tableOf,
  type IdRow,
  type Index,
  type RowOf,
  type Table,
  type WorkspaceRow,
} from '../core/table.ts';
import { ByRow, Collector, findKey, Loaded, WorkingCopy } from './rows.ts';

const doorTable = tableOf('door', 1, {
  id: 'uuid',
  state: ['open', 'shut'],
  version: 'int4',
  updated: 'timestamptz',
  house: 'text',
}, { versioned: true });
type DoorRow = RowOf<typeof doorTable>;
const doorsOfHouse = indexBy(doorTable, 'house');
const untyped = doorTable as unknown as Table;
const about = { when: 'test', cites: 'test' };
const opened = { name: 'door-opened', ...about, record: 'door' };
const noted = { name: 'noted', ...about, stepless: true } as const;
const pushing = { on: 'push', by: 'caller', why: 'test', cites: 'test' } as const;
const paying = { on: 'pay', by: 'caller', why: 'test', cites: 'test' } as const;
const doorMachine = defineMachine('door', {
  noun: 'door',
  states: ['shut', 'open'],
  moves: [
    { from: null, on: 'build', to: 'shut', by: 'caller', why: 'test', cites: 'test' },
    { ...pushing, from: 'shut', to: 'open', emits: opened },
    { ...paying, from: 'shut', to: 'shut', posts: 'toll' },
    { from: 'open', on: 'pull', to: 'shut', by: 'caller', why: 'test', cites: 'test' },
  ],
});

const NOW = '2026-06-01T00:00:00.000000Z';
const LATER = '2026-07-01T00:00:00.000000Z';
const door = (id: string, more: Partial<DoorRow> = {}): DoorRow => {
  return { workspace: 1, id, state: 'shut', version: 4, updated: NOW, house: 'h', ...more };
};

function scene(rows: readonly DoorRow[] = [door('d-1')]) {
  const [working, loaded, writes] = [new WorkingCopy(), new Loaded(), new Writes()];
  for (const row of rows) working.set(untyped, row);
  const decide = (work: (decision: Decision) => void): void => {
    const pending = { submission: { workspace: 1, actor: 'client:a' }, lineage: 7, loaded };
    const draft = new UnitOfWork(pending, NOW, working, () => 'event-1');
    work(draft);
    draft.merge(writes);
  };
  const inserted = (table: unknown): WorkspaceRow[] => writes.inserts.get(table as Table) ?? [];
  return { decide, inserted, writes, loaded, working };
}

test('a move leaves a step, the row and its event, all of the time of the step', () => {
  const { decide, inserted, writes } = scene([door('d-1', { updated: LATER })]);
  decide((one) => {
    assert.deepEqual([one.workspace, one.lineage, one.now, one.actor], [1, 7, NOW, 'client:a']);
    const patch = { house: 'i' };
    assert.equal(one.move(doorMachine, doorTable, 'd-1', 'push', 'open', patch, { by: 'hand' }), 5);
    one.announce(noted, 'other', 1, { a: 1 });
  });
  const step = {
    workspace: 1,
    resource_id: 'd-1',
    version: 5,
    machine: 'door',
    from_state: 'shut',
  };
  const rest = { event: 'push', to_state: 'open', at: LATER, actor: 'client:a' };
  const nobody = { request_id: null, trace_id: null };
  assert.deepEqual(inserted(stepTable), [{ ...step, ...rest, detail: '{"by":"hand"}', ...nobody }]);
  const row = door('d-1', { state: 'open', version: 5, updated: LATER, house: 'i' });
  assert.deepEqual(writes.updates.get(untyped), [{ row, expected: 4 }]);
  const event = { workspace: 1, resource_id: 'd-1', resource_version: 5, event_id: 'event-1' };
  const told = { ...event, name: 'door-opened', at: LATER, record: 'door', message: null };
  const other = { ...event, resource_id: 'other', resource_version: 1, name: 'noted', at: NOW };
  assert.deepEqual(inserted(outboxTable), [told, { ...other, record: null, message: '{"a":1}' }]);
  assert.deepEqual(writes.tables, new Set(['history', 'outbox', 'door']));
});

test('what is built is one inserted row, however it moves in the same batch', () => {
  const { decide, inserted, writes } = scene([]);
  decide((one) => {
    one.create(doorMachine, doorTable, 'build', door('d-2', { version: 1 }));
    one.move(doorMachine, doorTable, 'd-2', 'push', 'open');
  });
  const row = door('d-2', { state: 'open', version: 2 });
  assert.deepEqual(inserted(doorTable), [row]);
  assert.equal(writes.updates.size, 0);
  const steps = inserted(stepTable) as unknown as { version: number; from_state: string }[];
  assert.deepEqual(
    steps.map(({ version, from_state }) => [version, from_state]),
    [
      [1, ''],
      [2, 'shut'],
    ],
  );
  decide((one) => assert.deepEqual(one.get(doorTable, 'd-2'), row));
});

test('several changes of a row are one update, from the version that was read', () => {
  const { decide, writes } = scene();
  decide((one) => {
    one.move(doorMachine, doorTable, 'd-1', 'push', 'open');
    one.move(doorMachine, doorTable, 'd-1', 'pull', 'shut');
  });
  decide((one) => one.update(doorTable, 'd-1', { house: 'j' }));
  const row = door('d-1', { version: 6, house: 'j' });
  assert.deepEqual(writes.updates.get(untyped), [{ row, expected: 4 }]);
});

test('a row cannot be inserted twice, nor over one that is changed', () => {
  const { decide, writes } = scene();
  const again = (one: Decision): void => {
    one.update(doorTable, 'd-1', { house: 'k' });
    one.insert(doorTable, door('d-1'));
  };
  assert.throws(() => decide(again), /a row that is there again/);
  assert.ok(writes.empty);
});

test('the lines of an entry are numbered, with the chain of a tracked account', () => {
  const { decide, inserted, working } = scene();
  const purse = { workspace: 1, id: 'purse', amount: 10n, version: 4, updated: NOW };
  working.set(balanceTable as unknown as Table, purse as IdRow);
  const line = (account_id: string, amount: bigint, tracked = false): LedgerEntry => {
    return { account_id, amount, currency: 'USD', tracked };
  };
  decide((one) => {
    const lines = [line('a', 0n), line('purse', -4n, true), line('b', 3n), line('c', 1n)];
    one.move(doorMachine, doorTable, 'd-1', 'pay', 'shut');
    one.post('d-1', 5, [...lines, line('purse', -6n, true), line('b', 6n)]);
  });
  const common = { workspace: 1, resource_id: 'd-1', version: 5, currency: 'USD' };
  const free = { account_version: null, balance_after: null };
  assert.deepEqual(inserted(postingTable), [
    { ...common, line: 1, account_id: 'purse', amount: -4n, account_version: 5, balance_after: 6n },
    { ...common, line: 2, account_id: 'b', amount: 3n, ...free },
    { ...common, line: 3, account_id: 'c', amount: 1n, ...free },
    { ...common, line: 4, account_id: 'purse', amount: -6n, account_version: 6, balance_after: 0n },
    { ...common, line: 5, account_id: 'b', amount: 6n, ...free },
  ]);
});

test('a search sees rows as the batch has left them, and only one that was asked for', () => {
  const { decide, loaded } = scene();
  const key = findKey(doorsOfHouse as unknown as Index, 1, 'h');
  loaded.found.set(key, [door('d-1'), door('d-3')]);
  decide((one) => one.move(doorMachine, doorTable, 'd-1', 'push', 'open'));
  decide((one) => {
    const states = one.find(doorsOfHouse, 'h').map(({ id, state }) => [id, state]);
    assert.deepEqual(states, [
      ['d-1', 'open'],
      ['d-3', 'shut'],
    ]);
    assert.throws(() => one.find(doorsOfHouse, 'other'), /searched without need/);
  });
});

test('values are kept apart by table, workspace and id, and the last one counts', () => {
  const rows = new ByRow<string>();
  const other = { ...untyped, name: 'other' };
  for (const [table, workspace, value] of [
    [untyped, 1, 'first'],
    [untyped, 2, 'elsewhere'],
    [other, 1, 'of another table'],
    [untyped, 1, 'last'],
  ] as const) {
    rows.set(table, workspace, 'id', value);
  }
  const all = [
    [untyped, 1],
    [untyped, 2],
    [other, 1],
    [other, 2],
  ] as const;
  const found = all.map(([table, workspace]) => rows.get(table, workspace, 'id'));
  assert.deepEqual(found, ['last', 'elsewhere', 'of another table', undefined]);
  assert.equal(rows.get(untyped, 1, 'no'), undefined);
});

test('what is under lock counts before what was read, and a guess comes last', () => {
  const { loaded, working } = scene([door('d-1', { house: 'locked' })]);
  const speculative = new Loaded();
  for (const id of ['d-1', 'd-2', 'd-3'])
    speculative.set(untyped, 1, id, door(id, { house: 'hint' }));
  for (const id of ['d-1', 'd-2']) loaded.set(untyped, 1, id, door(id, { house: 'read' }));
  loaded.set(untyped, 1, 'd-4', null);
  const pending = { submission: { workspace: 1 }, lineage: 7, loaded };
  const collector = new Collector(pending, working, speculative);
  const ids = ['d-1', 'd-2', 'd-3', 'd-4', 'd-5'];
  const houses = (rows: (DoorRow | null)[]) => rows.map((row) => row && row.house);
  const locked = houses(ids.map((id) => collector.lock(doorTable, id)));
  assert.deepEqual(locked, ['locked', 'read', 'hint', null, null]);
  assert.deepEqual([collector.workspace, collector.lineage, collector.missing], [1, 7, []]);
  const read = houses(ids.map((id) => collector.read(doorTable, id)));
  assert.deepEqual(read, ['locked', 'read', null, null, null]);
  assert.deepEqual(
    collector.missing.map(({ id }) => id),
    ['d-3', 'd-5'],
  );
  assert.deepEqual(collector.find(doorsOfHouse, 'h'), []);
  assert.deepEqual(collector.missingFinds, [{ index: doorsOfHouse, value: 'h' }]);
});
