// Bodies with two forms: which schema reads them, and what `null` means for a field of the other
// form. [G-45, G-70, G-71]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { formsBy } from './forms.ts';
import { optional, strictObject } from './schema.ts';

const whole = strictObject({ name: z.string(), note: optional(z.string()) });
const short = strictObject({ of: z.string(), note: optional(z.string()) });
const body = formsBy('of', whole, short);

test('the field tells the forms apart; null in the place of what the other has is left out', () => {
  const taken: readonly (readonly [unknown, unknown])[] = [
    [{ name: 'a' }, { name: 'a' }],
    [{ name: 'a', of: null }, { name: 'a' }],
    [{ of: 'b', name: null, note: 'n' }, { of: 'b', note: 'n' }],
  ];
  for (const [given, read] of taken) assert.deepEqual(body.parse(given), read);
});

test('what only the other form has is refused, as is null in an unknown or needed field', () => {
  const wrong = [{ of: 'b', name: 'a' }, { name: 'a', other: null }, { name: null, of: null }];
  for (const given of [...wrong, null, [], 'of']) assert.ok(!body.safeParse(given).success);
});

test('the body that was given stays as it was', () => {
  const given = { name: 'a', of: null };
  body.parse(given);
  assert.deepEqual(given, { name: 'a', of: null });
});
