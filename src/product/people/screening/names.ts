// Names as they are compared with a watch-list, and the keys under which an entry is found. Two
// words of a name as they sound are one key, in any order and script, so a middle name, a particle
// or a swapped order loses nobody; one word with the year of birth is another. Pure. [G-51]
import { leadingForm, soundOf, wordsOf } from '../matching/index.ts';

/** Words of a name that are keyed; titles in front push at most the last ones out. */
const KEYED_WORDS = 6;
/** Scripts without blanks between the words of a name. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const SHORTEST = 2;

/** The signs of a name in a script without blanks, in one order; '' for others. */
export function unspaced(words: readonly string[]): string {
  const joined = words.join('');
  return UNSPACED.test(joined) ? [...joined].toSorted().join('') : '';
}

/** The keys of a name; none for a single word, which says too little of a person. */
export function keysOfName(words: readonly string[]): string[] {
  const signs = unspaced(words);
  if (signs !== '') return [signs];
  const long = words.filter((word) => word.length >= SHORTEST).slice(0, KEYED_WORDS);
  // A name may be written as one word or two: each pair of neighbours counts as one word, too.
  const units = [
    ...long.map((word, at) => ({ word, from: at, to: at })),
    ...long.slice(1).map((word, at) => {
      return { word: `${long[at] ?? ''}${word}`, from: at, to: at + 1 };
    }),
  ].flatMap(({ word, from, to }) => {
    const sounds = new Set([soundOf(word), soundOf(leadingForm(word))]);
    return [...sounds].map((sound) => ({ sound, from, to }));
  });
  const pairs = units.flatMap((one) =>
    units
      .filter((other) => other.from > one.to)
      .map((other) => [one.sound, other.sound].toSorted().join(' ')),
  );
  return [...new Set(pairs)];
}

/** Words that say what kind of organization it is, and not which. */
const LEGAL_FORMS = new Set(
  `ab ag as bv co company corp corporation gmbh inc incorporated jsc kg limited llc llp ltd nv
    oao ooo oy pao pjsc plc pte pty sa sarl sas spa srl`.split(/\s+/),
);

/** The words of an organization's name without its legal form. */
export function wordsOfOrganization(name: string): string[] {
  const words = wordsOf(name);
  const own = words.filter((word) => !LEGAL_FORMS.has(word));
  return own.length === 0 ? words : own;
}

/** The keys of an organization's name, of which one word says enough. */
export function keysOfOrganization(words: readonly string[]): string[] {
  const [only, ...more] = words;
  return only !== undefined && more.length === 0 && unspaced(words) === ''
    ? [soundOf(only)]
    : keysOfName(words);
}

/** Keys of each word with each year of birth: they find a name of which one word is misspelt. */
export function keysOfYears(words: readonly string[], years: readonly number[]): string[] {
  const long = words.filter((word) => word.length >= SHORTEST).slice(0, KEYED_WORDS);
  const sounds = new Set(long.map(soundOf));
  return [...sounds].flatMap((sound) => years.map((year) => `${sound} ${year}`));
}
