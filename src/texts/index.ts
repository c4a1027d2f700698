// The languages that people are spoken to in: each a file of texts/, compiled when it is first
// used. What a file lacks is said in English. [G-84]
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import type { About, Messages, Texts } from '../../texts/say.ts';

export type { Group, Key, Messages, Texts, Values } from '../../texts/say.ts';
export { findText, say } from '../../texts/say.ts';

const FOLDER = join(import.meta.dirname, '../../texts');

/** The kinds in a compiled message. */
const POUND = 0;
const SELECT = 1;
const PLURAL = 2;
const ORDINAL = 3;
const NUMBER = 4;
const RIGHT_TO_LEFT: readonly string[] = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm'];

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

const compiled = new Map<string, Texts>();
let listed: readonly Language[] | null = null;

/** Read again where it is needed: all languages as text would stay in memory, a megabyte. */
function sourceOf(tag: string): string {
  return readFileSync(join(FOLDER, `${tag}.json`), 'utf8');
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
  const source = sourceOf(tag);
  const { name } = (JSON.parse(source) as Written).about;
  const version = hash('sha256', sourceOf(ENGLISH) + source, 'hex').slice(0, 10);
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

/** Own texts of a tenant, by language and key: they replace ours, or are a language more. */
export type OwnTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What is wrong with own texts, by field; null for nothing. */
export function faultOfOwn(own: OwnTexts): Readonly<Record<string, string>> | null {
  const { groups } = textsOf(ENGLISH);
  for (const [tag, texts] of Object.entries(own)) {
    if (!isTag(tag)) return { [`texts.${tag}`]: 'must be a language by BCP 47, such as pt-BR' };
    for (const [key, text] of Object.entries(texts)) {
      const [group = '', name = '', ...more] = key.split('.');
      const messages = (Object.hasOwn(groups, group) && groups[group]) || {};
      const ours = Object.hasOwn(messages, name) ? messages[name] : undefined;
      const unknown = ours === undefined || more.length > 0;
      const wrong = unknown ? 'is no key of ours' : faultOf(text, ours, tag);
      if (wrong !== null) return { [`texts.${tag}.${key}`]: wrong };
    }
  }
  return null;
}

/** Without extensions, which name no language: `Intl` knows no name of one that has them. */
function isTag(tag: string): boolean {
  try {
    return new Intl.Locale(tag).baseName === tag;
  } catch {
    return false;
  }
}

/** What is wrong with a text beside ours, compiled; null for nothing. */
export function faultOf(text: string, ours: CompiledMessage, locale: string): string | null {
  try {
    const [mine, theirs] = [shapeOf(compile(text)), shapeOf(ours)];
    const lost = [...theirs.needed].find((one) => one !== 'english' && !mine.names.has(one));
    if (lost !== undefined) return `lacks {${lost}}`;
    const odd = [...mine.names].find((one) => !theirs.names.has(one));
    if (odd !== undefined) return `has {${odd}}, which nobody gives`;
    const other = mine.uses.find(([name, use]) => !theirs.uses.some(
      ([known, given]) => known === name && (given === use || (use === 'text' && given !== 'tag')),
    ));
    if (other !== undefined) return `has {${other[0]}} otherwise than we have it`;
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    const short = mine.plurals.flatMap((branches) =>
      pluralCategories.filter((category) => !branches.includes(category)),
    );
    return short[0] === undefined ? null : `lacks the plural "${short[0]}"`;
  } catch {
    return 'is no message in ICU MessageFormat';
  }
}

/** What a placeholder stands for; `none`: nothing that anybody gives, such as a day. */
type Use = 'tag' | 'text' | 'number' | 'none';

function useOf(kind: unknown, style: unknown): Use {
  if (kind === undefined || kind === SELECT) return 'text';
  if (typeof kind !== 'number' || kind === POUND) return 'tag';
  if (kind === NUMBER) return style === undefined ? 'number' : 'none';
  return kind === PLURAL || kind === ORDINAL ? 'number' : 'none';
}

/**
 * The placeholders of a compiled message with what they stand for, and the branches of its plurals.
 * `needed`: without those that only choose between texts.
 */
function shapeOf(message: CompiledMessage) {
  const names = new Set<string>();
  const needed = new Set<string>();
  const uses: (readonly [name: string, use: Use])[] = [];
  const plurals: string[][] = [];
  const visit = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    const [name, kind, options] = node as [unknown, unknown, unknown];
    if (typeof name !== 'string') return node.forEach(visit);
    names.add(name);
    uses.push([name, useOf(kind, options)]);
    if (kind !== SELECT) needed.add(name);
    if (typeof kind !== 'number') return node.slice(1).forEach(visit);
    if (kind === PLURAL) plurals.push(Object.keys(options as object));
    for (const branch of Object.values((options ?? {}) as object)) {
      if (Array.isArray(branch)) branch.forEach(visit);
    }
  };
  if (Array.isArray(message)) message.forEach(visit);
  return { names, needed, uses, plurals };
}

/** The texts of a language, with a tenant's own; throws for a language that neither has. */
export function textsWith(own: OwnTexts, tag: string): Texts {
  const texts = own[tag];
  if (texts === undefined) return textsOf(tag);
  const listed = languages().some((one) => one.tag === tag);
  const { about, groups } = listed ? textsOf(tag) : { ...textsOf(ENGLISH), about: aboutOf(tag) };
  const written: Record<string, Record<string, string>> = {};
  for (const [key, text] of Object.entries(texts)) {
    const [group = '', name = ''] = key.split('.');
    written[group] = { ...written[group], [name]: text };
  }
  return compileTexts({ ...written, about } as unknown as Written, { groups });
}

/** What `Intl` knows of a language that we have no file of. */
function aboutOf(tag: string): About {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  const right = RIGHT_TO_LEFT.includes(new Intl.Locale(tag).maximize().script ?? '');
  return { name, direction: right ? 'rtl' : 'ltr', locale: tag, reviewed: 'its tenant' };
}

/** The language that fits a tag: `de-AT` is `de`, and `pt` is `pt-BR`; null for none. */
export function fitting(wanted: string, own: OwnTexts = {}): string | null {
  const tags = [...new Set([...languages().map(({ tag }) => tag), ...Object.keys(own)])];
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
export function acceptedLanguage(header: string, own: OwnTexts = {}): string | null {
  const ranges = header.slice(0, 500).split(',').map((range) => {
    const [tag = '', ...rest] = range.split(';').map((part) => part.trim());
    const weight = Number(rest.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    return { tag, weight: Number.isNaN(weight) ? 0 : weight };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return wanted.map(({ tag }) => fitting(tag, own)).find((tag) => tag !== null) ?? null;
}

