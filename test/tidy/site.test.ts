// The documentation as a site: its list of pages has every file, llms.txt follows from it, and
// links lead inside the site. That the pages build and work is a test of the battery `browser`.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listOf, llmsOf, OUTSIDE, placeOf } from '../../scripts/site/list.ts';
import { sourcesOf, stage } from '../../scripts/site/stage.ts';
import { ROOT } from './tree.ts';

const list = listOf(ROOT);
const llms = llmsOf({ name: 'Holdfast', about: 'About', base: '/docs/' }, list);

test('llms.txt names every file of the documentation, each once', () => {
  const named = [...llms.matchAll(/^- \[.+?\]\(\/docs\/([^)]+)\)/gm)].map(([, place]) => place);
  assert.deepEqual([...new Set(named)], named);
  const files = globSync('docs/**/*.*', { cwd: ROOT }).filter((path) => !path.endsWith('.png'));
  // The list itself is the first page.
  const wanted = files.map(placeOf).filter((place) => place !== 'index.md');
  assert.ok(wanted.length > 80, String(wanted.length));
  const outside = Object.values(OUTSIDE).filter((place) => named.includes(place));
  assert.deepEqual(outside.toSorted(), ['changelog.md', 'contributing.md', 'security.md']);
  assert.deepEqual(named.toSorted(), [...wanted, ...outside].toSorted());
  assert.match(llms, /^# Holdfast\n\n> About\n\n## For integrators\n\n- \[A first invoice/);
});

test('the list names what is there', () => {
  const listed = list.flatMap(({ pages }) => pages);
  const known = new Set(sourcesOf(ROOT));
  const lost = listed.filter(({ source, inside }) => inside.length === 0 && !known.has(source));
  assert.deepEqual(lost, []);
});

test('links lead inside the site, and what is no part of it becomes its words', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-site-'));
  try {
    stage(ROOT, folder, list, 'Begin\n');
    const read = (place: string): string => readFileSync(join(folder, place), 'utf8');
    assert.match(read('index.md'), /^Begin\n\n## For integrators\n/);
    assert.match(read('index.md'), /\]\(changelog\.md\).+\n/);
    assert.match(read('first-page.md'), /\]\(sale\.png\)/);
    assert.match(read('changelog.md'), /\]\(operations\.md#two-roles\)/);
    assert.match(read('generated/states.md'), /\]\(\.\.\/assumptions\.md\)[^]+```text\nstate/);
    assert.match(read('decisions/index.md'), /^- \[0001 .+\]\(0001-batches\.md\)$/m);
    assert.doesNotMatch(read('providers/stripe-identity.md'), /\]\([^)]*src\//);
    assert.equal(read('public/tour.md'), read('tour.md'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the page of three languages shows the programs as they are', () => {
  const page = readFileSync(join(ROOT, 'docs/three-languages.md'), 'utf8');
  for (const name of ['first-sale.sh', 'first-sale.ts', 'first-sale.py']) {
    assert.ok(page.includes(readFileSync(join(ROOT, 'docs/examples', name), 'utf8')), name);
  }
});
