// The rows of a lifecycle: which arrow is meant, and what a declaration may not hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineMachine, findMove, postsOf, statesOf, type Move } from './machine.ts';

const rest = { by: 'caller', why: 'test', cites: 'test' } as const;
const moves: readonly Move[] = [
  { ...rest, from: null, on: 'make', to: 'open', posts: 'hold' },
  { ...rest, from: 'open', on: 'end', to: 'done', posts: ['pay', 'give_back'] },
  { ...rest, from: 'open', on: 'end', to: 'failed' },
];
const machine = defineMachine({ name: 'toy', noun: 'toy', moves });

test('an arrow is its state, its event and its end', () => {
  assert.equal(findMove(machine, 'open', 'end', 'failed'), moves[2]);
  assert.equal(findMove(machine, 'open', 'end'), moves[1]);
  assert.equal(findMove(machine, null, 'make', 'open'), moves[0]);
  const none = [['open', 'make'], ['done', 'end'], [null, 'end'], ['open', 'end', 'open']] as const;
  for (const [from, on, to] of none) assert.equal(findMove(machine, from, on, to), null);
  assert.deepEqual(statesOf(machine), ['open', 'done', 'failed']);
});

test('one movement, several or none may be posted', () => {
  assert.deepEqual(moves.map(postsOf), [['hold'], ['pay', 'give_back'], []]);
});

test('an arrow that stands twice is refused where it is declared', () => {
  assert.throws(() => defineMachine({ ...machine, moves: [...moves, moves[1] as Move] }), /twice/);
});
