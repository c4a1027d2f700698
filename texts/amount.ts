// How an amount is written in a language. The digits are those of the server's text. [G-48]

/** A part of an amount, in its order; `code` for the currency. */
export interface AmountPart {
  readonly code: boolean;
  readonly text: string;
}

const DISPLAY = /^(\S+) (-?)(\d+(?:\.(\d+))?)$/;

/** The parts of `USD 1234.50` as `Intl` orders them in a locale; another text is one part. */
export function amountParts(display: string, locale: string): readonly AmountPart[] {
  const [, code = '', sign = '', digits = '', decimals = ''] = DISPLAY.exec(display) ?? [];
  if (code === '') return [{ code: false, text: display }];
  const shown = decimals.length;
  const format = new Intl.NumberFormat(locale, {
    ...{ style: 'currency', currencyDisplay: 'code', currency: 'USD' },
    ...{ minimumFractionDigits: shown, maximumFractionDigits: shown },
  });
  const parts = format.formatToParts(Number(digits));
  const first = parts.findIndex(({ type }) => type === 'integer');
  // `Intl` takes codes of three letters alone, and ties the code to the digits.
  return parts.map(({ type, value }, at) => {
    if (type === 'currency') return { code: true, text: code };
    const text = type === 'literal' ? value.replace('\u00A0', ' ') : value;
    return { code: false, text: at === first ? sign + text : text };
  });
}

/** `USD 1234.50` as a language writes it. */
export function amountText(display: string, locale: string): string {
  return amountParts(display, locale)
    .map(({ text }) => text)
    .join('');
}
