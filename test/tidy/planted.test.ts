// Planted defects follow the code: what a defect changes stands once in its file, and the tests
// that must notice it are there. So whoever changes the code changes its defects along.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defects } from '../planted/all.ts';
import { KINDS } from '../planted/kinds.ts';
import { changed } from '../planted/scratch.ts';

const root = join(import.meta.dirname, '../..');

test('each planted defect fits its file once, and names tests that are there', () => {
  for (const defect of defects) {
    assert.doesNotThrow(() => changed(readFileSync(join(root, defect.file), 'utf8'), defect));
    assert.ok(defect.tests.length > 0, defect.name);
    for (const file of defect.tests) assert.ok(existsSync(join(root, file)), file);
  }
  assert.equal(new Set(defects.map(({ name }) => name)).size, defects.length, 'a name twice');
});

test('each planted defect is of one kind, and there are at least 25 kinds', () => {
  const named = Object.values(KINDS).flat();
  assert.deepEqual(named.toSorted(), defects.map(({ name }) => name).toSorted());
  assert.ok(Object.keys(KINDS).length >= 25);
});
