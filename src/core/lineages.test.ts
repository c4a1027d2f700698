// Lineages: a workspace that is no clone is its own lineage; an unknown clone's is never guessed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_CLONE, Lineages } from './lineages.ts';

test('a workspace that is no clone is its own lineage', () => {
  const lineages = new Lineages();
  for (const workspace of [0, 1, FIRST_CLONE - 1]) {
    assert.equal(lineages.lineageOf(workspace), workspace);
  }
  assert.equal(lineages.newest, FIRST_CLONE - 1);
});

test("a clone's lineage is a fault until it is known", () => {
  const lineages = new Lineages();
  const copy = FIRST_CLONE + 7;
  assert.throws(() => lineages.lineageOf(copy), /not known/);
  lineages.learn([{ workspace: 3, lineage: 3 }, { workspace: copy, lineage: 3 }]);
  assert.equal(lineages.lineageOf(copy), 3);
  assert.equal(lineages.newest, copy);
  lineages.learn([{ workspace: FIRST_CLONE, lineage: 4 }]);
  assert.equal(lineages.lineageOf(FIRST_CLONE), 4);
  assert.equal(lineages.newest, copy);
});
