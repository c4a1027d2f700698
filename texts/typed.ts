// What a person types, in the signs that the platform reads: digits of any script, separators of
// any keyboard. The widget uses it where it is typed, the server where a page's form comes in.

/** Fields of people's forms that are numbers or codes. The names of people and places stay. */
const CODES: ReadonlySet<string> = new Set([
  ...['date_of_birth', 'ssn', 'tax_id', 'zip', 'phone_code', 'phone_number'],
  ...['user_email', 'naics_numbers', 'duns_numbers', 'iban', 'agent_email'],
  ...['registration_number', 'vat_number', 'postal_code'],
]);
/** Hyphens and the long stroke that a Japanese keyboard types for one. */
const HYPHENS = /[\u2010-\u2015\u2212\u30fc]/g;
/** Marks of direction and joiners, which are pasted along and not seen; the postal mark. */
const MARKS = /[\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u3012]/g;

/** The value of a digit: scripts have theirs in a row, from zero. */
function valueOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return String(value);
}

/** Digits of every script, and signs of full width, as on a Latin keyboard. */
export function latinDigits(text: string): string {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, valueOf);
}

/** A number or code as typed: `〒１２３ー４５６７` is `123-4567`. */
export function typedCode(text: string): string {
  const plain = latinDigits(text).replace(MARKS, '').replace(HYPHENS, '-');
  return plain.replace(/[\u060c\u3001]/g, ',');
}

/** An amount as typed, with the separators of Arabic and of full width: `١٬٢٣٤٫٥٠` is `1,234.50`. */
export function typedMoney(text: string): string {
  return typedCode(text).replace(/[\u066b\u3002]/g, '.').replace(/\u066c/g, ',');
}

/** The body of a page's form: what is a number or code in it, as typed above; the rest stays. */
export function typedForm(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(typedForm);
  if (Object.getPrototypeOf(body ?? '') !== Object.prototype) return body;
  const read = Object.entries(body as object).map(([name, value]) => {
    const isCode = CODES.has(name) && typeof value === 'string';
    return [name, isCode ? typedCode(value) : typedForm(value)];
  });
  return Object.fromEntries(read);
}
