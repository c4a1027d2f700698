// The rows of a lifecycle: which arrow is meant, and what a declaration may not hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineMachine, findMove, postsOf } from './machine.ts';

const rest = { by: 'caller', why: 'test', cites: 'test' } as const;
const moves = [
  { ...rest, from: null, on: 'make', to: 'open', posts: 'hold' },
  { ...rest, from: 'open', on: 'end', to: 'done', posts: ['pay', 'give_back'] },
  { ...rest, from: 'open', on: 'end', to: 'failed' },
] as const;
const machine = defineMachine('toy', { noun: 'toy', states: ['open', 'done', 'failed'], moves });

test('an arrow is its state, its event and its end', () => {
  assert.deepEqual(findMove(machine, 'open', 'end', 'failed'), moves[2]);
  assert.deepEqual(findMove(machine, 'open', 'end', 'done'), moves[1]);
  assert.deepEqual(findMove(machine, null, 'make', 'open'), moves[0]);
  const none = [['open', 'make', 'open'], [null, 'end', 'done'], ['open', 'end', 'open']] as const;
  for (const [from, on, to] of none) assert.equal(findMove(machine, from, on, to), null);
});

test('one movement, several or none may be posted', () => {
  assert.deepEqual(machine.moves.map(postsOf), [['hold'], ['pay', 'give_back'], []]);
});

test('an arrow that stands twice is refused where it is declared', () => {
  const twice = { ...machine, moves: [...moves, moves[1]] };
  assert.throws(() => defineMachine('toy', twice), /twice/);
});

test('a row with lists is one arrow from each state to each', () => {
  const row = { ...rest, from: [null, 'done'], on: 'put', to: ['open', 'failed'] } as const;
  const many = defineMachine('many', { ...machine, moves: [row] });
  assert.deepEqual(many.moves.map(({ from, to }) => [from, to]), [
    [null, 'open'],
    [null, 'failed'],
    ['done', 'open'],
    ['done', 'failed'],
  ]);
});
