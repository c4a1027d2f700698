// Every file of src keeps the import law, and the law itself can catch a breach.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { breachOf, cyclesOf, importsOf, LAYERS, lawfulFiles, PEERS } from './import-law.ts';
import { filesOf, isTest, ROOT } from './tree.ts';

const files = lawfulFiles();
const imports = importsOf(files);

test('no import is missed', () => {
  const written = files.reduce(
    (sum, { text }) => sum + (text.match(/(?:from|import)\s*\(?\s*'\.{1,2}\//g)?.length ?? 0),
    0,
  );
  assert.equal(imports.length, written);
  assert.ok(files.length > 100 && imports.length > 400, `${files.length}, ${imports.length}`);
  for (const { from, to } of imports) assert.ok(existsSync(join(ROOT, to)), `${from} -> ${to}`);
});

test('every import keeps the law', () => {
  assert.deepEqual(imports.map(breachOf).filter(Boolean), []);
});

test('client, testing, shop and widget import nothing of the server', () => {
  // Imports nothing itself: one list of letters for all who mistype a name.
  const shared = 'testing/options.ts -> src/cli/suggestion.ts';
  const outside = /\b(?:from|import)\s*\(?\s*'((?:\.\.\/)+)([^']*)'/g;
  const files = filesOf('{client,testing,shop,widget}/**/*.{ts,tsx}');
  const breaches = files.flatMap(({ path, text }) => {
    const [place = ''] = path.split('/');
    const onClient = ['shop', 'testing'].includes(place);
    // The texts are data, and the few lines that read them.
    const more = isTest(path) ? ['texts', 'test'] : ['texts'];
    const allowed = [place, ...(onClient ? ['client'] : more)];
    return [...text.matchAll(outside)]
      .map(([, up = '', rest = '']) => posix.normalize(`${posix.dirname(path)}/${up}${rest}`))
      .filter((target) => !allowed.includes(target.split('/')[0] ?? ''))
      .map((target) => `${path} -> ${target}`)
      .filter((breach) => breach !== shared);
  });
  assert.deepEqual(breaches, []);
});

test('no cycle of files, not even by a type', () => {
  const outside = filesOf('{client,testing,shop,widget}/**/*.{ts,tsx}');
  assert.deepEqual(cyclesOf([...imports, ...importsOf(outside)]), []);
});

test('every file is reached from main.ts, or from a script', () => {
  const scripts = importsOf(filesOf('scripts/**/*.ts', 'bench/**/*.ts'));
  const reached = new Set(['src/main.ts', ...scripts.map(({ to }) => to)]);
  for (const file of reached) {
    for (const { from, to } of imports) if (from === file) reached.add(to);
  }
  assert.deepEqual(
    files.map(({ path }) => path).filter((path) => !reached.has(path)),
    [],
  );
});

test('code for tests alone is named as a test, so that the package leaves it out', () => {
  const test = /from '(node:test|[^']*test-server\.ts)'/;
  assert.deepEqual(files.filter(({ text }) => test.test(text)).map(({ path }) => path), []);
});

test('the rows name parts that exist, and no two know each other', () => {
  const parts = LAYERS.flatMap((layer) => layer.parts);
  const there = new Set(filesOf('src/**/*.ts').map(({ path }) => path.split('/')[1]));
  for (const part of there) assert.ok(parts.includes(part ?? ''), `${part} is in no layer`);
  for (const [part, peers] of Object.entries(PEERS)) {
    for (const peer of peers) {
      assert.equal((PEERS[peer] ?? []).includes(part), false, `${part} and ${peer}`);
    }
  }
});

const PLANTED: readonly [string, string, RegExp][] = [
  ['src/core/money.ts', 'src/db/index.ts', /upwards/],
  ['src/product/money/wallet/read.ts', 'src/product/money/invoice/index.ts', /may not know/],
  ['src/product/money/invoice/read.ts', 'src/product/money/wallet/tables.ts', /past the door/],
  ['src/product/money/wallet/read.ts', 'src/product/money/invoice/module.ts', /only a catalogue/],
  ['src/product/money/wallet/read.ts', 'src/sandbox/index.ts', /only system/],
  ['src/cli/tenant.ts', 'src/sandbox/ports/cards.ts', /only system/],
  ['src/system.ts', 'src/sandbox/start.ts', /past the door/],
  ['src/system.ts', 'src/sandbox/index.ts', /production would load/],
  ['src/sandbox/simulators/vendor/api.ts', 'src/product/context.ts', /upwards/],
  ['src/http/app.ts', 'src/cli/program.ts', /may not know/],
  ['src/cli/start.ts', 'src/providers/keys/file.ts', /only system/],
  ['src/product/money/wallet/read.ts', 'src/http/app.ts', /upwards/],
  ['src/attic/old.ts', 'src/core/money.ts', /in no layer/],
];

for (const [from, to, sentence] of PLANTED) {
  test(`${from} -> ${to} would be caught`, () => {
    assert.match(breachOf({ from, to }) ?? '', sentence);
    assert.equal(isTest(from), false);
  });
}

test('a planted cycle would be caught', () => {
  const ring = importsOf([
    { path: 'src/a.ts', text: "import { b } from './b.ts';" },
    { path: 'src/b.ts', text: "export type { a } from './c.ts';" },
    { path: 'src/c.ts', text: "import {\n  a,\n} from './a.ts';" },
  ]);
  assert.deepEqual(cyclesOf(ring), ['src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts']);
});
