// The strict reader accepts what JSON.parse accepts, except what [G-70] forbids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson, Decimal, readJson } from './json.ts';

const read = (text: string) => readJson(Buffer.from(text));
function codeOf(input: string | Uint8Array): string {
  const result = typeof input === 'string' ? read(input) : readJson(input);
  return result.ok ? 'ok' : result.code;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const words = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((s) => {
  return s !== '__proto__' && !s.includes('\u0000') && s.isWellFormed();
});
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      words,
      fc.maxSafeInteger().map((n) => (n === 0 ? 0 : n)),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(words, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test('every allowed document reads as JSON.parse reads it, in either spacing', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom('', ' ', '\t', '\n  '), (value, space) => {
      const text = JSON.stringify(value, null, space);
      assert.deepEqual(read(text), { ok: true, value: JSON.parse(text) });
    }),
    { seed: 70, numRuns: 800 },
  );
});

test('a damaged document is refused whenever JSON.parse refuses it', () => {
  const splinters = fc.constantFrom(
    ...['"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', '+', ' ', 't', 'null', 'u'],
    ...['\u0000', '\u0001', '\u001f', '\u007f', '\u00a0', '\ufeff', 'é', '\u2028', '/', '1'],
  );
  fc.assert(
    fc.property(tree, fc.nat(), fc.nat(3), splinters, (value, place, cut, splinter) => {
      const text = JSON.stringify(value);
      const at = place % (text.length + 1);
      const damaged = (text.slice(0, at) + splinter + text.slice(at + cut)).toWellFormed();
      const result = read(damaged);
      if (!parses(damaged)) assert.equal(result.ok, false, damaged);
      else if (result.ok) assert.deepEqual(plain(result.value), JSON.parse(damaged));
      else assert.notEqual(result.sentence, 'The request body is not valid JSON.', damaged);
    }),
    { seed: 71, numRuns: 6000 },
  );
});

/** Decimals as JSON.parse would round them. */
function plain(value: unknown): unknown {
  if (value instanceof Decimal) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

test('random bytes never throw, and are refused when they are not UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      assert.equal(typeof readJson(bytes).ok, 'boolean');
    }),
    { seed: 72, numRuns: 3000 },
  );
  const notUtf8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2]];
  for (const wrong of notUtf8) {
    assert.equal(codeOf(Buffer.from([0x22, ...wrong, 0x22])), 'INPUT_ERROR');
  }
  assert.equal(codeOf(Buffer.from('\ufeff{}')), 'INPUT_ERROR');
  assert.equal(codeOf(Buffer.from('{}', 'utf16le')), 'INPUT_ERROR');
  assert.equal(codeOf(new Uint8Array(0)), 'INPUT_ERROR');
});

test('a view into a larger buffer is read by its own bounds', () => {
  const whole = new Uint8Array(Buffer.from('xx{"a":1}yy'));
  assert.deepEqual(readJson(whole.subarray(2, 9)), { ok: true, value: { a: 1 } });
});

test('amounts that are not the integer 100 are never read as it', () => {
  const lexemes = ['1e2', '100.0', '-0', '1e21', '9007199254740993', '100.00000000000000001'];
  lexemes.push('1E2', '0.1e3', '10000e-2', '-0.0', '-9007199254740992', '1e400', '1'.repeat(30));
  for (const lexeme of lexemes) {
    const result = read(`{"n":1,"amount":${lexeme}}`);
    assert.ok(result.ok, lexeme);
    const { n, amount } = result.value as { n: unknown; amount: unknown };
    assert.ok(amount instanceof Decimal, lexeme);
    assert.equal(amount.lexeme, lexeme);
    assert.equal(n, 1);
  }
  for (const lexeme of ['9007199254740991', '-9007199254740991', '0', '100']) {
    assert.deepEqual(read(lexeme), { ok: true, value: Number(lexeme) });
  }
  for (const lexeme of ['0100', '+100', '100.', '.5', '1e', '1e+', '0x64', '1_00', 'NaN', '--1']) {
    assert.equal(codeOf(lexeme), 'INPUT_ERROR', lexeme);
  }
  assert.deepEqual(read('["é\u{1f600}",1.50,"x",{"a":2e1}]'), {
    ok: true,
    value: ['é\u{1f600}', new Decimal('1.50'), 'x', { a: new Decimal('2e1') }],
  });
});

test('a duplicate key is refused with its path, however it is escaped', () => {
  const cases: [string, string][] = [
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\u00e9":1,"é":2}', '_'],
    ['{"x":{"a":1},"y":[0,{"b":1,"b":1}]}', 'y[1].b'],
    ['{"a":{"k":[1,2]},"b":[[],[{"c":1.5,"c":2}]]}', 'b[1][0].c'],
    ['{"1":1,"1":2}', '1'],
    ['{"":1,"":2}', ''],
  ];
  for (const [text, path] of cases) {
    const result = read(text);
    assert.ok(!result.ok, text);
    assert.equal(result.code, 'DUPLICATE_KEY', text);
    if (path !== '') assert.equal(result.path, path);
  }
  assert.equal(codeOf('{"a":{"a":{"a":1}},"b":{"a":1}}'), 'ok');
});

test('__proto__ is refused in every spelling, constructor is an ordinary key', () => {
  for (const key of ['__proto__', '\\u005f_proto__', '__prot\\u006f__']) {
    const result = read(`{"a":[{"${key}":{"isAdmin":true,"x":1.5}}]}`);
    assert.ok(!result.ok);
    assert.equal(result.code, 'INPUT_ERROR');
    assert.equal(result.path, 'a[0].__proto__');
  }
  assert.equal(codeOf('{"__proto__":1,"__proto__":2}'), 'INPUT_ERROR');
  assert.equal(codeOf('{"a":"__proto__","__proto":1,"constructor":2,"prototype":3}'), 'ok');
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
});

test('NUL and unpaired surrogates are refused, pairs are not', () => {
  const refused = ['"\\u0000"', '{"\\u0000":1}', '"a\u0000"', '"\\ud800"', '"\\udc00"'];
  refused.push('"\\ud800x"', '"\\ud800\\u0041"', '"\\ud800\\ud800"', '"\\udc00\\ud800"');
  refused.push('"\\udc00\\udc00"');
  refused.push('{"\\udfff":1}', '"\\ud83d\\\\ude00"', '"\t"', '"\n"');
  for (const text of refused) assert.equal(codeOf(text), 'INPUT_ERROR', text);
  assert.deepEqual(read('"\\uD83D\\ude00\\/\\b"'), { ok: true, value: '\u{1f600}/\b' });
  const placed = read('{"a":[1,{"name":"x\\u0000"}]}');
  assert.ok(!placed.ok);
  assert.equal(placed.path, 'a[1].name');
});

test('32 levels are accepted, 33 refused, and depth uses no stack', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(codeOf(nested(32)), 'ok');
  assert.equal(codeOf(nested(33)), 'JSON_TOO_DEEP');
  assert.equal(codeOf('{"a":'.repeat(32) + '1' + '}'.repeat(32)), 'ok');
  assert.equal(codeOf('{"a":'.repeat(33) + '1' + '}'.repeat(33)), 'JSON_TOO_DEEP');
  for (const depth of [100_000, 1_000_000]) {
    assert.equal(codeOf(nested(depth)), 'JSON_TOO_DEEP');
    assert.equal(codeOf('['.repeat(depth)), 'JSON_TOO_DEEP');
    assert.equal(codeOf('{"a":'.repeat(depth)), 'JSON_TOO_DEEP');
  }
  // Siblings do not add up.
  assert.equal(codeOf(`[${`${nested(31)},`.repeat(50)}[]]`), 'ok');
});

test('reading time is linear in the number of bytes', () => {
  const makers: ((n: number) => string)[] = [
    (n) => `{${Array.from({ length: n / 10 }, (_, i) => `"k${i}":0`).join(',')}}`,
    (n) => `{${Array.from({ length: n / 10 }, (_, i) => `"k${i}":0`).join(',')},"k5":0}`,
    (n) => `[${'1.5,'.repeat(n / 4)}1]`,
    (n) => `"${'\\u0041'.repeat(n / 6)}"`,
    (n) => `"${'\\"'.repeat(n / 2)}`,
    (n) => '{'.repeat(n),
    (n) => '1'.repeat(n),
    (n) => `{"a":"${'x'.repeat(n)}\\u0000"}`,
  ];
  for (const [at, make] of makers.entries()) {
    const bytes = Buffer.from(make(1_000_000));
    const start = performance.now();
    readJson(bytes);
    // A quadratic pass over a megabyte takes minutes; this leaves room for a busy machine.
    assert.ok(performance.now() - start < 3000, `maker ${at}`);
  }
});

test('keys in paths are shortened and sanitized', () => {
  const key = `<script>4111111111111111${'x'.repeat(500)}`;
  const result = read(`{"${key}":1,"${key}":2}`);
  assert.ok(!result.ok);
  assert.match(result.path ?? '', /^[A-Za-z0-9_#-]{1,64}$/);
  assert.ok(!(result.path ?? '').includes('411111'));
});

test('canonical JSON is the same for equal values and differs for others', () => {
  const mixed = { b: [1, { d: null, c: 'é"\u2028' }], a: true, 'x-y "z"': 1 };
  const expected = '{"a":true,"b":[1,{"c":"é\\"\u2028","d":null}],"x-y \\"z\\"":1}';
  assert.equal(canonicalJson(mixed), expected);
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${(n * 7) % 40}`, n]));
  assert.deepEqual(Object.keys(JSON.parse(canonicalJson(many))), Object.keys(many).sort());
  assert.equal(canonicalJson({ z: undefined, a: 10n }), '{"a":10}');
  assert.equal(canonicalJson([undefined, new Decimal('1.50')]), '[null,1.50]');
  assert.notEqual(canonicalJson(new Decimal('1.5')), canonicalJson('1.5'));
  assert.throws(() => canonicalJson(Number.NaN));
  assert.throws(() => canonicalJson(() => 1));
  fc.assert(
    fc.property(tree, (value) => {
      const text = canonicalJson(value);
      assert.deepEqual(JSON.parse(text), value);
      assert.equal(canonicalJson(reversed(value)), text);
    }),
    { seed: 73, numRuns: 400 },
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]));
}
