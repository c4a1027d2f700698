// How an amount is written: currency code and digits as the page's language has them. The digits
// are the server's own where it sent a text. [G-48]
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

/** The parts of an amount, in their order; `code` for the currency. */
export interface AmountPart {
  readonly code: boolean;
  readonly text: string;
}

/** The parts of the server's `USD 1234.50`; another text is one part. */
export function amountParts(display: string): readonly AmountPart[] {
  const [, code = '', digits = '', decimals = ''] = /^(\S+) (\d+(?:\.(\d+))?)$/.exec(display) ?? [];
  if (code === '') return [{ code: false, text: display }];
  const shown = decimals.length;
  const format = new Intl.NumberFormat(numbersLocale(), {
    ...{ style: 'currency', currencyDisplay: 'code', currency: 'USD' },
    ...{ minimumFractionDigits: shown, maximumFractionDigits: shown },
  });
  // `Intl` takes codes of three letters alone, and ties the code to the digits.
  return format.formatToParts(Number(digits)).map(({ type, value }) => {
    if (type === 'currency') return { code: true, text: code };
    return { code: false, text: type === 'literal' ? value.replace('\u00A0', ' ') : value };
  });
}

/** The server's `USD 1234.50` as the page's language writes it. */
export function amountText(display: string): string {
  return amountParts(display)
    .map(({ text }) => text)
    .join('');
}
