// Who runs next, on hand-made commands: tenants share a batch, nobody overtakes on a row, what is
// in flight is left alone, and a repeated request waits for the first one's answer. Who has waited
// too long, on a clock that the test moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Refusal } from '../core/refusal.ts';
import { Admission, ConcurrencyLimit, MOST_PASSED, Waiting } from './queue.ts';
import { arriving, type AnyCommand, type Pending } from './discover.ts';

interface Asked {
  readonly workspace?: number;
  readonly keys?: readonly string[];
  readonly highPriority?: true;
  readonly solo?: true;
}

let rows = 0;

/** A command that has been discovered; by default it wants one row that nobody else does. */
function pendingOf({
  workspace = 1,
  keys = [`row:${(rows += 1)}`],
  highPriority,
  solo,
}: Asked): Pending {
  const command: AnyCommand = {
    name: 'test',
    batchable: solo !== true,
    ...(highPriority && { highPriority }),
    load() {},
    decide: () => ({ status: 200, payload: null }),
  };
  const submission = { workspace, actor: 'test' };
  const given = { command, input: null, submission, lineage: workspace, arrived: 0 };
  const pending = arriving({ ...given, settle() {}, fail() {} });
  pending.keys = keys;
  return pending;
}

function admit(admission: Admission, count: number, asked: Asked): Pending[] {
  const list = Array.from({ length: count }, () => pendingOf(asked));
  for (const pending of list) admission.add(pending);
  return list;
}

test('a tenant whose commands all wait for one row holds nobody else up', () => {
  const admission = new Admission();
  const [holder] = admit(admission, 1, { keys: ['hot'] });
  assert.deepEqual(admission.takeBatch(), [holder]);
  admit(admission, 5_000, { keys: ['hot'] });
  const other = admit(admission, 5, { workspace: 2 });
  assert.deepEqual(admission.takeBatch(), other);
});

const workspacesOf = (batch: readonly Pending[]): Set<number> =>
  new Set(batch.map(({ submission }) => submission.workspace));

test('a tenant with thousands of commands leaves the others their share of each batch', () => {
  const admission = new Admission();
  admit(admission, 5_000, { workspace: 1 });
  const few = [2, 3, 4].flatMap((workspace) => admit(admission, 5, { workspace }));
  const batch = admission.takeBatch();
  assert.ok(
    few.every((pending) => batch.includes(pending)),
    'the small tenants wait',
  );
  assert.ok(batch.length > few.length, 'the large tenant has its share as well');
});

test('tenants that found no room in a batch are first in the next', () => {
  const admission = new Admission();
  const workspaces = Array.from({ length: 200 }, (_, at) => at + 1);
  for (const workspace of workspaces) admit(admission, 3, { workspace });
  const first = workspacesOf(admission.takeBatch());
  const second = workspacesOf(admission.takeBatch());
  const left = workspaces.filter((workspace) => !first.has(workspace));
  assert.ok(left.length > 0, 'a batch is bounded, however many tenants wait');
  assert.deepEqual(
    left.filter((workspace) => !second.has(workspace)),
    [],
  );
});

test('high priority goes before what the same tenant has waiting, the older first', () => {
  const admission = new Admission();
  admit(admission, 3, {});
  const high = admit(admission, 3, { highPriority: true });
  assert.deepEqual(admission.takeBatch().slice(0, 3), high);
});

test('a row in flight is left alone, also by a command that runs alone', () => {
  const admission = new Admission();
  const first = pendingOf({ keys: ['a'] });
  admission.add(first);
  assert.deepEqual(admission.takeBatch(), [first]);
  const alone = pendingOf({ keys: ['a'], solo: true });
  const second = pendingOf({ keys: ['a'] });
  for (const pending of [alone, second]) admission.add(pending);
  assert.deepEqual([admission.takeBatch(), admission.takeAlone()], [[], null]);
  admission.release([first]);
  assert.deepEqual(admission.takeBatch(), [second]);
  admission.release([second]);
  assert.equal(admission.takeAlone(), alone);
});

test('who waits for two rows that others hold by turns is not passed over for ever', () => {
  const admission = new Admission();
  const inFlight = admit(admission, 1, { keys: ['a'] });
  admission.takeBatch();
  const both = pendingOf({ keys: ['a', 'b'] });
  admission.add(both);
  let turns = 0;
  for (let batch = inFlight; !batch.includes(both); turns += 1) {
    assert.ok(turns <= 2 * MOST_PASSED, 'it never has its turn');
    // One of its rows is always in flight when the other comes back.
    admission.add(pendingOf({ keys: [turns % 2 === 0 ? 'b' : 'a'] }));
    const next = admission.takeBatch();
    admission.release(batch);
    batch = next;
  }
  assert.ok(turns >= MOST_PASSED, 'its rows are kept for it too early');
});

test('a repeat of a request in flight waits for its answer, however many rows it wants', () => {
  const admission = new Admission();
  const keys = ['a', 'b', 'idempotency:x'];
  const [first] = admit(admission, 1, { keys });
  const batch = admission.takeBatch();
  assert.deepEqual(batch, [first]);
  const [repeat] = admit(admission, 1, { keys });
  assert.deepEqual([admission.waiting, admission.release(batch)], [0, [repeat]]);
});

test('what was held is given back, also when a command was discovered again meanwhile', () => {
  const admission = new Admission();
  const first = pendingOf({ keys: ['a'] });
  admission.add(first);
  admission.takeBatch();
  first.keys = ['b'];
  admission.release([first]);
  const next = pendingOf({ keys: ['a'] });
  admission.add(next);
  assert.deepEqual(admission.takeBatch(), [next]);
});

test('a repeated request waits until the first has its answer, in a batch or beside it', () => {
  const admission = new Admission();
  const keys = ['a', 'idempotency:1:k'];
  const [first, second, third] = [pendingOf({ keys }), pendingOf({ keys }), pendingOf({ keys })];
  for (const pending of [first, second]) admission.add(pending);
  assert.deepEqual(admission.takeBatch(), [first]);
  admission.add(third);
  assert.deepEqual(admission.takeBatch(), []);
  assert.deepEqual(admission.release([first]), [second, third]);
});

const PATIENCE = 1_000;

function scene() {
  let now = 0;
  let isAway = false;
  const scheduler = { now: () => now, soon() {}, after() {}, chance: () => 0 };
  const waiting = new Waiting({ scheduler, queueTimeout: PATIENCE, away: () => isAway });
  const refused: string[] = [];
  const arrived = (name: string, highPriority: boolean): Pending =>
    arriving({
      command: {
        name,
        batchable: true,
        ...(highPriority && { highPriority: true as const }),
        load() {},
        decide: () => ({ status: 200, payload: null }),
      },
      input: null,
      submission: { workspace: 1, actor: 'test' },
      lineage: 1,
      arrived: now,
      settle() {},
      fail: (error) => refused.push(`${name} ${(error as Refusal).spec.code}`),
    });
  const both = [arrived('usual', false), arrived('high', true)];
  const left = (): string[] => waiting.dropLate(both).map(({ command }) => command.name);
  return { left, refused, pass: (ms: number) => (now += ms), away: () => (isAway = true) };
}

test('after the queue timeout a command is refused; one of high priority waits on', () => {
  const { left, refused, pass } = scene();
  pass(PATIENCE);
  assert.deepEqual([left(), refused], [['usual', 'high'], []]);
  pass(1);
  assert.deepEqual([left(), refused], [['high'], ['usual OVERLOADED']]);
  pass(1_000_000);
  assert.deepEqual(left(), ['high']);
});

test('nobody waits long for a database that is away', () => {
  const { left, refused, pass, away } = scene();
  away();
  assert.deepEqual(left(), ['usual', 'high']);
  pass(PATIENCE + 1);
  assert.deepEqual([left(), refused], [[], ['usual OVERLOADED', 'high OVERLOADED']]);
});

test('a small group does not start beside a larger one, and none beyond the limit', () => {
  const limit = new ConcurrencyLimit(2);
  assert.ok(limit.allows(1), 'alone always');
  limit.started(10);
  assert.deepEqual([limit.allows(9), limit.allows(10)], [false, true]);
  limit.started(10);
  assert.equal(limit.allows(1_000), false);
  limit.ended();
  limit.ended();
  assert.ok(limit.allows(1));
});
