// Lineages: a workspace that is no clone is its own lineage; an unknown clone's is never guessed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_COPY, Lines } from './lines.ts';

test('a workspace that is no clone is its own lineage', () => {
  const lines = new Lines();
  for (const world of [0, 1, FIRST_COPY - 1]) assert.equal(lines.lineOf(world), world);
});

test("a clone's lineage is a fault until it is known", () => {
  const lines = new Lines();
  const copy = FIRST_COPY + 7;
  assert.throws(() => lines.lineOf(copy), /not known/);
  lines.learn([{ world: 3, line: 3 }, { world: copy, line: 3 }]);
  assert.equal(lines.lineOf(copy), 3);
  assert.equal(lines.newest, copy);
  lines.learn([{ world: FIRST_COPY, line: 4 }]);
  assert.equal(lines.lineOf(FIRST_COPY), 4);
  assert.equal(lines.newest, copy);
});
