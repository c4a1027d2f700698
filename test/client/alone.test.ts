// The client is self-contained: it imports nothing of the platform and no package, so that it runs
// wherever there is `fetch`.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { OPERATIONS } from '../../client/generated.ts';
import { operations } from '../../src/sandbox/index.ts';
import { codeOf, filesOf, ROOT } from '../tidy/tree.ts';

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

test('a bundle of the client is small and needs nothing of Node', async () => {
  const entry = join(ROOT, 'client/index.ts');
  // On a neutral platform an import of Node's is a failure.
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, minify: true, write: false },
    ...{ platform: 'neutral', format: 'esm', logLevel: 'silent' },
  });
  const size = gzipSync(outputFiles[0]?.contents ?? '').length;
  assert.ok(size > 4_000 && size < 30_000, `${size} bytes`);
});

test('every operation has its row', () => {
  const ids = operations.map(({ id }) => id).filter((id) => !id.endsWith('Notice'));
  assert.deepEqual(Object.keys(OPERATIONS).toSorted(), ids.toSorted());
});
