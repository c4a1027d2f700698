// How an amount is written in the page's language. [G-48]
import { amountParts, amountText as textOfAmount } from '../../../texts/amount.ts';
import type { AmountPart } from '../../../texts/amount.ts';
import { numbersLocale } from '../texts.ts';

/** Decimals of a currency: 2 for USD, 0 for JPY. */
export function minorDigits(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** The server's text of an amount: `USD 1234.50`. */
export function plainAmount(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  return `${currency} ${(minor / 10 ** digits).toFixed(digits)}`;
}

/** `USD 1,234.50` for 123450 minor units. */
export function moneyText(minor: number, currency: string): string {
  return amountText(plainAmount(minor, currency));
}

/** The parts of the server's `USD 1234.50`, in the page's language. */
export function partsOfAmount(display: string): readonly AmountPart[] {
  return amountParts(display, numbersLocale());
}

/** The server's `USD 1234.50` as the page's language writes it. */
export function amountText(display: string): string {
  return textOfAmount(display, numbersLocale());
}
