// No test goes unrun: a file below test/prove that no battery names never would, and one that skips
// itself fails the run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BATTERIES } from '../../scripts/batteries.ts';
import { FITS } from '../prove/command-rows.ts';
import { documentedCommands } from '../prove/documented.ts';

const root = join(import.meta.dirname, '../..');

test('every test of test/prove and the bench is in a battery, which names files alone', () => {
  const named = BATTERIES.flatMap(({ files }) => files);
  const files = globSync('{src,test,bench}/**/*.test.ts', { cwd: root });
  const apart = files.filter((file) => /^(?:test\/prove|bench)\//.test(file));
  assert.deepEqual(apart.filter((file) => !named.includes(file)), []);
  assert.deepEqual(named.filter((file) => !files.includes(file)), []);
});

test('a test that was skipped, or is still to be done, fails the run', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-unrun-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'unrun.test.mjs');
  const planted = "test('', () => {}); test('', (t) => t.skip()); test.todo('');";
  writeFileSync(file, `import { test } from 'node:test'; ${planted}`);
  // The runner would take itself for a test file of this run and start none.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ran = spawnSync(process.execPath, ['scripts/run-tests.ts', file], { cwd: root, env });
  assert.match(String(ran.stdout), /\n1 passed, 2 failed\n$/);
  assert.equal(ran.status, 1);
});

test('every command that a document names is tried, and nothing else is', () => {
  const commands = documentedCommands();
  for (const [command, pages] of commands) {
    const known = FITS.filter((one) => one.test(command)).length;
    assert.equal(known, 1, `${known} rows fit \`${command}\` of ${pages.join(', ')}`);
  }
  const named = [...commands.keys()];
  assert.deepEqual(FITS.filter((one) => !named.some((command) => one.test(command))), []);
});
