// `npm run docs`: writes every generated page and removes files that are no longer generated. With
// --check it writes nothing and fails at the first difference.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { docOfTestCards } from './docs/test-cards-page.ts';
import { docOfTestPersons } from './docs/test-persons-page.ts';
import { clientFile } from './docs/client-file.ts';
import { playedPage } from './docs/demo-page.ts';
import { PLAYED_PAGES, writtenPages } from './docs/pages.ts';

const ROOT = dirname(import.meta.dirname);
const FOLDER = join(ROOT, 'docs/generated');
const check = process.argv.includes('--check');

const pages = new Map([...writtenPages()].map(([path, text]) => [join(FOLDER, path), text]));
for (const page of PLAYED_PAGES) pages.set(join(FOLDER, page), await playedPage(page));
pages.set(join(ROOT, 'docs/test-cards.md'), docOfTestCards());
pages.set(join(ROOT, 'docs/test-persons.md'), docOfTestPersons());
pages.set(join(ROOT, 'client/generated.ts'), clientFile());

let changed = 0;
for (const [path, text] of pages) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  changed += 1;
  process.stdout.write(`${check ? 'differs' : 'wrote'} ${path.slice(ROOT.length + 1)}\n`);
  if (check) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const there = globSync('**/*.{md,json,yml}', { cwd: FOLDER });
for (const path of there.map((one) => join(FOLDER, one))) {
  if (pages.has(path)) continue;
  changed += 1;
  const what = check ? 'is not generated:' : 'removed';
  process.stdout.write(`${what} ${path.slice(ROOT.length + 1)}\n`);
  if (!check) rmSync(path);
}
process.stdout.write(changed === 0 ? 'Every page is current.\n' : '');
process.exit(check && changed > 0 ? 1 : 0);
