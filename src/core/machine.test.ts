// The rows of a lifecycle: which arrow is meant, and what a declaration may not hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineMachine, findMove, move, postsOf, type Moves } from './machine.ts';

const moves = [
  move(null, 'make', 'open', 'caller', 'test', 'test', { posts: 'hold' }),
  move('open', 'end', 'done', 'caller', 'test', 'test', { posts: ['pay', 'give_back'] }),
  move('open', 'end', 'failed', 'caller', 'test', 'test'),
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
  const row = move([null, 'done'], 'put', ['open', 'failed'], 'caller', 'test', 'test');
  const many = defineMachine('many', { ...machine, moves: [row] });
  assert.deepEqual(many.moves.map(({ from, to }) => [from, to]), [
    [null, 'open'],
    [null, 'failed'],
    ['done', 'open'],
    ['done', 'failed'],
  ]);
});

test('a row names states as they are: one that the machine lacks does not compile', () => {
  const typo = move('opne', 'end', ['done'], 'caller', 'test', 'test');
  const fits: typeof typo extends Moves<'open' | 'done', 'end'> ? true : false = false;
  assert.equal(fits, false);
  const right = move('open', 'end', ['done'], 'caller', 'test', 'test');
  const taken: typeof right extends Moves<'open' | 'done', 'end'> ? true : false = true;
  assert.equal(taken, true);
});
