// Fields that hold text: what a person types, in which no card number may stand, and what a program
// sends, which is its own. [G-30, G-75]
import { z } from 'zod';
import { containsCardNumber } from './card-number.ts';

/** Longest free text, in code points. [G-30] */
export const TEXT_MAX = 2048;
/** Longest reference or SKU, in code points. [G-30] */
export const REFERENCE_MAX = 255;
/** What a check is handed, and where it reports. */
export type Check<T> = z.core.ParsePayload<T>;

/** Says what is wrong with a value; never what the value is. */
export function report(
  payload: Check<unknown>,
  message: string,
  code?: 'CARD_NUMBER_REFUSED',
): void {
  const params = code === undefined ? {} : { params: { code } };
  payload.issues.push({ code: 'custom', input: payload.value, message, ...params });
}

/** True when a text has at most `max` code points; stops counting soon after. */
function fits(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > max * 2) return false;
  let count = 0;
  for (const _ of text) count += 1;
  return count <= max;
}

/**
 * Reports a text that is too long or holds NUL; false then. The JSON reader refuses NUL already,
 * but a query does not pass it, and the database would answer with a fault.
 */
export function isStorable(payload: Check<string>, max: number): boolean {
  const { value } = payload;
  if (!fits(value, max)) report(payload, `must be at most ${max} characters`);
  else if (value.includes('\u0000')) report(payload, 'must not hold NUL');
  else return true;
  return false;
}

/**
 * What a person types, at most `max` code points, possibly empty; holds no card number. What a
 * program sends is a `reference`. [G-30, G-75]
 */
export function text(max: number = TEXT_MAX): z.ZodString {
  return z
    .string()
    .check((payload) => {
      if (isStorable(payload, max) && containsCardNumber(payload.value)) refuseCard(payload);
    })
    .meta({ maxLength: max });
}

/** A name that a person types: 1 to `max` code points, not blank, no card number. [G-75] */
export function name(max: number): z.ZodString {
  return identifier(max).check((payload) => {
    if (containsCardNumber(payload.value)) refuseCard(payload);
  });
}

/** A name that a program gives, such as a username: 1 to `max` code points, not blank. [G-75] */
export function identifier(max: number): z.ZodString {
  return z
    .string()
    .check((payload) => {
      if (!isStorable(payload, max)) return;
      if (payload.value.trim() === '') report(payload, 'must not be blank');
    })
    .meta({ minLength: 1, maxLength: max, pattern: '\\S' });
}

function refuseCard(payload: Check<string>): void {
  report(payload, 'must not hold a card number', 'CARD_NUMBER_REFUSED');
}

/**
 * What a program sends: an id, a reference, a SKU, a description. At most `max` code points,
 * otherwise free: one parcel number in eleven would pass for a card number. [G-75]
 */
export function reference(max: number = REFERENCE_MAX): z.ZodString {
  return z
    .string()
    .check((payload) => void isStorable(payload, max))
    .meta({ maxLength: max });
}
