// How similar two texts are, and how they sound. Pure arithmetic on letters, without fields or
// weights.
import { areForms, areSpellings, leadingForm, leadingForms, spellingOf } from './names-data.ts';

/**
 * How alike two words are. A form is a short or foreign form of the same name; spelt: the same name
 * in another script, romanization or older spelling.
 */
export type Degree =
  | 'same'
  | 'spelt'
  | 'form'
  | 'close'
  | 'near'
  | 'initial'
  | 'differs'
  | 'missing';

const CLOSE = 0.92;
const NEAR = 0.82;
/** Up to this length of both texts, one edit makes another word. */
const SHORT = 4;

/** The degrees of pairs that were compared: a look-up meets the usual words again and again. */
const COMPARED = new Map<string, Degree>();
const COMPARED_MAX = 50_000;
const PAIR_MAX = 64;

/** Compares two words: misspelt ones are close, less alike ones near. Symmetric. */
export function likeness(one: string, other: string): Degree {
  if (one === '' || other === '') return 'missing';
  if (one === other) return 'same';
  const pair = one < other ? `${one} ${other}` : `${other} ${one}`;
  const known = COMPARED.get(pair);
  if (known !== undefined) return known;
  const degree = compared(one, other);
  // Long ones are rare, and all are dropped at once: the usual ones are soon back.
  if (COMPARED.size >= COMPARED_MAX) COMPARED.clear();
  if (pair.length <= PAIR_MAX) COMPARED.set(pair, degree);
  return degree;
}

function compared(one: string, other: string): Degree {
  if (areSpellings(one, other)) return 'spelt';
  if (areForms(one, other)) return 'form';
  if (one.length === 1 || other.length === 1) return one[0] === other[0] ? 'initial' : 'differs';
  const [mine, theirs] = [spellingOf(one), spellingOf(other)];
  const isPlain = mine === one && theirs === other;
  const alike = Math.max(jaroWinkler(one, other), isPlain ? 0 : jaroWinkler(mine, theirs));
  const isLong = Math.max(one.length, other.length) > SHORT;
  const isSlip = isOneEdit(one, other) || isOneEdit(mine, theirs);
  if (isLong && (alike >= CLOSE || isSlip)) return 'close';
  return isLong && alike >= NEAR ? 'near' : 'differs';
}

const PREFIX_MAX = 4;
const PREFIX_GAIN = 0.1;
const SOUND_LENGTH = 4;

/** Jaro-Winkler similarity, from 0 (nothing in common) to 1 (the same). */
export function jaroWinkler(one: string, other: string): number {
  if (one === other) return one === '' ? 0 : 1;
  const jaro = jaroOf(one, other);
  let prefix = 0;
  while (prefix < PREFIX_MAX && prefix < one.length && one[prefix] === other[prefix]) prefix += 1;
  return jaro + prefix * PREFIX_GAIN * (1 - jaro);
}

function jaroOf(one: string, other: string): number {
  const reach = Math.max(0, Math.floor(Math.max(one.length, other.length) / 2) - 1);
  const taken = new Uint8Array(other.length);
  const mine: string[] = [];
  for (let at = 0; at < one.length; at += 1) {
    const end = Math.min(other.length, at + reach + 1);
    for (let to = Math.max(0, at - reach); to < end; to += 1) {
      if (taken[to] === 1 || one[at] !== other[to]) continue;
      taken[to] = 1;
      mine.push(one[at] ?? '');
      break;
    }
  }
  const found = mine.length;
  if (found === 0) return 0;
  const theirs = other.split('').filter((_, at) => taken[at] === 1);
  const swapped = mine.filter((letter, at) => letter !== theirs[at]).length / 2;
  return (found / one.length + found / other.length + (found - swapped) / found) / 3;
}

/** True where one insertion, omission, replacement or swap of neighbours makes them equal. */
export function isOneEdit(one: string, other: string): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || long === short) return false;
  let at = 0;
  while (at < short.length && long[at] === short[at]) at += 1;
  if (long.length > short.length) return long.slice(at + 1) === short.slice(at);
  if (long.slice(at + 1) === short.slice(at + 1)) return true;
  const swapped = long[at] === short[at + 1] && long[at + 1] === short[at];
  return swapped && long.slice(at + 2) === short.slice(at + 2);
}

/** Sounds as digits; letters that are absent (vowels, h, w, y) have none. */
const SOUNDS: Readonly<Record<string, string>> = Object.fromEntries(
  ['bfpv', 'cgjkqsxz', 'dt', 'l', 'mn', 'r'].flatMap((letters, digit) =>
    [...letters].map((letter) => [letter, String(digit + 1)]),
  ),
);
/** First letters that differ between romanizations of one name. */
const OPENINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:kn|gn|pn)/, 'n'],
  [/^i(?=[aeiou])/, 'j'],
  [/^g/, 'k'],
  [/^b/, 'p'],
  [/^d/, 't'],
  [/^(?:t?z|ts)/, 's'],
  [/^v/, 'f'],
];

/** How a name sounds, in at most four signs: the same for its forms and romanizations. */
export function soundOf(name: string): string {
  return codeOf(leadingForm(name));
}

/** How a name sounds, and each name that it may be a form of. */
export function soundsOf(name: string): string[] {
  return [...new Set([name, ...leadingForms(name)].map(codeOf))];
}

function codeOf(name: string): string {
  const spelt = OPENINGS.reduce(
    (text, [start, sound]) => text.replace(start, sound),
    spellingOf(name),
  );
  let code = spelt[0] ?? '';
  let last = SOUNDS[code] ?? '';
  for (const letter of spelt.slice(1)) {
    const sound = SOUNDS[letter] ?? '';
    if (sound !== '' && sound !== last) code += sound;
    last = sound;
    if (code.length === SOUND_LENGTH) break;
  }
  return code;
}
