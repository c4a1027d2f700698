// Finds text for people in the code of pages and mails: words between tags, in attributes that are
// read, and sentences in literals.
import type { SourceFile } from './tree.ts';

const READ = 'alt|aria-label|confirm|detail|go|hint|label|lead|placeholder|title';
const FINDS: readonly RegExp[] = [
  // Words before a closing tag, or between a tag and a value.
  />\s*([A-Z][^<>{}=;()]*?)\s*<\//g,
  /<[a-z][^<>]*>\s*([A-Z][\w ’',.]+)\{/g,
  new RegExp(`\\b(?:${READ})="([^"$]*[A-Za-z]{2}[^"$]*)"`, 'g'),
  // A capital and a second word, or a single one that names something for a person.
  /(['`])([A-Z][a-z’']*(?:,? [a-z$][^'`\n]*)[.?!:]?)\1/g,
];
const COMMENT = /^\s*(?:\/\/|\/?\*).*$|\/\*\*.*?\*\//gm;
/** What is thrown is read by developers, and a token by the server. */
const TECHNICAL = /new (?:Error|TypeError)\([^;]*?\);|`Bearer [^`]*`/g;

/** Each find as `path: words`. */
export function textsOutside({ path, text }: SourceFile): string[] {
  const code = text.replace(COMMENT, '').replace(TECHNICAL, '');
  return FINDS.flatMap((find) => [...code.matchAll(find)]).map((found) => {
    return `${path}: ${(found[2] ?? found[1] ?? '').slice(0, 60)}`;
  });
}
