// Lineages: a workspace that is no clone is its own lineage; an unknown clone's is never guessed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_CLONE, Lines } from './lines.ts';

test('a workspace that is no clone is its own lineage', () => {
  const lines = new Lines();
  for (const workspace of [0, 1, FIRST_CLONE - 1]) assert.equal(lines.lineOf(workspace), workspace);
});

test("a clone's lineage is a fault until it is known", () => {
  const lines = new Lines();
  const copy = FIRST_CLONE + 7;
  assert.throws(() => lines.lineOf(copy), /not known/);
  lines.learn([{ workspace: 3, line: 3 }, { workspace: copy, line: 3 }]);
  assert.equal(lines.lineOf(copy), 3);
  assert.equal(lines.newest, copy);
  lines.learn([{ workspace: FIRST_CLONE, line: 4 }]);
  assert.equal(lines.lineOf(FIRST_CLONE), 4);
  assert.equal(lines.newest, copy);
});
