// Text fields: what a person types must not hold a card number; what a program sends is not checked
// for one. [G-30, G-75]
import { z } from 'zod';
import { containsCardNumber } from './card-number.ts';

/** Longest free text, in code points. [G-30] */
export const TEXT_MAX = 2048;
/** Longest reference or SKU, in code points. [G-30] */
export const REFERENCE_MAX = 255;
/** The value under check, and where to report issues. */
export type Check<T> = z.core.ParsePayload<T>;

/** Reports what is wrong with a value, never the value itself. */
export function report(
  payload: Check<unknown>,
  message: string,
  code?: 'CARD_NUMBER_REFUSED',
): void {
  payload.issues.push({ code: 'custom', input: payload.value, message, params: { code } });
}

/** True if a text has at most `max` code points; stops counting soon after. */
function fits(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > max * 2) return false;
  let count = 0;
  for (const _ of text) count += 1;
  return count <= max;
}

/**
 * Reports a text that is too long or holds NUL, and returns false. Bodies are refused for NUL by
 * the JSON reader, but queries are not, and the database would fail on it.
 */
export function isStorable(payload: Check<string>, max: number): boolean {
  const { value } = payload;
  if (!fits(value, max)) report(payload, `must be at most ${max} characters`);
  else if (value.includes('\u0000')) report(payload, 'must not contain NUL characters');
  else return true;
  return false;
}

/**
 * Text typed by a person: at most `max` code points, may be empty, no card number. For text from a
 * program use `reference`. [G-30, G-75]
 */
export function text(max: number = TEXT_MAX): z.ZodString {
  return z
    .string()
    .check((payload) => {
      if (isStorable(payload, max) && containsCardNumber(payload.value)) refuseCard(payload);
    })
    .meta({ maxLength: max });
}

/** A name typed by a person: 1 to `max` code points, not blank, no card number. [G-75] */
export function name(max: number): z.ZodString {
  return identifier(max).check((payload) => {
    if (containsCardNumber(payload.value)) refuseCard(payload);
  });
}

/** A name set by a program, such as a username: 1 to `max` code points, not blank. [G-75] */
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
  report(payload, 'must not contain a card number', 'CARD_NUMBER_REFUSED');
}

/**
 * What a program sends: an id, reference, SKU or description of at most `max` code points. Not
 * checked for card numbers: one parcel number in eleven would pass for one. [G-75]
 */
export function reference(max: number = REFERENCE_MAX): z.ZodString {
  return z
    .string()
    .check((payload) => void isStorable(payload, max))
    .meta({ maxLength: max });
}
