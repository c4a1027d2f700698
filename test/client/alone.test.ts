// The client is self-contained: it imports nothing of the platform and no package, so that it runs
// wherever there is `fetch`.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { OPERATIONS } from '../../client/generated.ts';
import { operations } from '../../src/sandbox/index.ts';
import { codeOf, filesOf } from '../tidy/tree.ts';

const files = filesOf('client/**/*.ts');

test('the client imports its own files only', () => {
  assert.ok(files.length > 8, String(files.length));
  const outside = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bfrom '([^']+)'/g)]
      .map((found) => join(dirname(path), found[1] ?? ''))
      .filter((target) => !files.some((file) => file.path === target))
      .map((target) => `${path} -> ${target}`),
  );
  assert.deepEqual(outside, []);
});

test('the client uses what every platform has', () => {
  const odd = files.filter(({ text }) =>
    /\b(?:process|Buffer|require|window|document|location|localStorage)\b[.(]/.test(codeOf(text)),
  );
  assert.deepEqual(odd.map(({ path }) => path), []);
});

test('every operation has its row', () => {
  const ids = operations.map(({ id }) => id).filter((id) => !id.endsWith('Notice'));
  assert.deepEqual(Object.keys(OPERATIONS).toSorted(), ids.toSorted());
});
