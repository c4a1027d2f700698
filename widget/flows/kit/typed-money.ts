// Amounts as people type them. [G-43]
import { minorDigits } from './money-text.ts';

/**
 * Minor units of a typed amount: `24.75`, `24,75`, `1,234.50`; null if it is no amount above zero,
 * or ambiguous.
 */
export function minorUnits(typed: string, currency: string): number | null {
  const digits = minorDigits(currency);
  if (digits === 3 && /,\d{3}$/.test(typed)) return null;
  const plain = typed.replaceAll(/\s/g, '').replaceAll(/,(?=\d{3}(?:\D|$))/g, '');
  const found = /^(\d{1,12})(?:[.,](\d{1,3}))?$/.exec(plain);
  const [, whole = '', part = ''] = found ?? [];
  if (whole === '' || part.length > digits) return null;
  const amount = Number(whole) * 10 ** digits + Number(part.padEnd(digits, '0') || 0);
  return amount > 0 ? amount : null;
}

/** `24.75` for 2475 minor units, as a person would type it. */
export function typedAmount(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  return (minor / 10 ** digits).toFixed(digits);
}
