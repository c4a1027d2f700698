// The files of the checkout as the tidy tests read them: path from the root, text, and kind by
// path.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the checkout. */
export const ROOT = dirname(dirname(import.meta.dirname));

/** One file. */
export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Files that match the patterns, in order of their paths. */
export function filesOf(...patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: ROOT, exclude: ['**/{node_modules,dist}/**'] })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** Everything that people write in TypeScript or JavaScript here. */
export function writtenFiles(): SourceFile[] {
  return filesOf(
    'src/**/*.ts',
    'client/**/*.ts',
    'testing/**/*.ts',
    'shop/**/*.{ts,js}',
    'test/**/*.ts',
    'bench/**/*.ts',
    'scripts/**/*.{ts,mjs}',
    'docs/examples/*.{mjs,ts}',
    'examples/**/*.js',
  );
}

/** True for tests, and for what only tests import. */
export function isTest(path: string): boolean {
  return /\.(test|contract)\.ts$/.test(path) || path.startsWith('test/') || path === TEST_SERVER;
}

const TEST_SERVER = 'src/db/embedded/test-server.ts';

/** Text without comments and without the insides of string and regular-expression literals. */
export function codeOf(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g,
    (found) => {
      const quote = /^['"`]/.test(found) ? found.charAt(0) : '';
      return quote + found.replaceAll(/[^\n]/g, '') + quote;
    },
  );
}
