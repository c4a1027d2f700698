// Documents agree with the sources: generated pages are current and complete, assumptions and
// citations match, the changelog knows the interface, links work, and commands on the first page
// exist.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { byRule } from '../../scripts/docs/citations.ts';
import { clientFile } from '../../scripts/docs/client-file.ts';
import { PLAYED_PAGES, writtenPages } from '../../scripts/docs/pages.ts';
import { docOfTestCards } from '../../scripts/docs/test-cards-page.ts';
import { docOfTestPersons } from '../../scripts/docs/test-persons-page.ts';
import { filesOf, ROOT } from './tree.ts';

const FOLDER = join(ROOT, 'docs/generated');
const RUN = 'run `npm run docs` and commit what it wrote';
const pages = writtenPages();
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

for (const [path, text] of pages) {
  test(`docs/generated/${path} is what the sources say now`, () => {
    const file = join(FOLDER, path);
    assert.ok(existsSync(file) && readFileSync(file, 'utf8') === text, RUN);
  });
}

test('the pages of test cards and test persons are what the sources say now', () => {
  assert.equal(read('docs/test-cards.md'), docOfTestCards(), RUN);
  assert.equal(read('docs/test-persons.md'), docOfTestPersons(), RUN);
});

test('the client knows the operations as the sources say now', () => {
  assert.equal(read('client/generated.ts'), clientFile(), RUN);
});

test('every file among the generated pages is one of the generator', () => {
  const known = new Set([...pages.keys(), ...PLAYED_PAGES]);
  const there = globSync('**/*.*', { cwd: FOLDER }).map((path) => path.replaceAll('\\', '/'));
  assert.deepEqual(there.filter((path) => !known.has(path)), []);
  assert.deepEqual([...known].filter((path) => !there.includes(path)), []);
});

test('every rule that the sources rely on has its row, and every row is relied on', () => {
  const rows = new Map(
    [...read('docs/assumptions.md').matchAll(/^\| ((?:G-|M|R|EV|ID)\d+) \| (.*) \|$/gm)].map(
      (found) => [found[1] ?? '', found[2] ?? ''],
    ),
  );
  const cited = new Map([...byRule()].filter(([rule]) => !rule.startsWith('seed')));
  assert.ok(cited.size > 40, String(cited.size));
  assert.deepEqual([...cited.keys()].filter((rule) => !rows.has(rule)), [], 'no row');
  assert.deepEqual([...rows.keys()].filter((rule) => !cited.has(rule)), [], 'not relied on');
});

test('the top entry of the changelog was written for the interface as it is', () => {
  const digest = createHash('sha256');
  for (const path of globSync('openapi/*.json', { cwd: FOLDER }).toSorted()) {
    digest.update(path).update(readFileSync(join(FOLDER, path)));
  }
  const short = digest.digest('hex').slice(0, 12);
  const top = /^## [^\n]*\n[\s\S]*?(?=^## |(?![\s\S]))/m.exec(read('CHANGELOG.md'))?.[0] ?? '';
  assert.ok(
    top.includes(short),
    'the OpenAPI documents changed: say what integrators notice in the top entry of ' +
      `CHANGELOG.md, and write its last line as "Interface digest: ${short}"`,
  );
});

const documents = filesOf('*.md', 'docs/**/*.md').filter(({ path }) => path !== 'LICENSE');

test('links between documents lead somewhere', () => {
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map((found) => found[1] ?? '')
      .filter((link) => !existsSync(join(ROOT, dirname(path), link)))
      .map((link) => `${path} -> ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('the index lists every page', () => {
  const index = read('docs/README.md');
  const written = globSync(['*.md', 'generated/*.md'], { cwd: join(ROOT, 'docs') });
  const listed = (page: string): boolean => index.includes(`](${page})`) || /README/.test(page);
  assert.deepEqual(written.filter((page) => !listed(page)), []);
});

test('files that documents name in code exist', () => {
  const named = /`((?:src|test|docs|scripts|bench|migrations)\/[\w./-]+\.\w+)`/g;
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(named)]
      .map((found) => found[1] ?? '')
      .filter((file) => !existsSync(join(ROOT, file)))
      .map((file) => `${path}: ${file}`),
  );
  assert.deepEqual(broken, []);
});

/** Ends inside a code span, or at the start of a line. */
const TYPED = /`[^`\n]*$|(?:^|\n)(?:\$ )?$/;

test('commands that documents tell people to type exist', () => {
  const about = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const known = new Set([...Object.keys(about.scripts), 'ci', 'install', 'pack']);
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm (?:run )?(?!--|is\b|and\b)([a-z:-]+)(?=[ `\n])/g)]
      .filter((found) => TYPED.test(text.slice(0, found.index)))
      .filter((found) => !known.has(found[1] ?? ''))
      .map((found) => `${path}: ${found[0]}`),
  );
  assert.deepEqual(broken, []);
});

test('settings are documented, and nothing else is', () => {
  const cli = ['arguments', 'program', 'server'].map((name) => `src/cli/${name}.ts`);
  const groups = ['mail', 'sign-on'].map((name) => `src/settings/${name}.ts`);
  const readers = ['src/config.ts', ...groups, ...cli];
  const config = readers.map(read).join('\n');
  const names = config.matchAll(/'((?:HOLDFAST_[A-Z_]+|DATABASE_URL))'/g);
  const settings = new Set([...names].map((found) => found[1]));
  const text = read('docs/settings.md');
  const told = new Set([...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((found) => found[1]));
  assert.deepEqual([...settings].filter((name) => !told.has(name)), [], 'not documented');
  assert.deepEqual([...told].filter((name) => !config.includes(name ?? '')), [], 'not a setting');
});
