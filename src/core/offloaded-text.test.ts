// An offloaded field can be taken once, is never printed, and stands for itself in hashes and
// schemas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { z } from 'zod';
import { readInput } from './input.ts';
import { canonicalJson } from './json.ts';
import { OffloadedText } from './offloaded-text.ts';
import { fileText, list, strictObject, text } from './schema.ts';

const offloaded = (length: number) => new OffloadedText(Buffer.from('secret'), length, 'sha256:ab');

test('the bytes are given once and never printed', () => {
  const one = offloaded(5_000);
  assert.ok(!inspect(one, { showHidden: true, depth: 9 }).includes('secret'));
  assert.throws(() => JSON.stringify({ one }), /only a file/);
  assert.equal(one.take().toString(), 'secret');
  assert.throws(() => one.take(), /twice/);
});

test('hashes use its digest, which no string can equal', () => {
  const value = { b: offloaded(5_000), a: 'sha256:ab' };
  assert.equal(canonicalJson(value), '{"a":"sha256:ab","b":sha256:ab}');
});

test('only a file field accepts it, within its limit', () => {
  const schema = strictObject({ file: fileText(6_000), name: text(), all: list(strictObject({})) });
  const read = (value: object) => {
    const result = readInput(schema, { file: 'data:', name: 'n', all: [], ...value });
    return result.ok ? 'fine' : { ...result.errors };
  };
  assert.equal(read({}), 'fine');
  assert.equal(read({ file: offloaded(8_000 + 64) }), 'fine');
  const tooLong = { file: 'must be a file of at most 6000 bytes' };
  assert.deepEqual(read({ file: offloaded(8_000 + 65) }), tooLong);
  assert.deepEqual(read({ file: 5, name: offloaded(5_000) }), {
    file: 'must be a string',
    name: 'is too long',
  });
  assert.deepEqual(read({ file: undefined, all: [offloaded(5_000)] }), {
    file: 'is required',
    'all[0]': 'must be an object',
  });
  const shown = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  assert.deepEqual(shown.required, ['file', 'name', 'all']);
  assert.match(JSON.stringify(shown), /"type":"string","maxLength":8064/);
});
