// Each of the twenty ways in which a processor misbehaves is a row on the page of each adapter of a
// real one, and names the test that shows it: a row without a test would promise what nobody holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf } from './tree.ts';

const SCRIPTS = Array.from({ length: 20 }, (_, n) => `U${n + 1}`);
const ROW = /^\| (U\d+) \|.*\| `(.+)` \|$/gm;

/** What is wrong with a page's table, given the texts of the tests. */
function faultsOf(page: string, tests: readonly string[]): string[] {
  const rows = [...page.matchAll(ROW)].map(([, script = '', title = '']) => ({ script, title }));
  const lacking = SCRIPTS.filter((one) => rows.filter(({ script }) => script === one).length !== 1);
  const unheld = rows.filter(({ title }) => !tests.some((text) => text.includes(`'${title}'`)));
  return [...lacking, ...unheld.map(({ script, title }) => `${script}: no test '${title}'`)];
}

const tests = filesOf('test/prove/*.test.ts', 'src/providers/**/*.test.ts').map(({ text }) => text);

test('every misbehaviour is on the page of the adapter, with a test that there is', () => {
  const [page] = filesOf('docs/providers/stripe.md');
  assert.deepEqual(faultsOf(page?.text ?? '', tests), []);
});

test('a missing row, a row twice and a title of no test would be caught', () => {
  const page = SCRIPTS.map((script) => `| ${script} | a | b | \`U1 captured\` |\n`).join('');
  assert.deepEqual(faultsOf(page, tests), []);
  assert.deepEqual(faultsOf(page.replace('| U7 |', '| U8 |'), tests), ['U7', 'U8']);
  const wrong = faultsOf(page.replace('captured', 'lost in the post'), tests);
  assert.deepEqual(wrong, ["U1: no test 'U1 lost in the post'"]);
});
