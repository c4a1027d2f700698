// Answers for one question: does a text hold a card number? Free text that does is refused before
// it is stored. [G-75] Refuses to know which fields are free text (schema.ts says).

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
const ZERO = 48;
const NINE = 57;
const SPACE = 32;
const HYPHEN = 45;
const ASCII_END = 128;
/**
 * A UUID is an id wherever it stands: one in 800 of them has groups of digits that would pass for a
 * card number.
 */
const UUID = /(?<![0-9A-Za-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9A-Za-z])/gi;

/** A range of the first four digits, and the lengths that the brand issues in it. */
interface Brand {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly lengths: readonly number[];
}

const LONG = [16, 17, 18, 19];
const MAESTRO = [13, 14, 15, 16, 17, 18, 19];

/** A brand whose numbers start with `from` to `to`, prefixes of up to four digits. */
function brand(name: string, from: number, to: number, lengths: readonly number[]): Brand {
  const width = (prefix: number, fill: string) => Number(String(prefix).padEnd(4, fill));
  return { name, from: width(from, '0'), to: width(to, '9'), lengths };
}

/** Issuer ranges of ISO/IEC 7812 that the brands publish. */
const BRANDS: readonly Brand[] = [
  brand('Visa', 4, 4, [13, 16, 18, 19]),
  brand('Mastercard', 51, 55, [16]),
  brand('Mastercard', 2221, 2720, [16]),
  brand('American Express', 34, 34, [15]),
  brand('American Express', 37, 37, [15]),
  brand('Discover', 6011, 6011, LONG),
  brand('Discover', 644, 659, LONG),
  brand('Diners Club', 300, 305, [14, 15, 16, 17, 18, 19]),
  brand('Diners Club', 3095, 3095, [14, 15, 16, 17, 18, 19]),
  brand('Diners Club', 36, 36, [14, 15, 16, 17, 18, 19]),
  brand('Diners Club', 38, 39, [14, 15, 16, 17, 18, 19]),
  brand('JCB', 3528, 3589, LONG),
  brand('UnionPay', 62, 62, LONG),
  brand('UnionPay', 81, 81, LONG),
  brand('Maestro', 5018, 5018, MAESTRO),
  brand('Maestro', 5020, 5020, MAESTRO),
  brand('Maestro', 5038, 5038, MAESTRO),
  brand('Maestro', 5612, 5612, MAESTRO),
  brand('Maestro', 5893, 5893, MAESTRO),
  brand('Maestro', 6304, 6304, MAESTRO),
  brand('Maestro', 6390, 6390, MAESTRO),
  brand('Maestro', 6703, 6703, MAESTRO),
  brand('Maestro', 6759, 6763, MAESTRO),
];

/**
 * True when a text is or holds a card number: 13 to 19 digits with the prefix and length of a known
 * brand and a right check digit (Luhn), written in one run or in groups parted by single spaces or
 * hyphens. A run is taken whole: a part of a longer run of digits is no card number. Full-width
 * digits and no-break spaces count as the plain ones. Time grows with the length of the text.
 */
export function containsCardNumber(text: string): boolean {
  if (text.length < MIN_DIGITS) return false;
  return holds(text.includes('-') ? text.replaceAll(UUID, ' id ') : text);
}

function holds(text: string): boolean {
  let digits = 0;
  let ascii = true;
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c >= ZERO && c <= NINE) digits += 1;
    else if (c >= ASCII_END) ascii = false;
  }
  if (ascii) return digits >= MIN_DIGITS && scan(text);
  return scan(text.normalize('NFKC'));
}

/** Looks at each run of digits that single spaces or hyphens join. */
function scan(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const groups: string[] = [];
    let start = at;
    for (;;) {
      const end = digitsEnd(text, start);
      if (end === start) break;
      groups.push(text.slice(start, end));
      at = end;
      const separator = text.charCodeAt(end);
      if (separator !== SPACE && separator !== HYPHEN) break;
      start = end + 1;
    }
    if (groups.length > 0 && groupsHoldCard(groups)) return true;
    at += 1;
  }
  return false;
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const c = text.charCodeAt(end);
    if (c < ZERO || c > NINE) break;
    end += 1;
  }
  return end;
}

/** Tries each sequence of neighbouring groups, since a number may follow or precede others. */
function groupsHoldCard(groups: readonly string[]): boolean {
  for (let first = 0; first < groups.length; first += 1) {
    let number = '';
    for (let last = first; last < groups.length; last += 1) {
      const group = groups[last] as string;
      if (number.length + group.length > MAX_DIGITS) break;
      number += group;
      if (number.length >= MIN_DIGITS && isCardNumber(number)) return true;
    }
  }
  return false;
}

/** `number`: 13 to 19 plain digits. */
function isCardNumber(number: string): boolean {
  return hasCheckDigit(number) && hasBrand(number);
}

function hasBrand(number: string): boolean {
  const prefix = Number(number.slice(0, 4));
  for (const { from, to, lengths } of BRANDS) {
    if (prefix >= from && prefix <= to && lengths.includes(number.length)) return true;
  }
  return false;
}

/** The check of Luhn: from the right, every second digit doubled, the sum a multiple of ten. */
function hasCheckDigit(number: string): boolean {
  let sum = 0;
  let doubled = false;
  for (let at = number.length - 1; at >= 0; at -= 1) {
    const digit = number.charCodeAt(at) - ZERO;
    const weighed = doubled ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
    doubled = !doubled;
  }
  return sum % 10 === 0;
}
