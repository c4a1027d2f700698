// Bodies are read without coercion, every error is named by field and code, no answer repeats what
// was sent, and the building blocks describe themselves for OpenAPI.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { readJson } from './json.ts';
import {
  amount,
  currencyCode,
  decimalFraction,
  identifier,
  ignored,
  list,
  metadata,
  name,
  optional,
  positiveAmount,
  readInput,
  reference,
  shapedOrEmpty,
  strictObject,
  text,
  uuid,
  wireIdOf,
} from './schema.ts';

const invoice = strictObject({
  account_id: wireIdOf('acct'),
  note: optional(text()),
  metadata: optional(metadata()),
  trace: ignored(),
  line_items: z.array(
    strictObject({
      amount: amount(),
      currency: currencyCode(),
      product_sku: optional(reference()),
      fee_percentage: optional(decimalFraction()),
      kind: optional(z.enum(['user_to_user', 'user_to_integrator'])),
    }),
  ).min(1).max(3),
});

/** Reads a body as the pipeline does: bytes, strict JSON, schema. */
function read<S extends z.ZodType>(schema: S, body: string) {
  const json = readJson(Buffer.from(body));
  assert.ok(json.ok, body);
  return readInput(schema, json.value);
}

function faults(schema: z.ZodType, body: string): [string[], Record<string, string>] {
  const result = read(schema, body);
  assert.ok(!result.ok, body);
  return [[...result.codes], { ...result.errors }];
}

const good = '{"account_id":"acct_x","line_items":[{"amount":100,"currency":"USD"}]}';
const withAmount = (lexeme: string) => good.replace('100', lexeme);

test('a valid body is returned unchanged', () => {
  const result = read(invoice, good);
  assert.ok(result.ok);
  assert.deepEqual(result.value, JSON.parse(good));
});

test('only an integer literal is accepted as an integer', () => {
  const wrong = ['"100"', 'true', 'null', '[5]', '[100]', '{}', '1e2', '100.0', '-0', '1e21'];
  wrong.push('9007199254740993', '100.00000000000000001', '-1', '100000000000', '0.5', '""');
  for (const lexeme of wrong) {
    const [codes, errors] = faults(invoice, withAmount(lexeme));
    assert.deepEqual(codes, ['INVALID_FIELD'], lexeme);
    assert.deepEqual(Object.keys(errors), ['line_items[0].amount'], lexeme);
  }
  for (const lexeme of ['0', '1', '99999999999']) assert.ok(read(invoice, withAmount(lexeme)).ok);
  // A decimal elsewhere in the body does not loosen anything.
  const mixed = withAmount('100.0').replace('"USD"', '"USD","fee_percentage":0.5');
  assert.deepEqual(faults(invoice, mixed)[0], ['INVALID_FIELD']);
  assert.ok(!readInput(positiveAmount(), 0).ok);
  assert.ok(readInput(positiveAmount(), 1).ok);
  for (const value of [Number.NaN, Infinity, 1.5, -0, 10n, '1']) {
    assert.ok(!readInput(amount(), value).ok, String(value));
  }
});

test('out-of-range numbers and empty texts get the right sentence', () => {
  const schema = strictObject({ n: z.number().int().min(1), word: z.enum(['A', 'B', '']) });
  for (const value of ['1.0', '1.5', '1e1', '"1"', 'true', '99999999999999999999']) {
    const [codes, errors] = faults(schema, `{"n":${value},"word":"C"}`);
    assert.deepEqual(codes, ['INVALID_FIELD'], value);
    const word = 'must be one of: A, B, or empty';
    assert.deepEqual(errors, { n: 'must be an integer', word }, value);
  }
  assert.deepEqual(faults(schema, '{"n":0,"word":""}')[1], { n: 'must be at least 1' });
});

test('all errors are reported at once, by code and path', () => {
  const body = `{"line_items":[{"amount":"4","currency":"usd","x":1},{"currency":"EUR"}],"y":2}`;
  const [codes, errors] = faults(invoice, body);
  assert.equal(Object.keys(errors)[0], 'account_id');
  assert.deepEqual(codes, ['UNKNOWN_FIELD', 'MISSING_FIELD', 'INVALID_FIELD']);
  const whole = 'must be an integer from 0 to 99999999999, in minor units';
  assert.deepEqual(errors, {
    account_id: 'is required',
    'line_items[0].amount': whole,
    'line_items[0].currency': 'must be a currency code of three upper-case letters',
    'line_items[0].x': 'is not a known field',
    'line_items[1].amount': 'is required',
    y: 'is not a known field',
  });
  const lines = (text: string) => faults(invoice, `{"account_id":"a","line_items":${text}}`)[1];
  assert.deepEqual(lines('[]'), { line_items: 'must contain at least 1 item' });
  assert.deepEqual(lines('{}'), { line_items: 'must be an array' });
  assert.deepEqual(lines('[7]'), { 'line_items[0]': 'must be an object' });
  assert.deepEqual(lines('[{"amount":1,"currency":"USD","kind":"z"}]'), {
    'line_items[0].kind': 'must be one of: user_to_user, user_to_integrator',
  });
  for (const whole of ['null', '[]', '7', '"x"', '1.5']) {
    assert.deepEqual(faults(invoice, whole)[1], { body: 'must be an object' }, whole);
    assert.deepEqual(faults(invoice, whole)[0], ['INVALID_FIELD']);
  }
});

test('names of inherited properties are unknown fields', () => {
  for (const key of ['constructor', 'toString', 'hasOwnProperty', 'prototype']) {
    const [codes, errors] = faults(invoice, good.replace('{', `{"${key}":1,`));
    assert.deepEqual(codes, ['UNKNOWN_FIELD']);
    assert.deepEqual(Object.keys(errors), [key]);
  }
});

test('null for an optional field means absent', () => {
  const shape = strictObject({
    a: optional(text(5)),
    b: optional(amount()),
    c: optional(metadata()),
    d: optional(decimalFraction()),
    e: optional(strictObject({ f: optional(uuid()) })),
  });
  const result = read(shape, '{"a":null,"b":null,"c":null,"d":null,"e":{"f":null}}');
  assert.ok(result.ok);
  assert.equal(JSON.stringify(result.value), '{"e":{}}');
  assert.deepEqual(read(shape, '{}'), { ok: true, value: {} });
  assert.deepEqual(faults(shape, '{"a":1,"b":"x","d":2,"e":[]}')[0], ['INVALID_FIELD']);
  assert.deepEqual(read(shape, '{"a":"x"}'), { ok: true, value: { a: 'x' } });
  // A description added later keeps the behaviour.
  assert.deepEqual(readInput(optional(text()).describe('d'), null), { ok: true, value: undefined });
});

test('texts are counted in code points and must not contain a card number', () => {
  assert.ok(readInput(text(3), '\u{1f600}\u{1f600}\u{1f600}').ok);
  assert.ok(!readInput(text(3), '\u{1f600}\u{1f600}\u{1f600}a').ok);
  assert.ok(!readInput(text(3), 'abcd').ok);
  assert.ok(readInput(text(), 'x'.repeat(2048)).ok);
  assert.ok(!readInput(text(), 'x'.repeat(2049)).ok);
  assert.ok(readInput(text(), '').ok);
  assert.ok(!readInput(name(10), '').ok);
  assert.ok(!readInput(name(10), ' \t').ok);
  assert.ok(readInput(name(10), 'Ada').ok);
  const card = '4111 1111 1111 1111';
  for (const schema of [text(), name(50)]) {
    const result = readInput(strictObject({ note: schema }), { note: `my ${card}` });
    assert.ok(!result.ok);
    assert.deepEqual(result.codes, ['CARD_NUMBER_REFUSED']);
    assert.deepEqual(result.errors, { note: 'must not contain a card number' });
  }
  for (const schema of [text(), name(50), reference(), wireIdOf('acct')]) {
    assert.ok(!readInput(schema, 'a\u0000').ok);
  }
  assert.ok(readInput(reference(), card).ok);
  assert.ok(readInput(identifier(50), card).ok);
  assert.ok(!readInput(identifier(50), ' ').ok);
  assert.ok(readInput(reference(), 'x'.repeat(255)).ok);
  assert.ok(!readInput(reference(), 'x'.repeat(256)).ok);
});

test('a malformed wire id passes, an overlong one does not; a UUID must be canonical', () => {
  assert.ok(readInput(wireIdOf('esc'), 'nonsense').ok);
  assert.ok(readInput(wireIdOf('esc'), 'x'.repeat(36)).ok);
  assert.ok(!readInput(wireIdOf('esc'), 'x'.repeat(37)).ok);
  assert.ok(!readInput(wireIdOf('esc'), 7).ok);
  assert.ok(readInput(uuid(), '019b76da-a800-7abc-8def-0123456789ab').ok);
  assert.ok(!readInput(uuid(), '019B76DA-A800-7abc-8def-0123456789ab').ok);
});

test('fractions are accepted as string or number and returned as a string', () => {
  const shape = strictObject({ f: decimalFraction() });
  const out = (lexeme: string) => {
    const result = read(shape, `{"f":${lexeme}}`);
    return result.ok ? result.value.f : null;
  };
  assert.equal(out('0.029'), '0.029');
  assert.equal(out('"0.029"'), '0.029');
  assert.equal(out('0'), '0');
  assert.equal(out('1'), '1');
  for (const lexeme of ['1.1', '2', '-0', '0.1234567', '1e-2', '"1e-2"', 'true', 'null', '[0.5]']) {
    assert.equal(out(lexeme), null, lexeme);
  }
  assert.deepEqual(faults(shape, '{}'), [['MISSING_FIELD'], { f: 'is required' }]);
  const f = 'must be a decimal from 0 to 1 with at most 6 decimal places';
  assert.deepEqual(faults(shape, '{"f":2}'), [['INVALID_FIELD'], { f }]);
});

test('metadata is an object of at most 16 kB whose numbers survive', () => {
  const body = '{"a":[1.50,{"b":-0.25}],"n":null,"constructor":"x"}';
  const json = readJson(Buffer.from(body));
  assert.ok(json.ok);
  const before = JSON.stringify(json.value);
  const result = readInput(metadata(), json.value);
  assert.ok(result.ok);
  assert.deepEqual(result.value, { a: [1.5, { b: -0.25 }], n: null, constructor: 'x' });
  assert.equal(JSON.stringify(json.value), before);
  for (const wrong of ['[]', '"x"', '1', '{"a":1e400}', '{"a":[9007199254740993]}', '1.5']) {
    assert.deepEqual(faults(metadata(), wrong)[0], ['INVALID_FIELD'], wrong);
  }
  const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  assert.ok(read(metadata(), sized(16_384)).ok);
  assert.ok(!read(metadata(), sized(16_385)).ok);
  assert.ok(!read(metadata(), `{"a":"${'é'.repeat(8190)}"}`).ok);
});

test('no answer contains a sent value or a hostile key', () => {
  const secret = 'S3cr3tValue';
  const quoted = `"${secret}"`;
  const long = `"${secret.repeat(300)}"`;
  const values = fc.constantFrom(quoted, `[${quoted}]`, `{"q":${quoted}}`, long);
  const fields = fc.constantFrom('account_id', 'note', 'metadata', 'line_items');
  fc.assert(
    fc.property(fields, values, (field, value) => {
      const line = `{"amount":${value},"kind":${value}}`;
      const result = read(invoice, `{"line_items":[${line}],"x":${value}}`);
      const other = read(strictObject({ [field]: amount() }), `{"${field}":${value}}`);
      assert.ok(!JSON.stringify([result, other]).includes(secret));
    }),
    { seed: 72 },
  );
  const hostile = `<img src=x onerror=alert(1)>\n4111111111111111${'k'.repeat(5000)}`;
  const result = readInput(invoice, { ...JSON.parse(good), [hostile]: 1 });
  assert.ok(!result.ok);
  const [path] = Object.keys(result.errors);
  assert.match(path ?? '', /^[A-Za-z0-9_#-]{1,64}$/);
  assert.ok(!(path ?? '').includes('4111'));
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 1]));
  const flood = readInput(invoice, many);
  assert.ok(!flood.ok);
  assert.ok(Object.keys(flood.errors).length <= 50);
});

test('a list stops at its error limit, however many items are wrong', () => {
  const line = strictObject({ to: optional(list(amount())) });
  const lines = strictObject({ lines: list(line).min(1) });
  const right = { lines: [{ to: [1, 2] }, {}, { to: null }, { to: [] }] };
  const read = readInput(lines, right);
  assert.ok(read.ok);
  assert.deepEqual(read.value.lines.map((one) => one.to), [[1, 2], undefined, undefined, []]);
  const none = readInput(lines, { lines: [] });
  assert.ok(!none.ok);
  assert.deepEqual(none.errors, { lines: 'must contain at least 1 item' });
  const inner = readInput(lines, { lines: [{}, { to: [1, 'x', 2, -1] }] });
  assert.ok(!inner.ok);
  assert.deepEqual(Object.keys(inner.errors), ['lines[1].to[1]', 'lines[1].to[3]']);
  // More errors than a call may have arguments, at both depths.
  const wrong = Array.from({ length: 300_000 }, () => 'x');
  for (const flood of [{ lines: wrong }, { lines: [{ to: wrong }, { to: wrong }] }]) {
    const result = readInput(lines, flood);
    assert.ok(!result.ok);
    assert.equal(Object.keys(result.errors).length, 50);
  }
  let looked = 0;
  const counted = z.unknown().check(({ issues, value: input }) => {
    looked += 1;
    issues.push({ code: 'custom', message: 'is wrong', input });
  });
  assert.ok(!readInput(list(counted), wrong).ok);
  assert.equal(looked, 50, 'items are read after the last fault that is told');
});

test('the building blocks describe themselves for OpenAPI', () => {
  const schema = z.toJSONSchema(
    strictObject({
      a: amount(),
      c: currencyCode(),
      t: optional(text(9)),
      m: metadata(),
      f: decimalFraction(),
      u: uuid(),
      i: ignored(),
    }),
    { io: 'input' },
  );
  const properties = schema.properties as Record<string, Record<string, unknown>>;
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(schema.required, ['a', 'c', 'm', 'f', 'u']);
  assert.equal(properties['a']?.['type'], 'integer');
  assert.equal(properties['a']?.['maximum'], 99_999_999_999);
  assert.equal(properties['c']?.['pattern'], '^[A-Z]{3}$');
  const shown = [{ type: 'string', maxLength: 9 }, { type: 'null' }];
  assert.deepEqual(properties['t'], { anyOf: shown });
  assert.equal(properties['m']?.['type'], 'object');
  const kinds = (properties['f']?.['anyOf'] as { type: string }[]).map(({ type }) => type);
  assert.deepEqual(kinds, ['string', 'number']);
  assert.match(String(properties['u']?.['pattern']), /^\^\[0-9a-f\]\{8\}-/);
});

test('a text of a shape, or none at all', () => {
  const code = shapedOrEmpty(/^[A-Z]{2}$/, 2, 'must be a code');
  for (const right of ['', 'DE']) assert.ok(code.safeParse(right).success, right);
  for (const wrong of ['de', 'DEU', ' ']) assert.ok(!code.safeParse(wrong).success, wrong);
});
