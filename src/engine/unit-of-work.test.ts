// What a decision may not write, whoever wrote it: each is a fault and nothing of it remains.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineMachine } from '../core/machine.ts';
import { balanceTable, postingTable } from '../ledger/tables.ts';
import { EngineFault, type Decision, type LedgerEntry } from '../core/command.ts';
import { Writes } from './write.ts';
import { UnitOfWork } from './unit-of-work.ts';
import { stepTable, type StepRow } from './tables.ts';
import { tableOf, type IdRow, type RowOf, type Table } from '../core/table.ts';
import { Loaded, WorkingCopy } from './rows.ts';

const lampTable = tableOf('lamp', 1, {
  id: 'uuid',
  state: 'text',
  version: 'int4',
  updated: 'timestamptz',
}, { versioned: true });
type LampRow = RowOf<typeof lampTable>;
const event = { name: 'lamp-paid', when: 'test', cites: 'test' };
const paying = { on: 'pay', by: 'caller', why: 'test', cites: 'test' } as const;
const lampMachine = defineMachine('lamp', {
  noun: 'lamp',
  states: ['off', 'on'],
  moves: [
    { from: null, on: 'make', to: 'off', by: 'caller', why: 'test', cites: 'test' },
    { from: 'off', on: 'press', to: 'on', by: 'caller', why: 'test', cites: 'test' },
    { ...paying, from: ['off', 'on'], to: 'on', posts: 'burn', emits: event },
  ],
});

const NOW = '2026-06-01T00:00:00.000000Z';
const LATER = '2026-07-01T00:00:00.000000Z';
const lamp: LampRow = { workspace: 1, id: 'lamp-1', state: 'off', version: 1, updated: NOW };
const counted = { amount: 10n, version: 4, accrues: true, owes: 0n, updated: NOW };
const purse = { workspace: 1, id: 'purse', ...counted };

/** A batch of decisions over a locked lamp and a locked balance of 10. */
class Batch {
  readonly working = new WorkingCopy();
  readonly loaded = new Loaded();
  readonly writes = new Writes();

  constructor() {
    this.working.set(lampTable as unknown as Table, lamp);
    this.working.set(balanceTable as unknown as Table, purse);
  }

  /** Decides one command; nothing of it is kept when it throws. */
  decide(work: (decision: Decision) => void): void {
    const pending = {
      submission: { workspace: 1, actor: 'test' },
      lineage: 1,
      loaded: this.loaded,
    };
    const draft = new UnitOfWork(pending, NOW, this.working, () => 'event');
    work(draft);
    draft.merge(this.writes);
  }

  refuses(work: (decision: Decision) => void, why: RegExp): void {
    assert.throws(
      () => this.decide(work),
      (error) => error instanceof EngineFault && why.test(error.message),
    );
    assert.ok(this.writes.empty, 'what was refused is written');
  }
}

const from = (
  account_id: string,
  amount: bigint,
  currency = 'USD',
  tracked = false,
): LedgerEntry => {
  return { account_id, amount, currency, tracked };
};

/** Moves the lamp by the row that posts, announces its event and posts the lines. */
function paid(one: Decision, lines: readonly LedgerEntry[]): void {
  const version = one.move(lampMachine, lampTable, 'lamp-1', 'pay', 'on');
  one.announce(event, 'lamp-1', version, {});
  one.post('lamp-1', version, lines);
}

test('a command does what the rows of its moves name, and nothing that they do not', () => {
  const batch = new Batch();
  const entry = [from('a', 5n), from('b', -5n)];
  const pay = (one: Decision) => one.move(lampMachine, lampTable, 'lamp-1', 'pay', 'on');
  const press = (one: Decision) => one.move(lampMachine, lampTable, 'lamp-1', 'press', 'on');
  batch.refuses((one) => one.post('lamp-1', pay(one), entry), /lamp-paid/);
  batch.refuses((one) => one.announce(event, 'lamp-1', pay(one), {}), /no entry was posted/);
  batch.refuses((one) => one.post('lamp-1', press(one), entry), /posts nothing/);
  batch.refuses((one) => one.announce(event, 'lamp-1', press(one), {}), /does not emit/);
  batch.decide((one) => paid(one, []));
});

test('an entry that does not sum to zero in each currency is a fault', () => {
  const batch = new Batch();
  const off = /off balance/;
  batch.refuses((one) => paid(one, [from('a', 5n)]), off);
  batch.refuses((one) => paid(one, [from('a', 5n), from('b', -4n)]), off);
  batch.refuses((one) => paid(one, [from('a', 5n), from('b', -5n, 'EUR')]), off);
  batch.decide((one) => paid(one, [from('a', 5n), from('b', -5n), from('c', 0n)]));
  const entry = batch.writes.inserts.get(postingTable as unknown as Table) ?? [];
  assert.equal(entry.length, 2, 'nothing is posted for nothing');
});

test('a balance never falls below zero, also by several commands together', () => {
  const batch = new Batch();
  const take =
    (amount: bigint) =>
    (one: Decision): void => {
      paid(one, [from('purse', -amount, 'USD', true), from('b', amount)]);
    };
  batch.refuses(take(11n), /below zero/);
  batch.decide(take(6n));
  assert.throws(() => batch.decide(take(5n)), /below zero/);
  batch.decide(take(4n));
  const [change] = batch.writes.updates.get(balanceTable as unknown as Table) ?? [];
  assert.deepEqual(change?.row, { ...purse, amount: 0n, version: 6 });
  assert.equal(change?.expected, 4, 'the version that was read is the one before the batch');
});

test('what was only read does not change, and neither does what is absent', () => {
  const batch = new Batch();
  batch.loaded.set(lampTable as unknown as Table, 1, 'read', { ...lamp, id: 'read' } as IdRow);
  batch.loaded.set(lampTable as unknown as Table, 1, 'absent', null);
  const press =
    (id: string) =>
    (one: Decision): void => {
      one.move(lampMachine, lampTable, id, 'press', 'on');
    };
  batch.refuses(press('read'), /without a lock/);
  batch.refuses((one) => one.update(lampTable, 'read', { version: 9 }), /without a lock/);
  batch.refuses(press('absent'), /absent/);
  batch.refuses(press('unknown'), /never named/);
});

test('only arrows of the machine are moved along, and no time runs backwards', () => {
  const batch = new Batch();
  batch.refuses((one) => one.move(lampMachine, lampTable, 'lamp-1', 'press', 'off'), /no arrow/);
  batch.refuses((one) => one.move(lampMachine, lampTable, 'lamp-1', 'make', 'off'), /no arrow/);
  batch.working.set(lampTable as unknown as Table, { ...lamp, updated: LATER } as IdRow);
  batch.decide((one) => one.move(lampMachine, lampTable, 'lamp-1', 'press', 'on'));
  const [step] = (batch.writes.inserts.get(stepTable as unknown as Table) ?? []) as StepRow[];
  assert.deepEqual([step?.version, step?.from_state, step?.at], [2, 'off', LATER]);
});

test('a later command sees what an earlier one did, and nothing of a refused one', () => {
  const batch = new Batch();
  const press = (one: Decision): void => {
    one.move(lampMachine, lampTable, 'lamp-1', 'press', 'on');
  };
  assert.throws(() =>
    batch.decide((one) => {
      press(one);
      throw new Error('it thinks better of it');
    }),
  );
  batch.decide((one) => assert.equal(one.get(lampTable, 'lamp-1')?.state, 'off'));
  batch.decide(press);
  batch.decide((one) => assert.equal(one.get(lampTable, 'lamp-1')?.state, 'on'));
});
