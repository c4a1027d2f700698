// The commands that the documents name, as a reader would copy them: lines of blocks and texts set
// as code that begin with npm, npx, holdfast or node.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../start/launch.ts';
import { WALKED } from './page-rows.ts';

const PAGES = ['*.md', 'docs/**/*.md', 'examples/**/README.md'];
/** Their blocks are run by tests of their own. */
const WALKS = new Set(WALKED.map(({ page }) => page));
const COMMAND =
  /^(?:[A-Z_]+=\S+ )*(?:(?:npm|npx|holdfast|node --test)(?: |$)|node (?:docs|scripts|bench)\/)/;

/** Every command, with the pages that name it; and every script of the package. */
export function documentedCommands(): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (text: string, page: string): void => {
    const command = text.trim().replace(/^\$ /, '').replaceAll(/\s+/g, ' ');
    if (COMMAND.test(command)) found.set(command, [...(found.get(command) ?? []), page]);
  };
  const isRead = (page: string): boolean => !page.includes('modules');
  for (const page of globSync(PAGES, { cwd: CHECKOUT }).filter(isRead)) {
    const text = readFileSync(join(CHECKOUT, page), 'utf8');
    const blocks = WALKS.has(page) ? [] : text.matchAll(/^```\w*\n([^]*?)^```/gm);
    for (const [, block = ''] of blocks) {
      for (const line of block.split('\n')) add(line, page);
    }
    const prose = text.replaceAll(/^```[^]*?^```/gm, '');
    for (const [, code = ''] of prose.matchAll(/`([^`]+)`/g)) add(code, page);
  }
  const about: unknown = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  for (const name of Object.keys((about as { scripts: object }).scripts)) {
    const own = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
    if (name !== 'prepack') add(own, 'package.json');
  }
  return found;
}
