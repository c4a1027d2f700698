// The texts of this page, in one language at a time: loaded before anything is drawn, and again
// when the person chooses another.
import { findText, say, type Key, type Texts, type Values } from '../../texts/say.ts';
import type { Boot } from './flow.ts';

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

const KEPT = 'holdfast-language';
let spoken = { tag: '', flow: '' };

/** The language that the person chose in this browser, else that of the link or the browser. */
export function startLanguage({ language, languages }: Boot): string {
  try {
    const kept = localStorage.getItem(KEPT);
    if (languages.some(({ tag }) => tag === kept)) return kept as string;
  } catch {
    // Nothing is stored.
  }
  return language;
}

/** Remembers the person's choice. */
export function keepLanguage(tag: string): void {
  try {
    localStorage.setItem(KEPT, tag);
  } catch {
    // It is chosen for this page alone.
  }
}

/** The language of the page. */
export function pageLanguage(): string {
  return spoken.tag;
}

/**
 * Speaks a language from now on; loads what a flow says in it. A flow that is not known yet has the
 * texts of every page. Throws if they cannot be loaded.
 */
export async function speak(boot: Boot, tag: string, flow: string | null): Promise<void> {
  const wanted = { tag, flow: flow ?? 'page' };
  if (wanted.tag === spoken.tag && wanted.flow === spoken.flow) return;
  const file = boot.languages.find((one) => one.tag === tag)?.file ?? '';
  const answer = await fetch(`/ui/assets/texts-${wanted.flow}-${file}.json`);
  if (!answer.ok) throw new Error(`the texts answered ${answer.status}`);
  texts = (await answer.json()) as Texts;
  spoken = wanted;
  const page = document.documentElement;
  page.lang = tag;
  if (!boot.dir_fixed) page.dir = texts.about.direction;
}
