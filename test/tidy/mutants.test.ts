// The battery of drawn changes finds its files, its tests and the lines that its reasons name, also
// after something was moved.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesOf, GROUPS, testsOf } from '../planted/groups.ts';
import { REASONS } from '../planted/reasons.ts';
import { ROOT } from './tree.ts';

test('every group has files, and every file has tests', () => {
  for (const group of GROUPS) {
    const files = filesOf(group);
    assert.ok(files.length >= 4, `${group}: ${files.length} files`);
    for (const file of files) {
      const tests = testsOf(group, file);
      assert.ok(tests.length > 0, `${file} has no tests`);
      for (const one of tests) assert.ok(existsSync(join(ROOT, one)), `${file}: ${one}`);
    }
  }
});

test('every reason is about a line that is there', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  for (const { file, line } of REASONS) {
    const matching = files.filter((path) =>
      typeof file === 'string' ? path === file : file.test(path),
    );
    const lines = matching
      .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').split('\n'))
      .map((one) => one.trim());
    const found = lines.some((one) => {
      if (line === undefined) return true;
      return typeof line === 'string' ? one === line : line.test(one);
    });
    assert.ok(found, `${String(file)}: ${String(line)}`);
  }
});
