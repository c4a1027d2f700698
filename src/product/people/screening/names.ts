// Names as they are compared with a watch-list, and the keys under which an entry is found. Two
// words of a name as they sound are one key, in any order and script, so a middle name, a particle
// or a swapped order loses nobody; one word with the year of birth is another. Pure. [G-51]
import { namesIn, soundsOf, wordsOf } from '../matching/index.ts';

/** Words of a name that are keyed; titles in front push at most the last ones out. */
const KEYED_WORDS = 6;
const SHORTEST = 2;

/** A name of signs without blanks: a surname of one sign, or of two, and the given name. */
const SIGNS =
  /^(?<surname>欧阳|歐陽|司马|司馬|诸葛|諸葛|남궁|황보|..(?=..$)|.)(?<given>.{1,3})$/u;
const ONLY_SIGNS = /^[\p{Script=Han}\p{Script=Hangul}]{2,4}$/u;

/** The words of a person's whole name, in Latin letters; without titles. */
export function wordsOfPerson(name: string): string[] {
  const plain = name.normalize('NFKC').trim();
  const { surname, given } = (ONLY_SIGNS.test(plain) && SIGNS.exec(plain)?.groups) || {};
  return namesIn(surname === undefined ? plain : `${surname} ${given}`);
}

/** The keys of a name; none for a single word, which says too little of a person. */
export function keysOfName(words: readonly string[]): string[] {
  const long = words.filter((word) => word.length >= SHORTEST).slice(0, KEYED_WORDS);
  // A name may be written as one word or two: each pair of neighbours counts as one word, too.
  const units = [
    ...long.map((word, at) => ({ word, from: at, to: at })),
    ...long.slice(1).map((word, at) => {
      return { word: `${long[at] ?? ''}${word}`, from: at, to: at + 1 };
    }),
  ].flatMap(({ word, from, to }) => {
    return soundsOf(word).map((sound) => ({ sound, from, to }));
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
  return only !== undefined && more.length === 0 ? soundsOf(only) : keysOfName(words);
}

/** Keys of each word with each year of birth: they find a name of which one word is misspelt. */
export function keysOfYears(words: readonly string[], years: readonly number[]): string[] {
  const long = words.filter((word) => word.length >= SHORTEST).slice(0, KEYED_WORDS);
  const sounds = new Set(long.flatMap(soundsOf));
  return [...sounds].flatMap((sound) => years.map((year) => `${sound} ${year}`));
}
