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

test("the field selects the form; null for the other form's fields counts as absent", () => {
  const taken: readonly (readonly [unknown, unknown])[] = [
    [{ name: 'a' }, { name: 'a' }],
    [{ name: 'a', of: null }, { name: 'a' }],
    [{ of: 'b', name: null, note: 'n' }, { of: 'b', note: 'n' }],
  ];
  for (const [given, read] of taken) assert.deepEqual(body.parse(given), read);
});

test("the other form's fields are refused, as is null for an unknown or required field", () => {
  const wrong = [{ of: 'b', name: 'a' }, { name: 'a', other: null }, { name: null, of: null }];
  for (const given of [...wrong, null, [], 'of']) assert.ok(!body.safeParse(given).success);
});

test('the given body is not changed', () => {
  const given = { name: 'a', of: null };
  body.parse(given);
  assert.deepEqual(given, { name: 'a', of: null });
});
