// Pages for contributors and reporters name files and commands: each of them exists, so that a
// recipe follows the files when they move.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesOf, ROOT } from './tree.ts';

const own = ['CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'];
const pages = filesOf(...own, '.github/**/*.{md,yml}');
const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** What a text names that is not there: files, folders and commands of the package. */
function missing(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([^]*?)^```/gm)].map(([, block = '']) => block);
  const spans = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)];
  const words = [...blocks, ...spans.map(([, code = '']) => code)].flatMap((code) =>
    code.split(/\s+/),
  );
  const paths = words.filter((word) => /^[\w.-]+\/[\w./-]*$|^[\w-]+\.(?:ts|md|json)$/.test(word));
  const commands = [...blocks, ...spans.map(([, code = '']) => code)].flatMap((code) =>
    [...code.matchAll(/\bnpm (?:run )?([a-z:-]+)/g)].map(([, name = '']) => name),
  );
  return [
    ...paths.filter((path) => !existsSync(join(ROOT, path))),
    ...commands.filter((name) => about.scripts[name] === undefined).map((name) => `npm ${name}`),
  ];
}

for (const { path, text } of pages) {
  test(`${path} names only what exists`, () => assert.deepEqual(missing(text), []));
}

test('the recipes are there, and a file or command that is not is seen', () => {
  assert.ok(pages.length >= 8, 'the pages of .github are among them');
  const text = pages.find(({ path }) => path === 'CONTRIBUTING.md')?.text ?? '';
  const titles = ['A field of a line item', 'An event', 'A state', 'A migration', 'A provider'];
  for (const title of titles) {
    assert.match(text, new RegExp(`^### ${title}`, 'm'));
  }
  const planted = '`src/nowhere/none.ts`, `src/` and `npm run nothing -- test/none.test.ts`';
  assert.deepEqual(missing(planted), ['src/nowhere/none.ts', 'test/none.test.ts', 'npm nothing']);
});
