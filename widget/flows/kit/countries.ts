// Countries by name, in the page's language.
import { numbersLocale } from '../texts.ts';
import type { Option } from './fields.tsx';

interface Country {
  readonly code: string;
  /** In English. */
  readonly name: string;
}

/** The countries to choose from, in the order of the language. */
export function countryOptions(countries: readonly Country[]): Option[] {
  const locale = numbersLocale();
  const options = countries.map(({ code }) => {
    return { value: code, label: countryName(countries, code) };
  });
  const { compare } = new Intl.Collator(locale);
  return locale === 'en' ? options : options.sort((a, b) => compare(a.label, b.label));
}

/** A country's name; '' for one that is not in the list. */
export function countryName(countries: readonly Country[], code: string): string {
  const { name } = countries.find((one) => one.code === code) ?? { name: '' };
  const locale = numbersLocale();
  return name === '' || locale === 'en' ? name : regionName(code);
}

/** The name of any country, in the page's language; its code where it has none. */
export function regionName(code: string): string {
  return new Intl.DisplayNames(numbersLocale(), { type: 'region' }).of(code) ?? code;
}
