// Puts the tree into the words of scripts/rename: `moves` moves files and mends what names their
// paths, `names` renames what stands in them. Each is a commit of its own; the script then goes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { piecesOf, type Kind } from './rename/lexer.ts';
import { MOVES } from './rename/moves.ts';
import { NAMES } from './rename/names.ts';
import { KEPT, PHRASES, UNTOUCHED, WORDS } from './rename/words.ts';

const root = dirname(import.meta.dirname);
const TEXT = /\.(ts|tsx|mjs|js|sql|md|json|css|html|yml|sh)$|^\.ci\/run$/;

function tracked(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  return listed.split('\0').filter((path) => path !== '');
}

/** Where a path goes; itself when it stays. */
function movedTo(path: string): string {
  for (const [from, to] of MOVES) if (path.startsWith(from)) return to + path.slice(from.length);
  return path;
}

/** Moves every file of the list, and mends what names it, as an import or as a path. */
function moveFiles(): void {
  const files = tracked();
  const moved = new Map(files.map((path) => [path, movedTo(path)]));
  for (const [from, to] of moved) {
    if (from === to) continue;
    mkdirSync(dirname(join(root, to)), { recursive: true });
    execFileSync('git', ['mv', from, to], { cwd: root });
  }
  for (const [from, to] of moved) {
    if (!TEXT.test(to) || /^(package-lock|docs\/generated|CHANGELOG|scripts\/rename)/.test(to))
      continue;
    const before = readFileSync(join(root, to), 'utf8');
    const after = mendPaths(before, from, to, moved);
    if (after !== before) writeFileSync(join(root, to), after);
  }
}

function mendPaths(
  text: string,
  from: string,
  to: string,
  moved: ReadonlyMap<string, string>,
): string {
  // Relative ones, in imports and URLs.
  const relative = text.replace(/(['"`])(\.{1,2}\/[^'"`\s$]*)\1/g, (whole, quote, path) => {
    const target = posix.normalize(posix.join(posix.dirname(from), path));
    const known = moved.get(target);
    const next = known ?? folderMovedTo(target);
    if (next === target && posix.dirname(from) === posix.dirname(to)) return whole;
    if (known === undefined && !isInTree(target, moved)) return whole;
    let way = posix.relative(posix.dirname(to), next);
    if (!way.startsWith('.')) way = `./${way}`;
    if (path.endsWith('/') && !way.endsWith('/')) way += '/';
    return `${quote}${way}${quote}`;
  });
  // Files beside, as workers and children are named.
  const beside = relative.replace(/(['"])([\w-]+\.(?:ts|js|css))\1/g, (whole, quote, name) => {
    const next = moved.get(posix.join(posix.dirname(from), name));
    if (next === undefined || next === posix.join(posix.dirname(to), name)) return whole;
    return `${quote}${posix.relative(posix.dirname(to), next)}${quote}`;
  });
  // Whole ones, in tests, scripts and documents.
  return beside.replace(/\b(?:src|test)\/[\w./-]+/g, (path) => {
    const bare = path.replace(/[.]$/, '');
    const next = moved.get(bare) ?? folderMovedTo(bare);
    return next + path.slice(bare.length);
  });
}

function folderMovedTo(path: string): string {
  const slashed = path.endsWith('/') ? path : `${path}/`;
  const next = movedTo(slashed);
  if (next !== slashed) return path.endsWith('/') ? next : next.slice(0, -1);
  return movedTo(path);
}

function isInTree(target: string, moved: ReadonlyMap<string, string>): boolean {
  if (/^(src|test)\b/.test(target) && folderMovedTo(target) !== target) return true;
  const folder = target.endsWith('/') ? target : `${target}/`;
  for (const path of moved.keys()) if (path === target || path.startsWith(folder)) return true;
  return target === '.' || target === './';
}

/** The name of a file before the moves, which is how the scopes of words.ts are written. */
function namedBefore(path: string): string {
  for (const [from, to] of MOVES) if (path.startsWith(to)) return from + path.slice(to.length);
  return path;
}

/** Planted edits quote the code of other files: each row is renamed as the file that it names. */
function renamePlanted(path: string, text: string, kept: readonly string[]): string {
  const rows = text.split(/(?<=\n)(?=  \{\n)/);
  return rows
    .map((row) =>
      renamerFor(kept[Number(/file: '\uE000(\d+)/.exec(row)?.[1])] ?? path)('code', row),
    )
    .join('');
}

type Rename = (kind: Kind, text: string) => string;

function renamerFor(path: string): Rename {
  const before = namedBefore(path);
  const scoped = NAMES.filter(({ in: scopes }) => scopes.some((scope) => before.startsWith(scope)));
  const code = new Map<string, string>();
  const everywhere = new Map<string, string>();
  const quoted = new Map<string, string>();
  for (const { names, everywhere: all, quoted: alsoQuoted } of scoped) {
    for (const [from, to] of Object.entries(names)) {
      if (!code.has(from)) code.set(from, to);
      if (all === true && !everywhere.has(from)) everywhere.set(from, to);
      if (alsoQuoted === true) quoted.set(`'${from}'`, `'${to}'`);
    }
  }
  return (kind, text) =>
    quoted.get(text) ??
    text.replace(/[A-Za-z_][A-Za-z0-9_]*/g, (token) => {
      const named = (kind === 'code' ? code : everywhere).get(token);
      return (kind === 'comment' ? PROSE.get(token) : undefined) ?? named ?? byWords(token);
    });
}

/** In prose a word may be two. */
const PROSE: ReadonlyMap<string, string> = new Map([
  ['remittance', 'outbound transfer'],
  ['remittances', 'outbound transfers'],
  ['tally', 'refunded amounts'],
  ['shelf', 'snapshot storage'],
  ['entropy', 'randomness'],
]);

const FORMS = Object.entries(WORDS).flatMap(([from, to]) => {
  const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
  return [
    [new RegExp(`(?<![A-Za-z])${from}(s?)(?![a-z])`, 'g'), to],
    [new RegExp(`(?<![A-Z])${capital(from)}(s?)(?![a-z])`, 'g'), capital(to)],
    [new RegExp(`(?<![A-Z])${from.toUpperCase()}(S?)(?![A-Z])`, 'g'), to.toUpperCase()],
  ] as const;
});

function byWords(token: string): string {
  let next = token
    .replace('refund_tally', 'refunded_amounts')
    .replace('refundTally', 'refundedAmounts');
  for (const [from, to] of FORMS) next = next.replace(from, `${to}$1`);
  return next;
}

function renameIn(path: string, source: string): string {
  const kept: string[] = [];
  let text = source;
  for (const pattern of KEPT) {
    text = text.replace(pattern, (found) => `\uE000${kept.push(found) - 1}\uE001`);
  }
  if (path.startsWith('test/planted/')) {
    text = text.replace(/(?:src|test)\/[\w./-]+\.ts/g, (found) => {
      return `\uE000${kept.push(found) - 1}\uE001`;
    });
  }
  const rename = renamerFor(path);
  const isCode = /\.(ts|tsx|mjs)$/.test(path);
  text = path.startsWith('test/planted/')
    ? renamePlanted(path, text, kept)
    : isCode
      ? piecesOf(text)
          .map(({ kind, text: piece }) => rename(kind, piece))
          .join('')
      : rename(path.endsWith('.sql') ? 'text' : 'comment', text);
  for (const [scope, from, to] of PHRASES) {
    if (namedBefore(path).startsWith(scope)) text = text.replaceAll(from, to);
  }
  return text.replace(/\uE000(\d+)\uE001/g, (_, number) => kept[Number(number)] ?? '');
}

function renameAll(): void {
  for (const path of tracked()) {
    if (!TEXT.test(path) || UNTOUCHED.test(path) || path === 'package-lock.json') continue;
    const before = readFileSync(join(root, path), 'utf8');
    const after = renameIn(path, before);
    if (after !== before) writeFileSync(join(root, path), after);
  }
}

const step = process.argv[2];
if (step === 'moves') moveFiles();
else if (step === 'names') renameAll();
else throw new Error('Say `moves` or `names`.');
