// How well a person fits an entry of a watch-list, from 0 to 1. Names count first; birth date and
// country only lower the score. A list is wrong more often than it is complete, so what it does not
// say counts against nobody much: a person decides. Pure. [G-51]
import { isOneEdit, jaroWinkler, likeness } from '../matching/index.ts';

/** The score from which a person is reviewed. */
export const SCREENING_THRESHOLD = 0.85;

/** Two words less alike than this are different words. */
const ALIKE = 0.8;
/** What each word too many takes from the likeness of two names. */
const EXTRA = 0.05;
const EXTRA_MOST = 2;
const FORM = 0.95;
/** A word for which the other has its first letter. */
const INITIAL = 0.9;
/** A name of one word is compared only as a whole. */
const WORDS = 2;

/** What one writes as two words, the other may write as one, with at most so many letters more. */
const SLIPS = 2;

/** Factors for what the birth date says. */
const DATES = { same: 1, close: 0.97, unknown: 0.93, near: 0.93, differs: 0.6 } as const;
const OTHER_COUNTRY = 0.97;

/** A person as compared: names as words, and '' or none for what is not known. */
export interface Screened {
  /** Each name in full; most have one. */
  readonly names: readonly (readonly string[])[];
  /** `YYYY-MM-DD` or ''. */
  readonly birth: string;
  /** Lower-case ISO 3166-1 codes. */
  readonly countries: readonly string[];
}

/** An entry as compared. */
export interface Listed {
  readonly names: readonly (readonly string[])[];
  readonly births: readonly string[];
  readonly countries: readonly string[];
}

function alike(one: string, other: string): number {
  const degree = likeness(one, other);
  if (degree === 'same' || degree === 'spelt') return 1;
  if (degree === 'initial') return INITIAL;
  const letters = jaroWinkler(one, other);
  if (degree === 'form') return Math.max(FORM, letters);
  return letters >= ALIKE ? letters : 0;
}

/** Likeness of two names: each word of the shorter takes the best word left of the longer. */
export function nameLikeness(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [one.join(''), other.join('')];
  const whole = a === b || isOneEdit(a, b) ? jaroWinkler(a, b) : 0;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < WORDS) return whole;
  const merged = short.length === long.length ? [] : long.slice(1).flatMap((word, at) => {
    const joined = `${long[at] ?? ''}${word}`;
    if (!short.some((of) => Math.abs(of.length - joined.length) <= SLIPS)) return [];
    return [[...long.slice(0, at), joined, ...long.slice(at + 2)]];
  });
  return Math.max(whole, ...[long, ...merged].map((words) => wordsLikeness(short, words)));
}

function wordsLikeness(short: readonly string[], long: readonly string[]): number {
  const left = [...long];
  let sum = 0;
  let length = 0;
  for (const word of short) {
    const scores = left.map((candidate) => alike(word, candidate));
    const best = Math.max(...scores);
    if (best > 0) left.splice(scores.indexOf(best), 1);
    sum += best * word.length;
    length += word.length;
  }
  const extra = Math.min(long.length - short.length, EXTRA_MOST) * EXTRA;
  return (sum / length) * (1 - extra);
}

/** What the entry's dates say about a birth date; the best of them counts. */
function dateDegree(birth: string, births: readonly string[]): keyof typeof DATES {
  if (birth === '' || births.length === 0) return 'unknown';
  const degrees = births.map((day) => oneDate(birth, day));
  const order = Object.keys(DATES) as (keyof typeof DATES)[];
  return order.find((degree) => degrees.includes(degree)) ?? 'differs';
}

function oneDate(birth: string, day: string): keyof typeof DATES {
  if (birth === day) return 'same';
  const [year = '', month, date] = birth.split('-');
  if (birth.startsWith(day) || day === `${year}-${date}-${month}`) return 'close';
  if (day.length === birth.length && isOneEdit(birth, day)) return 'close';
  return Math.abs(Number(year) - Number(day.slice(0, 4))) <= 1 ? 'near' : 'differs';
}

/** The score of a person against an entry, with four digits. */
export function screeningScore(person: Screened, entry: Listed): number {
  const names = person.names.flatMap((own) => entry.names.map((name) => nameLikeness(own, name)));
  const dates = DATES[dateDegree(person.birth, entry.births)];
  const said = person.countries.length > 0 && entry.countries.length > 0;
  const apart = said && !person.countries.some((code) => entry.countries.includes(code));
  const score = Math.max(0, ...names) * dates * (apart ? OTHER_COUNTRY : 1);
  return Math.round(score * 10_000) / 10_000;
}
