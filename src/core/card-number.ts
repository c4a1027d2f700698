// Finds card numbers in text, so that input holding one is refused before it is stored and logs
// show none. [G-75] schema.ts decides which fields are checked.

const MIN_DIGITS = 13;
const ZERO = 48;
const NINE = 57;
const SPACE = 32;
const HYPHEN = 45;
const ASCII_END = 128;
const LETTER = /\p{L}/u;
/** A telephone number after its plus has at most this many digits (ITU-T E.164). */
const TELEPHONE_MAX = 15;
const MASK = '[card number]';
/**
 * Group lengths in which card numbers are written: one run, fours, or as American Express, Diners
 * Club, UnionPay and old Visa cards print them.
 */
const SHAPES: ReadonlySet<string> = new Set([
  ...['13', '14', '15', '16', '17', '18', '19'],
  ...['4 4 4 1', '4 4 4 2', '4 4 4 3', '4 4 4 4', '4 4 4 4 1', '4 4 4 4 2', '4 4 4 4 3'],
  ...['4 6 5', '4 6 4', '6 13', '4 3 3 3'],
]);
const MOST_GROUPS = 5;

/** Range of the first four digits, and the lengths that the brand issues in it. */
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

/** A span of text: from `start` up to `end`. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * True if the text contains a card number: 13 to 19 digits with the prefix and length of a known
 * brand and a valid check digit (Luhn), in one run or in the groups cards show, separated by single
 * spaces or hyphens. Digits next to a letter belong to a word, such as a parcel number; part of a
 * longer run of digits is no card number, nor is a telephone number after its plus. Full-width
 * digits and no-break spaces count as plain ones. Takes time linear in the text's length.
 */
export function containsCardNumber(text: string): boolean {
  return cardNumbersIn(plain(text)).next().done !== true;
}

/** The text with each card number in it replaced. */
export function maskCardNumbers(text: string): string {
  const read = plain(text);
  let masked = '';
  let kept = 0;
  for (const { start, end } of cardNumbersIn(read)) {
    if (start < kept) continue;
    masked += read.slice(kept, start) + MASK;
    kept = end;
  }
  return kept === 0 ? text : masked + read.slice(kept);
}

/** The text with plain digits and spaces; empty if it cannot hold a card number. */
function plain(text: string): string {
  if (text.length < MIN_DIGITS) return '';
  let digits = 0;
  let ascii = true;
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c >= ZERO && c <= NINE) digits += 1;
    else if (c >= ASCII_END) ascii = false;
  }
  if (ascii) return digits < MIN_DIGITS ? '' : text;
  return text.normalize('NFKC');
}

/** Goes through each sequence of digit groups joined by single spaces or hyphens. */
function* cardNumbersIn(text: string): Generator<Place> {
  let at = 0;
  while (at < text.length) {
    const groups: Place[] = [];
    let digits = 0;
    let start = at;
    for (;;) {
      const end = digitsEnd(text, start);
      if (end === start) break;
      groups.push({ start, end });
      digits += end - start;
      at = end;
      const separator = text.charCodeAt(end);
      if (separator !== SPACE && separator !== HYPHEN) break;
      start = end + 1;
    }
    if (digits >= MIN_DIGITS) yield* cardNumbersAmong(text, groups);
    at += 1;
  }
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

/** Tries every group as the first one, since other numbers may precede or follow. */
function* cardNumbersAmong(text: string, groups: readonly Place[]): Generator<Place> {
  for (const [first, { start }] of groups.entries()) {
    let shape = '';
    let number = '';
    for (const group of groups.slice(first, first + MOST_GROUPS)) {
      if (isInWord(text, group)) break;
      shape += `${shape === '' ? '' : ' '}${group.end - group.start}`;
      number += text.slice(group.start, group.end);
      if (!SHAPES.has(shape) || !isCardNumber(number)) continue;
      if (number.length <= TELEPHONE_MAX && text[start - 1] === '+') continue;
      yield { start, end: group.end };
    }
  }
}

/** True for digits right beside a letter. */
function isInWord(text: string, { start, end }: Place): boolean {
  return LETTER.test(text.charAt(start - 1)) || LETTER.test(text.charAt(end));
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

/** Luhn check: from the right, every second digit doubled; the sum must be a multiple of ten. */
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
