// What the platform says of fields, for people.
import { t } from './texts.ts';

/** What is wrong with fields, which the platform says in English: `must be nine digits`. */
export function fieldTexts(
  errors: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const said = Object.entries(errors).map(([field, words]) => {
    if (!/^[a-z]/.test(words)) return [field, t('page.refused', { english: words })];
    return [field, t('page.field_wrong', { english: words.replace(/\.?$/, '.') })];
  });
  return Object.fromEntries(said) as Readonly<Record<string, string>>;
}
