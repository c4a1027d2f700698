// The scanner of JSON by itself: what it finds wrong, where it stops, how many keys it counts and
// which numbers it keeps apart; every text against what JSON.parse takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonScan, type ScanFault } from './json-scan.ts';
import { traceJson } from './json-trace.ts';
import { canonicalJson, readJson } from './json.ts';

function scan(text: string | Uint8Array): [ScanFault | null, JsonScan] {
  const one = new JsonScan(typeof text === 'string' ? Buffer.from(text) : text);
  return [one.run(), one];
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('short texts of the grammar\'s own characters are taken as JSON.parse takes them', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"', '1', '0', '-', '.', 'e', '+', 'true'];
  pieces.push('null', 'false', ' ', '\n', '\r', '\t', '\\', 'tru', 'nul', 'E', '9', '/', '\u000b');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (list) => {
      const text = list.join('');
      assert.equal(scan(text)[0] === null, parses(text), text);
    }),
    { seed: 74, numRuns: 6_000 },
  );
  // Every pair of characters that the grammar knows, in a list, as a value and as a member.
  for (const one of pieces) {
    for (const other of pieces) {
      for (const text of [one + other, `[${one}${other}]`, `{"k":${one}${other}}`]) {
        assert.equal(scan(text)[0] === null, parses(text), text);
      }
    }
  }
});

test('each escape and each byte of a string', () => {
  for (let c = 0; c < 256; c += 1) {
    const escaped = `"\\${String.fromCharCode(c)}"`;
    if (c < 0x80) assert.equal(scan(escaped)[0] === null, parses(escaped), escaped);
    const plain = `"${String.fromCharCode(c)}"`;
    const fault = c === 0 ? 'nul' : c < 0x20 ? 'control' : null;
    if (c !== 0x22 && c !== 0x5c) assert.equal(scan(plain)[0], fault, `byte ${c}`);
    const hex = `"\\u${String.fromCharCode(c)}041"`;
    if (c < 0x80) assert.equal(scan(hex)[0] === null, parses(hex), hex);
  }
  const units = ['d7ff', 'e000', '0001', 'ABCD', 'abcd', 'fFfF', '00g0', '000', '/000', ':000'];
  for (const digits of units) {
    const text = `"\\u${digits}"`;
    assert.equal(scan(text)[0] === null, parses(text), text);
  }
});

test('halves of surrogate pairs are told from pairs', () => {
  const faults: readonly (readonly [string, ScanFault | null])[] = [
    ['\\ud800\\udc00', null],
    ['\\udbff\\udfff', null],
    ['\\uDBFF\\uDC00', null],
    ['\\ud800', 'surrogate'],
    ['\\udbff', 'surrogate'],
    ['\\udc00', 'surrogate'],
    ['\\udfff', 'surrogate'],
    ['\\ud800\\udbff', 'surrogate'],
    ['\\ud800\\ue000', 'surrogate'],
    ['\\ud800\\n', 'surrogate'],
    ['\\ud800nudc00', 'surrogate'],
    ['\\udc00\\udc00', 'surrogate'],
    ['\\ud800\\udc0', 'malformed'],
    ['\\u0000', 'nul'],
  ];
  for (const [text, fault] of faults) assert.equal(scan(`"${text}"`)[0], fault, text);
  // The scan goes on behind a pair, not within it.
  assert.equal(scan('"\\ud83d\\ude00x"')[0], null);
  assert.equal(scan('"\\u0041\u0001"')[0], 'control');
});

test('where a number is no plain integer it is kept apart, from its sign to its last digit', () => {
  const text = '[1, -0, 1.50, -2e+3, 9007199254740991, 9007199254740992, 0, -7, 3E-1, {"a":4e1}]';
  const [fault, { decimals }] = scan(text);
  assert.equal(fault, null);
  const kept: string[] = [];
  for (let n = 0; n < decimals.length; n += 2) kept.push(text.slice(decimals[n], decimals[n + 1]));
  assert.deepEqual(kept, ['-0', '1.50', '-2e+3', '9007199254740992', '3E-1', '4e1']);
});

test('keys are counted in all objects, and a fault has its place', () => {
  const keys = (text: string) => scan(text)[1].keys;
  const nested = '{"a":{"b":[{"c":1},{"c":2}]}}';
  assert.deepEqual(['{}', '{"a":1}', nested, '["a"]'].map(keys), [0, 1, 4, 0]);
  const places: readonly (readonly [string, string | undefined])[] = [
    ['{"a":[1,{"b":"\\u0000"}]}', 'a[1].b'],
    ['{"a":{"x":1},"b":"\\ud800"}', 'b'],
    ['[[1,2],["a","\t"]]', '[1][1]'],
    ['[1,2,{"k":{"m":[true,x]}}]', '[2].k.m[1]'],
    ['"\u0001"', undefined],
    ['['.repeat(33), '[0]'.repeat(32)],
    ['{"a":'.repeat(33), Array(32).fill('a').join('.')],
  ];
  for (const [text, path] of places) {
    const result = readJson(Buffer.from(text));
    assert.ok(!result.ok);
    assert.equal(result.path, path, text);
  }
  const twice = (text: string) => traceJson(Buffer.from(text), Buffer.byteLength(text));
  assert.deepEqual(twice('{"a":"a","b":{"a":1},"b":2}'), { path: 'b', why: 'duplicate' });
  const proto = { path: 'x[1].__proto__', why: 'proto' };
  assert.deepEqual(twice('{"x":["\\"",{"__proto__":1}]}'), proto);
  assert.deepEqual(twice('{"a":["a","a"]}'), { path: '', why: null });
});

test('what is wrong is said in its own sentence', () => {
  const said = (input: string | number[]): string[] => {
    const result = readJson(Buffer.from(input as string));
    return result.ok ? [] : [result.code, result.sentence];
  };
  assert.deepEqual(said(''), ['INPUT_ERROR', 'The request body is empty.']);
  assert.deepEqual(said([0xff]), ['INPUT_ERROR', 'The request body is not valid UTF-8.']);
  const mark = 'The request body starts with a byte order mark.';
  assert.deepEqual(said([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), ['INPUT_ERROR', mark]);
  assert.notEqual(said([0xef, 0xbb, 0xbe, 0x7b])[1], mark);
  assert.notEqual(said([0xef, 0xbc, 0xbf, 0x7b])[1], mark);
  assert.deepEqual(said('{'), ['INPUT_ERROR', 'The request body is not valid JSON.']);
  const control = 'A string contains an unescaped control character.';
  assert.deepEqual(said('"\n"'), ['INPUT_ERROR', control]);
  assert.deepEqual(said('"\\u0000"'), ['INPUT_ERROR', 'A string contains a NUL character.']);
  const half = 'A string contains an unpaired surrogate.';
  assert.deepEqual(said('"\\ud800"'), ['INPUT_ERROR', half]);
  const proto = 'The key __proto__ is not allowed.';
  assert.deepEqual(said('{"__proto__":1}'), ['INPUT_ERROR', proto]);
  const deep = 'The JSON is nested more than 32 levels deep.';
  assert.deepEqual(said('['.repeat(33)), ['JSON_TOO_DEEP', deep]);
});

test('canonical texts are those of JSON.stringify, character by character', () => {
  for (let c = 0; c < 0x250; c += 1) {
    const one = String.fromCharCode(c);
    for (const text of [one, `a${one}`, `${one}b`]) {
      assert.equal(canonicalJson(text), JSON.stringify(text));
      const keyed = { [text]: 1 };
      assert.equal(canonicalJson(keyed), JSON.stringify(keyed));
    }
  }
  for (const length of [0, 1, 63, 64, 65, 200]) {
    for (const end of ['x', '"', 'é']) {
      const text = 'x'.repeat(length) + end;
      assert.equal(canonicalJson([text]), JSON.stringify([text]));
    }
  }
  for (let size = 0; size < 30; size += 1) {
    const keys = Array.from({ length: size }, (_, n) => `k${(n * 11) % 31}`);
    const value = Object.fromEntries(keys.map((key) => [key, null]));
    assert.deepEqual(Object.keys(JSON.parse(canonicalJson(value))), keys.toSorted());
  }
});
