// A text for people, by its key, with its values put in. Widget and server share it; the texts are
// in the files of the languages beside it, and nowhere else.
import format, { type CompiledMessage } from 'icu-minify/format';
import type english from './en.json';

type English = Omit<typeof english, 'about'>;
/** A screen or a matter that texts belong to. */
export type Group = keyof English;
/** A text by its group and name, such as `checkout.pay`. */
export type Key = { [G in Group]: `${G}.${Extract<keyof English[G], string>}` }[Group];

/** What a language says of itself. */
export interface About {
  /** In the language itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** How numbers, amounts, plurals and lists are written, as `Intl` takes it. */
  readonly locale: string;
  /** How dates are written, where that differs. */
  readonly dates?: string;
  /** Who has read the texts and knows the language: a name and a day, or `nobody`. */
  readonly reviewed: string;
}

export type Messages = Readonly<Record<string, CompiledMessage>>;

/** The texts of one language, compiled; a page has the groups that it shows. */
export interface Texts {
  readonly about: About;
  readonly groups: Readonly<Record<string, Messages | undefined>>;
}

/** What stands in braces in a text; a function draws what stands between tags. */
export type Values<T = never> = Readonly<
  Record<string, string | number | ((inside: (string | T)[]) => T)>
>;

const FORMATTERS = {
  getPluralRules: (...how: ConstructorParameters<typeof Intl.PluralRules>) =>
    new Intl.PluralRules(...how),
  getNumberFormat: (...how: ConstructorParameters<typeof Intl.NumberFormat>) =>
    new Intl.NumberFormat(...how),
  getDateTimeFormat: (...how: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...how),
};

/** The text of a key, with what tags draw in between; undefined where there is none. */
export function findText<T = never>(
  { about, groups }: Texts,
  group: string,
  name: string,
  values: Values<T> = {},
): string | T | (string | T)[] | undefined {
  const messages = groups[group] ?? {};
  if (!Object.hasOwn(messages, name)) return undefined;
  const message = messages[name] as CompiledMessage;
  return format<T>(message, about.locale, values, { formatters: FORMATTERS });
}

/** The text of a key; the key itself where it is missing, which tests refuse. */
export function say(texts: Texts, key: Key, values?: Values): string {
  const at = key.indexOf('.');
  return String(findText(texts, key.slice(0, at), key.slice(at + 1), values) ?? key);
}
