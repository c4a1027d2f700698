// What the page says, in one language at a time; language.ts loads it.
import { findText, say, type Key, type Texts, type Values } from '../../texts/say.ts';

export type { Key } from '../../texts/say.ts';

let texts: Texts = {
  about: { name: '', direction: 'ltr', locale: 'en', reviewed: '' },
  groups: {},
};

/** The text of a key in the page's language. */
export function t(key: Key, values?: Values): string {
  return say(texts, key, values);
}

/** The same, where tags in the text draw something. */
export function drawn<T>(key: Key, values: Values<T>): string | T | (string | T)[] {
  const [group = '', name = ''] = key.split('.');
  return findText(texts, group, name, values) ?? key;
}

/** The text of a code of the platform; undefined where it has none. */
export function textOf(group: string, code: string): string | undefined {
  return findText(texts, group, code) as string | undefined;
}

/** The text of the first of a refusal's codes that the page has one for. */
export function codeText(codes: readonly string[]): string | undefined {
  const found = codes.flatMap((code) =>
    Object.keys(texts.groups).map((group) => textOf(group, code)),
  );
  return found.find((text) => text !== undefined);
}

/** How `Intl` writes numbers, amounts and lists in the page's language. */
export function numbersLocale(): string {
  return texts.about.locale;
}

/** How `Intl` writes dates. */
export function datesLocale(): string {
  return texts.about.dates ?? texts.about.locale;
}

/** Sets what the page says; tests bring their own. */
export function setTexts(loaded: Texts): void {
  texts = loaded;
}
