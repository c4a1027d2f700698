// The languages that people are spoken to in: each a file of texts/, compiled when it is first
// used. What a file lacks is said in English.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import type { About, Messages, Texts } from '../../texts/say.ts';

export type { Group, Key, Texts, Values } from '../../texts/say.ts';
export { findText, say } from '../../texts/say.ts';

const FOLDER = join(import.meta.dirname, '../../texts');

/** What everybody falls back on. */
export const ENGLISH = 'en';

/** A file of texts as it is written: by group and name, in ICU MessageFormat. */
export type Written = { readonly about: About } & Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** A language that people can choose. */
export interface Language {
  /** By BCP 47, such as `pt-BR`. */
  readonly tag: string;
  /** In the language itself. */
  readonly name: string;
  /** Changes with every text of it. */
  readonly version: string;
}

const sources = new Map<string, string>();
const compiled = new Map<string, Texts>();
let listed: readonly Language[] | null = null;

function sourceOf(tag: string): string {
  const known = sources.get(tag) ?? readFileSync(join(FOLDER, `${tag}.json`), 'utf8');
  sources.set(tag, known);
  return known;
}

/** All languages, by their tags. */
export function languages(): readonly Language[] {
  listed ??= readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => languageOf(name.slice(0, -'.json'.length)))
    .sort((one, other) => (one.tag < other.tag ? -1 : 1));
  return listed;
}

function languageOf(tag: string): Language {
  const { name } = (JSON.parse(sourceOf(tag)) as Written).about;
  const version = hash('sha256', sourceOf(ENGLISH) + sourceOf(tag), 'hex').slice(0, 10);
  return { tag, name, version };
}

/** The texts of a language; those that it lacks are English. Throws for one that is not listed. */
export function textsOf(tag: string): Texts {
  const known = compiled.get(tag);
  if (known !== undefined) return known;
  if (!languages().some((one) => one.tag === tag)) throw new Error(`no texts in ${tag}`);
  const otherwise = tag === ENGLISH ? { groups: {} } : textsOf(ENGLISH);
  const texts = compileTexts(JSON.parse(sourceOf(tag)) as Written, otherwise);
  compiled.set(tag, texts);
  return texts;
}

/** Compiles what is written, upon texts for what it lacks. Throws for what is no ICU message. */
export function compileTexts(
  { about, ...written }: Written,
  otherwise: Pick<Texts, 'groups'>,
): Texts {
  const groups: Record<string, Messages | undefined> = { ...otherwise.groups };
  for (const [group, messages] of Object.entries(written)) {
    const own = Object.entries(messages).map(([name, text]) => [name, compile(text)] as const);
    groups[group] = { ...groups[group], ...Object.fromEntries(own) };
  }
  return { about, groups };
}

/** The listed language that fits a tag: `de-AT` is `de`, and `pt` is `pt-BR`; null for none. */
export function fitting(wanted: string): string | null {
  const tags = languages().map(({ tag }) => tag);
  const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  const [base = ''] = wanted.split('-');
  return (
    tags.find((tag) => same(tag, wanted)) ??
    tags.find((tag) => same(tag, base)) ??
    tags.find((tag) => same(tag.split('-')[0] ?? '', base)) ??
    null
  );
}

/** The first language of an `Accept-Language` header that there is; null for none. [RFC 9110] */
export function acceptedLanguage(header: string): string | null {
  const ranges = header.slice(0, 500).split(',').map((range) => {
    const [tag = '', ...rest] = range.split(';').map((part) => part.trim());
    const weight = Number(rest.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    return { tag, weight: Number.isNaN(weight) ? 0 : weight };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return wanted.map(({ tag }) => fitting(tag)).find((tag) => tag !== null) ?? null;
}

