// What a refused body or query is told: the rows of its refusals, one sentence for each place, the
// names of places, and how each building block describes itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { fieldPath, safeKey } from './field-path.ts';
import { inputRefusals } from './input-refusals.ts';
import { readInput } from './input.ts';
import { jsonTextOf, JsonText } from './json-text.ts';
import { Decimal } from './json.ts';
import { defineRefusals, refuse } from './refusal.ts';
import {
  amount,
  currencyCode,
  decimalFraction,
  identifier,
  ignored,
  list,
  metadata,
  name,
  numberText,
  optional,
  positiveAmount,
  reference,
  strictObject,
  text,
  uuid,
  wireIdOf,
} from './schema.ts';

/** The sentences about a value, by place; the codes first. */
function told(schema: z.ZodType, value: unknown): [readonly string[], Record<string, string>] {
  const result = readInput(schema, value);
  return result.ok ? [[], {}] : [result.codes, { ...result.errors }];
}

function sentence(schema: z.ZodType, value: unknown): string | undefined {
  return told(strictObject({ it: schema }), { it: value })[1]['it'];
}

test('each refusal of a body is the caller\'s to repair, in this order of precedence', () => {
  const statuses = Object.entries(inputRefusals).map(([code, { status }]) => [code, status]);
  assert.deepEqual(statuses, [
    ['MEDIA_TYPE_UNSUPPORTED', 415],
    ['CHARSET_UNSUPPORTED', 415],
    ['BODY_TOO_LARGE', 413],
    ['BODY_NOT_ALLOWED', 400],
    ['INPUT_ERROR', 400],
    ['JSON_TOO_DEEP', 400],
    ['DUPLICATE_KEY', 400],
    ['UNKNOWN_FIELD', 400],
    ['MISSING_FIELD', 400],
    ['INVALID_FIELD', 400],
    ['CARD_NUMBER_REFUSED', 400],
  ]);
  for (const [code, spec] of Object.entries(inputRefusals)) {
    const { act, retry, cites } = spec;
    const source = code === 'CARD_NUMBER_REFUSED' ? 'G-75' : 'G-70';
    assert.deepEqual([spec.code, act, retry, cites], [code, 'caller', false, source]);
  }
});

test('a refusal carries its row, and no field and no time to wait unless they are given', () => {
  const { NO } = defineRefusals({
    NO: { status: 400, sentence: 'No.', act: 'user', retry: true, cites: 'test' },
  });
  assert.equal(NO.code, 'NO');
  const [plain, full] = [refuse(NO), refuse(NO, { a: 'is wrong' }, 7)];
  assert.deepEqual([plain.spec, plain.fields, plain.retryAfter], [NO, {}, null]);
  assert.deepEqual([full.fields, full.retryAfter], [{ a: 'is wrong' }, 7]);
});

test('each kind of wrong value has its sentence', () => {
  const wrong: readonly (readonly [z.ZodType, unknown, string])[] = [
    [z.string(), 1, 'must be a string'],
    [z.number(), 'x', 'must be an integer'],
    [z.int(), 'x', 'must be an integer'],
    [z.boolean(), 'x', 'must be true or false'],
    [strictObject({}), 'x', 'must be an object'],
    [z.record(z.string(), z.string()), 'x', 'must be an object'],
    [z.array(z.string()), 'x', 'must be an array'],
    [z.null(), 'x', 'must be null'],
    [z.bigint(), 'x', 'has an invalid type'],
    [z.string().max(2), 'abc', 'must be at most 2 characters'],
    [z.string().min(2), 'a', 'must be at least 2 characters'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must contain at most 1 item'],
    [z.array(z.string()).min(2), ['a'], 'must contain at least 2 items'],
    [z.number().max(2), 3, 'must be at most 2'],
    [z.union([z.string(), z.number()]), true, 'must have one of the allowed types'],
    [z.string().regex(/^a$/), 'b', 'has an invalid format'],
    [z.enum(['a', 'b']), 'c', 'must be one of: a, b'],
    [z.string(), undefined, 'is required'],
    [text(3), 'abcd', 'must be at most 3 characters'],
    [text(3), 'a\u0000', 'must not contain NUL characters'],
    [identifier(3), ' ', 'must not be blank'],
    [identifier(3), 'abcd', 'must be at most 3 characters'],
    [name(30), '4111 1111 1111 1111', 'must not contain a card number'],
    [positiveAmount(), 0, 'must be an integer from 1 to 99999999999, in minor units'],
    [amount(), undefined, 'is required'],
    [numberText(2, 9), '1', 'must be an integer from 2 to 9'],
    [uuid(), 'x', 'must be a lower-case UUID'],
    [currencyCode(), 'usd', 'must be a currency code of three upper-case letters'],
    [currencyCode(), 'USDX', 'must be a currency code of three upper-case letters'],
    [metadata(), { a: 'x'.repeat(16_400) }, 'must be at most 16384 bytes of JSON'],
  ];
  for (const [schema, value, what] of wrong) assert.equal(sentence(schema, value), what);
});

test('lengths are counted in code points, at the bound and beside it', () => {
  const face = '\u{1f600}';
  for (const [value, fits] of [
    ['abc', true],
    ['abcd', false],
    [face.repeat(3), true],
    [`${face.repeat(3)}a`, false],
    [`${face}ab`, true],
    [`${face}abc`, false],
    ['abcdefg', false],
  ] as const) {
    assert.equal(readInput(text(3), value).ok, fits, value);
  }
});

test('a text that is too long is not searched for a card number as well', () => {
  const card = '4111 1111 1111 1111';
  assert.deepEqual(told(text(5), card)[0], ['INVALID_FIELD']);
  assert.deepEqual(told(text(19), card)[0], ['CARD_NUMBER_REFUSED']);
});

test('a whole number in a query is digits within its bounds', () => {
  const schema = numberText(2, 10_000_000_000);
  const fine = ['2', '9', '10', '10000000000'];
  for (const value of fine) assert.ok(readInput(schema, value).ok, value);
  const wrong = ['1', '02', '-2', '2.0', '', '10000000001', '99999999999', '100000000000', '٣'];
  for (const value of wrong) assert.ok(!readInput(schema, value).ok, value);
  assert.ok(readInput(numberText(0, 5), '0').ok);
});

test('one place has one sentence, and no answer names more than fifty', () => {
  const fields = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, n]));
  const [codes, errors] = told(strictObject({ a: amount() }), { ...fields, a: 'x' });
  assert.deepEqual(codes, ['UNKNOWN_FIELD', 'INVALID_FIELD']);
  assert.equal(Object.keys(errors).length, 50);
  const many = Array.from({ length: 60 }, (_, n) => `x${n}`);
  const [, named] = told(z.array(amount()), many);
  assert.deepEqual(Object.keys(named), many.slice(0, 50).map((_, n) => `[${n}]`));
  // What comes after the fifty is not named, and its code is told all the same.
  const shape = strictObject({ l: z.array(amount()), z: amount() });
  assert.deepEqual(told(shape, { l: many })[0], ['MISSING_FIELD', 'INVALID_FIELD']);
  const twice = z.string().check(
    (payload) => void payload.issues.push({ code: 'custom', input: '', message: 'first' }),
    (payload) => void payload.issues.push({ code: 'custom', input: '', message: 'second' }),
  );
  assert.deepEqual(told(twice, 'x'), [['INVALID_FIELD'], { body: 'first' }]);
});

test('a list is read to its fiftieth fault and names each place', () => {
  const items = Array.from({ length: 70 }, (_, n) => (n % 2 === 0 ? n : 'x'));
  const [, errors] = told(list(amount()), [...items, ...Array(100).fill('y')]);
  const places = Object.keys(errors);
  assert.equal(places.length, 50);
  assert.deepEqual([places[0], places[1], places.at(-1)], ['[1]', '[3]', '[84]']);
  assert.deepEqual(readInput(list(amount()), [1, 2]), { ok: true, value: [1, 2] });
  const inner = list(strictObject({ a: amount() }));
  assert.deepEqual(told(inner, [{ a: 1 }, { a: 'x', b: 1 }])[1], {
    '[1].a': 'must be an integer from 0 to 99999999999, in minor units',
    '[1].b': 'is not a known field',
  });
  assert.deepEqual(told(inner, 7)[1], { body: 'must be an array' });
});

test('a field that is there as undefined is missing, one that is null is not', () => {
  const shape = strictObject({ a: z.string(), o: strictObject({ b: z.string() }) });
  assert.deepEqual(told(shape, { a: undefined, o: { b: null } })[0], [
    'MISSING_FIELD',
    'INVALID_FIELD',
  ]);
  assert.deepEqual(told(shape, { a: 'x', o: {} }), [['MISSING_FIELD'], { 'o.b': 'is required' }]);
  assert.deepEqual(told(shape, { a: 'x', o: null })[0], ['INVALID_FIELD']);
  // zod takes any instance for an object.
  const decimal = told(shape, { a: 'x', o: new Decimal('1.5') });
  assert.deepEqual(decimal, [['INVALID_FIELD'], { o: 'must be an object' }]);
  assert.deepEqual(told(shape, undefined), [['INVALID_FIELD'], { body: 'is required' }]);
});

test('names of places are cut and cleaned', () => {
  const keys: readonly (readonly [string, string])[] = [
    ['', '_'],
    ['amount', 'amount'],
    ['_a-9', '_a-9'],
    ['9a', '9a'],
    ['é<b>', '__b_'],
    ['card1234567', 'card1234567'],
    ['card12345678', 'card#'],
    ['1234-5678_9012-3456', '#'],
    ['12345678', '#'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), 'x'.repeat(64)],
    [`${'x'.repeat(64)}é`, 'x'.repeat(64)],
  ];
  for (const [key, shown] of keys) assert.equal(safeKey(key), shown, key);
  assert.equal(fieldPath([]), '');
  assert.equal(fieldPath(['a', 0, 'b', 12]), 'a[0].b[12]');
  assert.equal(fieldPath([0, 'a']), '[0].a');
  const long = Array.from({ length: 9 }, () => 'x'.repeat(63));
  assert.equal(fieldPath(long.slice(0, 8)).length, 511);
  assert.equal(fieldPath([...long.slice(0, 7), 'x'.repeat(64)]).length, 512);
  const cut = fieldPath(long);
  assert.deepEqual([cut.length, cut.slice(-5)], [515, 'x....']);
});

test('the blocks describe themselves to the last member', () => {
  const shown = (schema: z.ZodType): unknown => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return rest;
  };
  const most = 99_999_999_999;
  const units = { type: 'integer', maximum: most, description: 'Minor units.' };
  assert.deepEqual(shown(amount()), { ...units, minimum: 0 });
  assert.deepEqual(shown(positiveAmount()), { ...units, minimum: 1 });
  assert.deepEqual(shown(numberText(1, 9)), { type: 'integer', minimum: 1, maximum: 9 });
  assert.deepEqual(shown(text()), { type: 'string', maxLength: 2048 });
  assert.deepEqual(shown(reference()), { type: 'string', maxLength: 255 });
  const named = { type: 'string', minLength: 1, maxLength: 9, pattern: '\\S' };
  assert.deepEqual([shown(name(9)), shown(identifier(9))], [named, named]);
  assert.deepEqual(shown(wireIdOf('esc')), {
    type: 'string',
    maxLength: 36,
    description: '`esc_` and 26 characters of base32.',
  });
  assert.deepEqual(shown(ignored()), { description: 'Accepted and ignored.' });
  assert.equal((shown(metadata()) as { description: string }).description,
    'At most 16384 bytes of JSON.');
  assert.deepEqual(shown(currencyCode()), {
    type: 'string',
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 code.',
  });
  const fraction = shown(decimalFraction()) as { anyOf: { pattern: string; maximum: number }[] };
  const pattern = new RegExp(fraction.anyOf[0]?.pattern ?? '');
  for (const one of ['0', '1', '0.5', '1.0']) assert.match(one, pattern);
  for (const one of ['1.1', '2', '.5']) assert.doesNotMatch(one, pattern);
  const { description, ...number } = fraction.anyOf[1] as unknown as Record<string, unknown>;
  assert.deepEqual([description, number], [undefined, { type: 'number', minimum: 0, maximum: 1 }]);
  assert.deepEqual(shown(strictObject({ a: optional(z.string()), b: z.string() })), {
    type: 'object',
    properties: { a: { type: ['string', 'null'] }, b: { type: 'string' } },
    required: ['b'],
    additionalProperties: false,
  });
});

test('finished JSON is spliced as it is, all else is written', () => {
  const done = new JsonText('{"a": 1}');
  assert.equal(jsonTextOf(done), '{"a": 1}');
  assert.deepEqual(done.parse(), { a: 1 });
  assert.equal(jsonTextOf({ a: 1 }), '{"a":1}');
  assert.equal(jsonTextOf(undefined), 'null');
  assert.equal(jsonTextOf(null), 'null');
});
