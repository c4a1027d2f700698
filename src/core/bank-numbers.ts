// Numbers that banks and people type: IBANs (ISO 13616) and creditor references (ISO 11649). Both
// carry two check digits, so that a mistyped one is noticed.

/** Digits of our creditor references after the check digits. */
const DIGITS = 16;
/** As people write it: in any grouping, in either case. */
const WRITTEN = new RegExp(`RF(?:[\\s./-]*\\d){${DIGITS + 2}}(?!\\d)`, 'gi');
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** What remains of the text as a number, letters as 10 to 35, divided by 97. */
function remainder(text: string): number {
  let rest = 0;
  for (const char of text) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** True for an IBAN in capitals without blanks, with right check digits. */
export function isIban(text: string): boolean {
  return IBAN.test(text) && remainder(text.slice(4) + text.slice(0, 4)) === 1;
}

/** The IBAN of a country and an account number in its form. */
export function ibanOf(country: string, number: string): string {
  return `${country}${String(98 - remainder(`${number}${country}00`)).padStart(2, '0')}${number}`;
}

/** The creditor reference of these digits: `RF` and two check digits before them. */
export function creditorReference(digits: string): string {
  return `RF${String(98 - remainder(`${digits}RF00`)).padStart(2, '0')}${digits}`;
}

/** The digits of a creditor reference without its check digits. */
export function digitsOfReference(reference: string): string {
  return reference.slice(4);
}

/** In groups of four, as people read it. */
export function inFours(text: string): string {
  return text.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/**
 * The creditor references of our shape in what a payer wrote, each once, without blanks. `mistyped`
 * counts those whose check digits are wrong.
 */
export function referencesIn(text: string): {
  readonly right: string[];
  readonly mistyped: number;
} {
  const written = [...text.matchAll(WRITTEN)].map(([one]) =>
    one.toUpperCase().replaceAll(/[^RF\d]/g, ''),
  );
  const right = written.filter((one) => creditorReference(digitsOfReference(one)) === one);
  return { right: [...new Set(right)], mistyped: written.length - right.length };
}
