// Size limits: 100 columns, 60 lines per function, 300 per file (tests 400). A file that is one
// exported table of rows has no limit; a longer one that must stay whole says in its head, with the
// words "One file", why. Every file has a head.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, filesOf, isTest, writtenFiles, type SourceFile } from './tree.ts';

const LINE = 100;
const FUNCTION = 60;
const FILE = 300;
const TEST_FILE = 400;
const HEAD = 6;

const files = writtenFiles();

const OPENS = /\bfunction\b|=>\s*\{$|^\s+(?:async |static |get |#)*[\w$#]+\(.*\{$/;
const NO_FUNCTION = /^\s*(?:\/\/|\*|(?:if|for|while|switch)\b|(?:test|describe)\()/;

/** Functions by the layout of the sources: what opens with a brace ends at the same depth. */
function functionsOf(file: SourceFile): { line: number; length: number }[] {
  const lines = file.text.split('\n');
  return lines.flatMap((line, at) => {
    if (!OPENS.test(line) || NO_FUNCTION.test(line)) return [];
    const depth = /^\s*/.exec(line)?.[0].length ?? 0;
    // The next line at this depth that begins with a word belongs to something else.
    const find = (what: RegExp): number =>
      lines.findIndex((one, n) => n > at && one.search(/\S/) === depth && what.test(one));
    const [end, after] = [find(/^\s*\}[;,)]*$/), find(/^\s*[^)}\]\s]/)];
    return end < 0 || (after >= 0 && after < end) ? [] : [{ line: at + 1, length: end - at + 1 }];
  });
}

/** True for one table of rows: nothing in the file decides anything. */
function isTable({ text }: SourceFile): boolean {
  return !/\b(?:function|if|for|while|switch|class)\b.*[({]/.test(codeOf(text));
}

function headOf({ text }: SourceFile): string[] {
  const lines = text.replace(/^#!.*\n/, '').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines.slice(0, end);
}

test('there is something to measure', () => {
  assert.ok(files.length > 200, String(files.length));
  const functions = files.flatMap(functionsOf);
  assert.ok(functions.length > 1000, String(functions.length));
});

test('no line is longer than 100 characters', () => {
  const long = [...files, ...filesOf('migrations/*.sql')].flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, at) => ({ where: `${path}:${at + 1}`, length: line.length }))
      .filter(({ length }) => length > LINE)
      .map(({ where, length }) => `${where} (${length})`),
  );
  assert.deepEqual(long, []);
});

test('no function is longer than 60 lines', () => {
  const long = files.flatMap((file) =>
    functionsOf(file)
      .filter(({ length }) => length > FUNCTION)
      .map(({ line, length }) => `${file.path}:${line} (${length})`),
  );
  assert.deepEqual(long, []);
});

test('no file is longer than its kind may be', () => {
  const long = files.filter((file) => {
    const length = file.text.split('\n').length - 1;
    if (length <= (isTest(file.path) ? TEST_FILE : FILE)) return false;
    return !isTable(file) && !headOf(file).join(' ').includes('One file');
  });
  assert.deepEqual(long.map(({ path, text }) => `${path} (${text.split('\n').length - 1})`), []);
});

test('every file opens with what it is', () => {
  const odd = files.filter((file) => {
    const { length } = headOf(file);
    return length < 1 || length > HEAD;
  });
  assert.deepEqual(odd.map((file) => `${file.path} (${headOf(file).length})`), []);
});

test('no head follows a formula', () => {
  const formula = /\b(?:answers for|refuses to know|knows nothing of)\b/i;
  const odd = [...files, ...filesOf('widget/**/*.{ts,tsx}', 'src/**/*.js')].filter((file) =>
    formula.test(headOf(file).join(' ').replaceAll(' //', '')),
  );
  assert.deepEqual(odd.map(({ path }) => path), []);
  const planted = { path: 'x.ts', text: '// Rows. Refuses to\n// know why.\nlet x;\n' };
  assert.match(headOf(planted).join(' ').replaceAll(' //', ''), formula);
});

test('a long function would be caught', () => {
  const body = '  await work();\n'.repeat(60);
  const planted = { path: 'x.ts', text: `export async function f(\n  a: A,\n): B {\n${body}}\n` };
  assert.deepEqual(functionsOf(planted), [{ line: 1, length: 64 }]);
  const inner = body.replaceAll('  ', '    ');
  const method = { path: 'x.ts', text: `class A {\n  async #go(): B {\n${inner}  }\n}\n` };
  assert.deepEqual(functionsOf(method), [{ line: 2, length: 62 }]);
});
