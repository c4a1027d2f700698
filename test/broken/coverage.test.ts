// No port goes unbroken: a folder of src/providers with a port is broken in the histories, or named
// with tests that break its calls.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../tidy/tree.ts';
import { BROKEN_PORTS, ELSEWHERE, PROVED } from './coverage.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('every port is broken in the histories, or by tests that are named', () => {
  const folders = globSync('src/providers/*/port.ts', { cwd: ROOT }).map(dirname);
  const known = [...BROKEN_PORTS, ...Object.keys(PROVED)];
  assert.deepEqual(folders.map((one) => basename(one)).toSorted(), known.toSorted());
});

test('the tests that are named exist', () => {
  const files = new Set(Object.values(ELSEWHERE));
  assert.deepEqual([...files].filter((file) => !read(file).includes("test('")), []);
  const absent = Object.values(PROVED).flatMap((port) =>
    Object.entries(port).flatMap(([file, titles]) =>
      titles.filter((title) => !read(file).includes(`test('${title}'`)),
    ),
  );
  assert.deepEqual(absent, []);
});
