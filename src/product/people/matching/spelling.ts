// How one word of a name is spelt otherwise: letters for one sound, Japanese and Chinese in their
// ways of romanization, and words without vowels. Pure. [G-53]

type Rules = readonly (readonly [RegExp, string])[];

function rewritten(word: string, rules: Rules): string {
  return rules.reduce((all, [from, to]) => all.replace(from, to), word);
}

/** Letters for one sound in the languages of Europe and in transliterations; order matters. */
const SPELLINGS: Rules = [
  [/shch|sch?tsch|chtch|szcz/g, 'sh'],
  [/chr/g, 'kr'],
  [/^(?:hs|x)(?=[iu])/, 's'],
  [/^mac(?=[a-z]{4})/, 'mc'],
  [/tsch|tch|cz/g, 'ch'],
  [/sch|sz|sh/g, 's'],
  [/zh|rz/g, 'z'],
  [/dzh|dj/g, 'j'],
  [/ph/g, 'f'],
  [/([kgt])h/g, '$1'],
  [/[jy]/g, 'i'],
  [/iu|ou|oo|eo|ue|eu/g, 'u'],
  [/ae|ai|aa/g, 'a'],
  [/oe/g, 'o'],
  [/e[ei]|ui|ie/g, 'i'],
  [/c(?=[ei])/g, 's'],
  [/ck|q|c(?!h)/g, 'k'],
  [/x/g, 'ks'],
  [/w|ff?$/g, 'v'],
  [/(.)\1+/g, '$1'],
];

const JAPANESE = new RegExp(
  '^(?:(?:ch|sh|ts|[kgnhbpmrsztd]y|[kgsztdnhbpmrwjfy])?[aeiou]{1,2}h?' +
    '|[nm]|[kstpc](?=[kstpc])){2,}$',
);
/** Hepburn as Kunrei, with short vowels. */
const KUNREI: Rules = [
  [/[ct]ch/g, 'ch'],
  [/sh(?=i)/g, 's'],
  [/sh/g, 'sy'],
  [/ch(?=i)/g, 't'],
  [/ch/g, 'ty'],
  [/ts(?=u)/g, 't'],
  [/f(?=u)/g, 'h'],
  [/j(?=i)/g, 'z'],
  [/jy?/g, 'zy'],
  [/o(?:u|o|h(?![aeiou]))/g, 'o'],
  [/uu/g, 'u'],
  [/m(?=[bmp])/g, 'n'],
];

const CHINESE = new RegExp(
  '^(?:(?:[zcs]h|t?[sz]|hs|[bpmfdtnlgkhjqxrzcyw])?' +
    '(?:[iu]?(?:ang|eng|ong|an|en|ao|ai|ei|ou)|i?u?eh?|[iu]?[ao]|i(?:ng?)?|u(?:ng?|i)?|ih)){1,3}$',
);
/** Pinyin as Wade-Giles, of which passports leave out the apostrophes. */
const WADE: Rules = [
  [/x/g, 'hs'],
  [/zh|j|q/g, 'ch'],
  [/tz|(?<!t)z|c(?!h)/g, 'ts'],
  [/r/g, 'j'],
  [/b/g, 'p'],
  [/d/g, 't'],
  [/g(?=[aeiou])/g, 'k'],
  [/ong/g, 'ung'],
  [/ian(?!g)/g, 'ien'],
  [/eh/g, 'e'],
  [/uo/g, 'o'],
  [/ih/g, 'i'],
  [/you/g, 'yu'],
];

const KOREAN = /^(?:(?:ch|[bcdghjkmnprstwy])?(?:[wy]?[aeiou]{1,3})(?:ng|[nmlrkptbgh])?){1,3}$/;
/** What hardly another language has. */
const KOREAN_SOUND = /eo|eu|oo|ou|ae|ui|yu|yo|ung/;
/** Syllables of Korea as its state and as its people romanize them. */
const SYLLABLES: Rules = [
  [/^g|(?<=[aeioun])g(?=[aeiouy])/g, 'k'],
  [/^b/, 'p'],
  [/^d/, 't'],
  [/ch/g, 'j'],
  [/ee|e?ui/g, 'i'],
  [/ae|ai|ay/g, 'e'],
  [/eo|eu|oo|ou/g, 'u'],
  [/uh/g, 'u'],
  [/u+/g, 'u'],
];

/** Longer words have no romanization: splitting them into syllables may take long. */
const LONGEST = 18;

/** Texts of which two words share one where both may be spellings of one name; the usual first. */
export function readingsOf(word: string): string[] {
  const all = [rewritten(word, SPELLINGS)];
  if (word.length > LONGEST) return all;
  if (JAPANESE.test(word)) all.push(`japanese ${rewritten(word, KUNREI)}`);
  if (CHINESE.test(word)) all.push(`chinese ${rewritten(word, WADE)}`);
  if (KOREAN_SOUND.test(word) && KOREAN.test(word)) {
    all.push(`korean ${rewritten(word, SYLLABLES)}`);
  }
  return all;
}

const VOWEL = /[aeiou]/;

/** True for what an alphabet without vowels leaves of a name, as the Arabic and Hebrew do. */
export function lacksVowels(word: string): boolean {
  return word.length > 1 && !VOWEL.test(word);
}

/** The consonants of a word. */
export function consonantsOf(word: string): string {
  return rewritten(word.replaceAll(/(?<=.)[wy]/g, ''), SPELLINGS)
    .replace(/^[aeiou]+/, '')
    .replaceAll('f', 'p')
    .replaceAll('v', 'b')
    .replaceAll(/(?<=.)[aeiouh]/g, '');
}
