// ISO 4217 currencies: which codes are active, their minor-unit digits, and how an amount is
// displayed. Which currencies a tenant has enabled is a tenant setting, not decided here.
import { MINOR_UNITS } from './currencies-data.ts';

/** All active codes that have a minor unit, in alphabetical order. */
export const CURRENCY_CODES: readonly string[] = Object.keys(MINOR_UNITS);

const DIGITS: ReadonlyMap<string, number> = new Map(Object.entries(MINOR_UNITS));
const ZEROS = ['', '0', '00', '000', '0000'];

/** Digits after the decimal point: 2 for USD, 0 for JPY; null for a code that is not active. */
export function digitsOf(code: string): number | null {
  return DIGITS.get(code) ?? null;
}

/**
 * Code, one space, decimal without grouping: `USD 2.00`, `JPY 155`. [G-48] `amount` is in minor
 * units. `digits` is for a tenant's own token, which ISO does not list; an unknown code without it
 * is a fault.
 */
export function displayAmount(amount: bigint | number, code: string, digits?: number): string {
  const places = digits ?? DIGITS.get(code);
  if (places === undefined) throw new Error('an amount is in a currency without known digits');
  if (typeof amount === 'number' && !Number.isSafeInteger(amount)) {
    throw new Error('an amount is not a whole number of minor units');
  }
  const negative = amount < 0;
  const units = String(negative ? -amount : amount);
  const sign = negative ? '-' : '';
  if (places === 0) return `${code} ${sign}${units}`;
  const padded = units.length > places ? units : padLeft(units, places + 1);
  const point = padded.length - places;
  return `${code} ${sign}${padded.slice(0, point)}.${padded.slice(point)}`;
}

function padLeft(units: string, width: number): string {
  const missing = width - units.length;
  return (ZEROS[missing] ?? '0'.repeat(missing)) + units;
}
