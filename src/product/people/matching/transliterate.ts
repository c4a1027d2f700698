// Words of any script as Latin letters without accents. Letters of other scripts in a Latin word
// are what they look like (Unicode's table of confusables); words wholly of another script are
// romanized. The tables take a few megabytes and are loaded once. Pure. [G-53]
import anyAscii from 'any-ascii';
import unhomoglyph from 'unhomoglyph';

type Rules = readonly (readonly [RegExp, string])[];

/** Of a longer text the rest is ignored, so that the work for one field is bounded. */
const LONGEST = 256;

const LATIN = /\p{Script=Latin}/u;
const FOREIGN = /[\p{L}--\p{Script=Latin}]/v;
const ASCII_LETTERS = /^[a-z]+$/i;
/** Umlauts, ø and å as one writes them where the keyboard has none: they become plain letters. */
const UMLAUTS: Rules = [
  [/a[ae]+/g, 'a'],
  [/([ou])e+/g, '$1'],
];
/** Signs inside a word that part nothing: apostrophes, and signs that nobody sees. */
const SILENT = /[\p{Cf}'’‘`´ʼʻʹʺ״׳]/gu;

/** Greek pairs of letters that stand for one sound. */
const GREEK: Rules = [
  [/ου/gu, 'ou'],
  [/([αεη])υ(?=[αεηιοωβγδζλμνρ])/gu, '$1v'],
  [/([αεη])υ/gu, '$1f'],
  [/^μπ/gu, 'b'],
  [/^ντ/gu, 'd'],
  [/γγ/gu, 'ng'],
  [/χ/gu, 'ch'],
];

/** Consonants of the scripts of India, which lie alike in their blocks. */
const INDIAN = Array.from({ length: 8 }, (_, block) => {
  const [first, last] = [0x09_15 + block * 0x80, 0x09_39 + block * 0x80];
  return `${String.fromCharCode(first)}-${String.fromCharCode(last)}`;
}).join('');
/** An Indian consonant without a sign for its vowel has an a, unless it ends the word. */
const INDIC: Rules = [
  [new RegExp(`([${INDIAN}]़?)(?=[${INDIAN}ंँ])`, 'gu'), '$1a'],
  [/[शष]/gu, 'sh'],
  [/[ंँ]/gu, 'n'],
];

/** Thai: silent letters, tones, vowels written before their consonant, and vowels left out. */
const THAI: Rules = [
  [/.์|[็-๎]|ห(?=[งญนมยรลว])/gu, ''],
  [/([เแโใไ])([ก-ฮ])/gu, '$2$1'],
  [/([ก-ฮ])([ก-ฮ])(?![ะ-ูเแโใไ])/gu, '$1o$2'],
];

/** Kana that only lengthen a sound; the Arabic article; Hebrew letters that have two sounds. */
const OTHERS: Rules = [
  [/[ーっッ]/gu, ''],
  [/^ال(?=\p{L}{3})/u, ''],
  [/(?<=\p{L})ו(?=[א-ת])(?!ו?י)/gu, ''],
  [/^כ/u, 'k'],
  [/^פ/u, 'p'],
  [/^ב/u, 'b'],
  [/ש/gu, 'sh'],
];

/** Small kana change the vowel of the one before. */
const SMALL_KANA = /(.)([ゃゅょャュョ])/gu;

function rewritten(text: string, rules: Rules): string {
  return rules.reduce((all, [from, to]) => all.replace(from, to), text);
}

/** One letter of another script as the Latin letter it looks like, or else as it sounds. */
function lookAlike(letter: string): string {
  const seen = unhomoglyph(letter);
  // The table takes a capital i for an l: both look the same.
  if (seen === 'l') return 'i';
  return ASCII_LETTERS.test(seen) ? seen : anyAscii(letter);
}

function looksLatin(word: string): boolean {
  const letters = [...word, ...word.toLowerCase()];
  return letters.every((letter) => ASCII_LETTERS.test(unhomoglyph(letter)));
}

/** A syllable of Korean, whose last consonant is hard. */
function hangul(syllable: string): string {
  return anyAscii(syllable).replace(/(?<!n)g$/, 'k').replace(/d$/, 't').replace(/b$/, 'p');
}

/** Surnames of Korea that would be one letter, which is taken for an initial. */
const SHORT_SURNAMES: Readonly<Record<string, string>> = { 이: 'yi', 오: 'oh', 우: 'woo' };

function romanized(word: string): string {
  const lower = word.toLowerCase();
  const isGreek = /\p{Script=Greek}/u.test(lower);
  const bare = isGreek ? lower.normalize('NFD').replaceAll(/\p{M}/gu, '') : lower;
  const spelt = rewritten(bare, isGreek ? GREEK : [...THAI, ...OTHERS, ...INDIC]);
  const hard = spelt.replaceAll(/\p{Script=Hangul}/gu, hangul);
  const joined = hard.replaceAll(SMALL_KANA, (_, kana: string, small: string) => {
    const sound = anyAscii(kana).replace(/i$/, '');
    return sound + anyAscii(small).replace(/^y/, /(?:sh|ch|j)$/.test(sound) ? '' : 'y');
  });
  return SHORT_SURNAMES[word] ?? anyAscii(joined);
}

function latinWord(word: string, besideLatin: boolean): string {
  if (!FOREIGN.test(word)) return anyAscii(word);
  const isLatin = LATIN.test(word) || (besideLatin && looksLatin(word));
  return isLatin ? [...word].map(lookAlike).join('') : romanized(word);
}

/**
 * The words of a text in lower-case letters a to z and digits, at most 256 signs of it. Apostrophes
 * are dropped, other signs separate words. A word of letters that all look Latin is read as Latin
 * where `beside` has Latin letters.
 */
export function latinWords(text: string, beside = text): string[] {
  const plain = text.slice(0, LONGEST).normalize('NFKC').replaceAll(SILENT, '');
  const besideLatin = LATIN.test(beside);
  return plain
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => latinWord(word, besideLatin).replaceAll(/['`]/g, ''))
    .flatMap((word) => word.toLowerCase().split(/[^a-z0-9]+/))
    .map((word) => rewritten(word, UMLAUTS))
    .filter(Boolean);
}

/** The digits of a text, of any script. */
export function latinDigits(text: string): string {
  return anyAscii(text.slice(0, LONGEST).replaceAll(/\P{Nd}/gu, ''));
}
