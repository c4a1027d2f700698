// What the documentation has, and in which order: the tables of docs/README.md, where a row may
// name a folder, too. Navigation and llms.txt are made from it.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';

/** One page, or a file that the site serves as it is. */
export interface Listed {
  readonly title: string;
  /** From the root of the checkout. */
  readonly source: string;
  readonly what: string;
  /** The files of a folder. */
  readonly inside: readonly Listed[];
}

/** One table. */
export interface Section {
  readonly title: string;
  readonly pages: readonly Listed[];
}

/** Pages outside docs/, by where they stand in the site. */
export const OUTSIDE: Readonly<Record<string, string>> = {
  'README.md': 'first-page.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  LICENSE: 'LICENSE.txt',
};

/** The sections of docs/README.md. */
export function listOf(root: string): Section[] {
  const [, ...parts] = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m);
  return parts.map((part) => {
    const title = part.slice(0, part.indexOf('\n'));
    const rows = part.matchAll(/^\| (\[.+?) \| (.+) \|$/gm);
    const pages = [...rows].flatMap(([, links = '', what = '']) =>
      [...links.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name = '', to = '']) => ({
        title: name.charAt(0).toUpperCase() + name.slice(1),
        source: posix.join('docs', to),
        what,
        inside: filesIn(root, posix.join('docs', to)),
      })),
    );
    return { title, pages };
  });
}

function filesIn(root: string, source: string): Listed[] {
  const folder = join(root, source);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const paths = globSync('**/*.*', { cwd: folder }).toSorted();
  return paths.map((path) => {
    const of = posix.join(source, path);
    return { title: titleOf(root, of), source: of, what: '', inside: [] };
  });
}

function titleOf(root: string, source: string): string {
  const heading = /^# (.+)$/m.exec(source.endsWith('.md') ? readSource(root, source) : '');
  return heading?.[1] ?? basename(source);
}

/** The text of a file of the checkout. */
export function readSource(root: string, source: string): string {
  return readFileSync(join(root, source), 'utf8');
}

/** Where a file stands in the site; null: it is no part of it. */
export function placeOf(source: string): string | null {
  const place = source.startsWith('docs/') ? source.slice('docs/'.length) : OUTSIDE[source];
  return place?.replace(/(^|\/)README\.md$/, '$1index.md') ?? null;
}

/** The pages in the form of llmstxt.org, in a site at the path `base`. */
export function llmsOf(
  { name, about, base }: Readonly<Record<'name' | 'about' | 'base', string>>,
  list: readonly Section[],
): string {
  const line = ({ title, source, what }: Listed): string =>
    `- [${title}](${base}${placeOf(source)})${what === '' ? '' : `: ${what}`}`;
  const sections = list.map(({ title, pages }) => {
    const each = pages.flatMap((page) => (page.inside.length > 0 ? page.inside : [page]));
    return `## ${title}\n\n${each.map(line).join('\n')}\n`;
  });
  return `# ${name}\n\n> ${about}\n\n${sections.join('\n')}`;
}
