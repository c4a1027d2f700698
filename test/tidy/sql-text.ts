// The SQL of src as the table law reads it: every literal of a file, and the tables that its text
// reads or writes. It goes by the places where a table's name stands, since a column or a kind of
// record may bear the same name.
import { filesOf, type SourceFile } from './tree.ts';

/** One table that a file's SQL names. */
export interface Mention {
  readonly file: string;
  readonly table: string;
  readonly writes: boolean;
}

/** The tables that the migrations create, and the views that stand for one. */
export function tableNames(): ReadonlySet<string> {
  const sql = filesOf('migrations/*.sql').map(({ text }) => text).join('\n');
  const made = /^create (?:table|view) (\w+)(?= )/gm;
  return new Set([...sql.matchAll(made)].map(([, name = '']) => name));
}

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[`{}]/y;
// A slash after one of these begins a regular expression, after anything else a division.
const PATTERN =
  /(?<=(?:^|[=(,:!&|?[{};>\n])\s*|return )\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;

/** The literals of a text. A hole of a template reads `${name}` or `${}`. */
export function literalsOf(text: string): string[] {
  const found: string[] = [];
  const at = (pattern: RegExp, place: number): string | undefined => {
    pattern.lastIndex = place;
    return pattern.exec(text)?.[0];
  };
  /** Reads code up to the brace that closes it, and returns the place after it. */
  const code = (from: number): number => {
    let place = from;
    for (let depth = 0; place < text.length; ) {
      const token = at(PATTERN, place) ?? at(TOKEN, place) ?? text.charAt(place);
      place += token.length;
      if (token === '`') place = template(place);
      else if (token === '{') depth += 1;
      else if (token === '}' && (depth -= 1) < 0) return place;
      else if (/^['"]./.test(token)) found.push(token.slice(1, -1));
    }
    return place;
  };
  const template = (from: number): number => {
    let [place, written] = [from, ''];
    while (place < text.length && text.charAt(place) !== '`') {
      const end = text.startsWith('${', place) ? code(place + 2) : null;
      const piece = text.charAt(place) === '\\' ? 2 : 1;
      const part = text.slice(place, end ?? place + piece);
      written += end === null || /^\$\{[\w.]+\}$/.test(part) ? part : '${}';
      place = end ?? place + piece;
    }
    found.push(written);
    return place + 1;
  };
  code(0);
  return found;
}

// What tells SQL from a sentence.
const SQL = /\b(?:select|workspace|set|join|insert into|delete from|truncate)\b|= ?\$/;
const NAME = String.raw`(\w+|\$\{[^}]*\}\w*)`;
const LIST = String.raw`((?:\w+(?:\s+(?:as\s+)?\w+)?\s*,\s*)*\w+|\$\{[^}]*\}\w*)`;
const READS = new RegExp(String.raw`\b(?:from|join|using)\s+${LIST}(?![\w(])`, 'g');
const WRITES = [
  new RegExp(String.raw`\b(?:insert into|delete from|merge into|truncate)\s+${NAME}(?!\w)`, 'g'),
  new RegExp(String.raw`\bupdate\s+${NAME}(?:\s+(?:as\s+)?\w+)?\s+set\b`, 'g'),
];
// A table handed over by its definition, which counts where it stands, or rows of another CTE.
const BY_DEFINITION = /\.(?:name|table|jobs)\}|\{rows\}/;
const DEFINITIONS: readonly (readonly [within: RegExp, property: RegExp])[] = [
  [/./, /\b(?:tableOf|stateTable)\('(\w+)'/g],
  [/\bCopiedTable\b/, /\bname: '(\w+)'/g],
  [/\bWrappedColumn\b/, /\btable: '(\w+)'/g],
  [/./, /\bjobs: '(\w+)'/g],
];

/**
 * The tables that a file names. Where a template has a hole for a table's name, each literal of the
 * file that is such a name fills it, for writing if one hole is written to.
 */
export function mentionsOf({ path, text }: SourceFile, tables: ReadonlySet<string>): Mention[] {
  const literals = literalsOf(text);
  const named = { read: [] as string[], written: [] as string[] };
  for (const literal of literals.filter((one) => SQL.test(one))) {
    const sql = literal.replaceAll(/\bdistinct from\b/g, '');
    const ctes = new Set([...sql.matchAll(/(\w+) as (?:materialized )?\(/g)].map((one) => one[1]));
    for (const write of WRITES) {
      for (const [, name = ''] of sql.matchAll(write)) named.written.push(name);
    }
    for (const [, list = ''] of sql.replaceAll('delete from', '').matchAll(READS)) {
      const names = list.split(',').map((one) => one.trim().split(/\s/)[0] ?? '');
      named.read.push(...names.filter((name) => !ctes.has(name)));
    }
  }
  for (const [within, property] of DEFINITIONS) {
    if (!within.test(text)) continue;
    named.written.push(...[...text.matchAll(property)].map(([, name = '']) => name));
  }
  const filled = [...named.written, ...named.read].some(isHole);
  if (filled) {
    const whole = literals.map((one) => /^(\w+)(?:$|\s+\w+\s+join\b)/.exec(one)?.[1] ?? '');
    named[named.written.some(isHole) ? 'written' : 'read'].push(...whole);
  }
  const mentions = (names: readonly string[], writes: boolean): Mention[] =>
    names
      .flatMap((name) => meantBy(name, literals, tables))
      .map((table) => ({ file: path, table, writes }));
  return [...mentions(named.written, true), ...mentions(named.read, false)];
}

function isHole(name: string): boolean {
  return name.startsWith('$') && name.endsWith('}') && !BY_DEFINITION.test(name);
}

/** The tables behind a name: of `${book}_notice`, those whose beginning the file spells, or all. */
function meantBy(name: string, literals: readonly string[], tables: ReadonlySet<string>): string[] {
  const suffix = /^\$\{[^}]*\}(_\w+)$/.exec(name)?.[1];
  if (suffix === undefined) return tables.has(name) ? [name] : [];
  const all = [...tables].filter((table) => table.endsWith(suffix));
  const told = all.filter((table) => literals.includes(table.slice(0, -suffix.length)));
  return told.length > 0 ? told : all;
}
