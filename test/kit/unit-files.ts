// Which test files run in one process: those that open nothing before their tests and keep their
// hands off the clock. The widget's have a language and a document for all, as its frame has.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** What is opened or replaced for one file would be so for all of them. */
const OPENS = /^(?:before|after|beforeEach|afterEach)\(|^import .*\bmock\b.* from 'node:test'/m;

/** Their absolute paths, in order. */
export function unitFiles(): string[] {
  return globSync('{src,client}/**/*.test.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.pg.test.ts'))
    .map((file) => join(ROOT, file))
    .filter((file) => !OPENS.test(readFileSync(file, 'utf8')))
    .toSorted();
}
