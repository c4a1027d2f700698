// The parts of a person's name in the order of the page's language.
import { numbersLocale } from '../texts.ts';

const GIVEN_FIRST = ['first', 'middle', 'last'] as const;
const FAMILY_FIRST = ['last', 'first', 'middle'] as const;
/** Languages in which the family name comes first, by CLDR; `Intl` does not know it. */
const BY_FAMILY = ['hu', 'ja', 'ko', 'vi', 'yue', 'zh'];

/** The fields of the interface as they are asked for and written. */
export function nameOrder(): readonly (typeof GIVEN_FIRST)[number][] {
  const [language = ''] = numbersLocale().split('-');
  return BY_FAMILY.includes(language) ? FAMILY_FIRST : GIVEN_FIRST;
}
