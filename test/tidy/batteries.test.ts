// Every file below test/prove belongs to a battery: one that no battery names would never run.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('every file of test/prove is in a battery, and every battery names files', () => {
  const text = readFileSync(join(root, 'scripts/prove.ts'), 'utf8');
  const named = [...text.matchAll(/'(test\/[^']+\.test\.ts)'/g)].map((match) => match[1] ?? '');
  const files = globSync('test/**/*.test.ts', { cwd: root });
  const apart = files.filter((file) => file.startsWith('test/prove/'));
  assert.deepEqual(apart.filter((file) => !named.includes(file)), []);
  assert.deepEqual(named.filter((file) => !files.includes(file)), []);
});
