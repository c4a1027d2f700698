// Copies the pages to where the generator builds them, with links that lead inside the site; a link
// to a file that is no part of the site becomes its words.
import { cpSync, existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { OUTSIDE, placeOf, readSource, type Listed, type Section } from './list.ts';

/** Everything that the site is made of, from the root of the checkout. */
export function sourcesOf(root: string): string[] {
  return [...globSync('docs/**/*.*', { cwd: root }), ...Object.keys(OUTSIDE)].toSorted();
}

/** Writes the pages to `folder`, and what is served as it is to its `public`. */
export function stage(root: string, folder: string, list: readonly Section[], home: string): void {
  const write = (place: string, text: string): void => {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), text);
  };
  for (const source of sourcesOf(root)) {
    const place = placeOf(source) as string;
    const picture = source.endsWith('.png');
    if (source.endsWith('.md')) {
      const text = linked(root, source);
      write(place, place === 'index.md' ? home + text.slice(text.indexOf('\n## ')) : text);
      // As it was written, for programs that read the pages.
      write(`public/${place}`, text);
    } else cpSync(join(root, source), join(folder, picture ? '' : 'public', place));
  }
  for (const { pages } of list) for (const page of pages) writeFolder(page, write);
}

/** A folder has no page of its own: its files, as links. */
function writeFolder({ title, source, what, inside }: Listed, write: Write): void {
  if (inside.length === 0) return;
  const lines = inside.map(({ title: name, source: path }) => {
    return `- [${name}](${posix.relative(source, path)})${leftBy(path)}`;
  });
  const place = `${placeOf(source)}/index.md`;
  const said = what.charAt(0).toUpperCase() + what.slice(1);
  write(place, `# ${title}\n\n${said}.\n\n${lines.join('\n')}\n`);
}

/** The generator's own navigation would take an example of a page for a page. */
function leftBy(path: string): string {
  return path.endsWith('.html') ? '{target="_self"}' : '';
}

type Write = (place: string, text: string) => void;

/** A page with its links as they are in the site. */
function linked(root: string, source: string): string {
  const from = placeOf(source) as string;
  // A diagram is shown as its text: drawing it takes a program of three megabytes.
  const written = readSource(root, source).replaceAll('```mermaid', '```text');
  const parts = written.split(/(^ *```[^]*?^ *```$)/m);
  return parts.map((part, at) => (at % 2 === 1 ? part : relinked(part))).join('');

  function relinked(text: string): string {
    return text.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, picture, words, to) => {
      if (/^(?:https?:|mailto:|#)/.test(to)) return whole;
      const [path = '', ...hash] = String(to).split('#');
      const target = posix.join(posix.dirname(source), path);
      const place = placeOf(target);
      if (place === null || !existsSync(join(root, target))) return words;
      const at = posix.relative(posix.dirname(from), place);
      const folder = statSync(join(root, target)).isDirectory() ? '/' : '';
      return `${picture}[${words}](${[`${at}${folder}`, ...hash].join('#')})${leftBy(path)}`;
    });
  }
}
