// Parameters are read exactly as written; nothing doubtful is repaired.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readParameters } from './form.ts';

const texts = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\u0000'));
const names = texts.filter((text) => text !== '' && text !== '__proto__');

test("a browser's form encoding is decoded unchanged", () => {
  fc.assert(
    fc.property(fc.dictionary(names, texts, { noNullPrototype: true }), (values) => {
      const written = new URLSearchParams(values).toString();
      assert.deepEqual({ ...readParameters(written) }, values);
    }),
    { seed: 10 },
  );
});

test('a duplicate name is refused, however it is escaped', () => {
  fc.assert(
    fc.property(names, texts, texts, (name, first, second) => {
      const one = new URLSearchParams([[name, first]]).toString();
      const spelled = [...Buffer.from(name)].map(
        (byte) => `%${byte.toString(16).padStart(2, '0')}`,
      );
      assert.equal(readParameters(`${one}&x=1&${spelled.join('')}=${second.length}`), null);
    }),
    { seed: 11 },
  );
});

test('any text is read or refused, never a fault', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const values = readParameters(text);
      if (values === null) return;
      assert.equal(Object.getPrototypeOf(values), null);
      for (const value of Object.values(values)) assert.ok(value.isWellFormed());
    }),
    { seed: 12 },
  );
  for (const text of [
    '%',
    '%zz',
    'a=%ff',
    '=b',
    '&',
    'a&a',
    '__proto__=1',
    'a=%00',
    'é=1',
    'a\nb',
  ]) {
    assert.equal(readParameters(text), null, text);
  }
  assert.equal(readParameters(Array.from({ length: 201 }, (_, n) => `a${n}`).join('&')), null);
  assert.deepEqual({ ...readParameters('') }, {});
  assert.deepEqual({ ...readParameters('a=b c+d=e') }, { a: 'b c d=e' });
});
