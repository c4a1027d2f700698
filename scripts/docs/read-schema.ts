// Reads tables, constraints and indexes from the migrations, each with the comment above it. It
// understands the way migrations are written here, not SQL in general.

/** A table as its migration creates it. */
export interface Table {
  readonly name: string;
  readonly comment: string;
  /** The lines between the parentheses, comments included. */
  readonly body: string;
  /** Its triggers and indexes, and changes of later migrations. */
  readonly attached: readonly string[];
}

/** A function or an index with its sentence. */
export interface Named {
  readonly name: string;
  readonly comment: string;
}

/** What migrations create. */
export interface Schema {
  readonly tables: readonly Table[];
  readonly functions: readonly Named[];
  readonly uniques: readonly Named[];
}

/** Reads the texts of the migrations, in their order. */
export function readTables(texts: readonly string[]): Schema {
  const sql = texts.map((text) => text.trimEnd()).join('\n\n');
  const attached = attachedTo(sql);
  const created = [...sql.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)[^;]*;/gm)];
  const tables = created.map((found) => ({
    name: found[1] ?? '',
    comment: commentAbove(sql, found.index),
    body: found[2] ?? '',
    attached: attached.get(found[1] ?? '') ?? [],
  }));
  return {
    tables,
    functions: named(sql, /^create (?:or replace )?function (\w+)\(/gm),
    uniques: named(sql, /^create unique index (\w+)\s/gm),
  };
}

function named(sql: string, pattern: RegExp): Named[] {
  return [...sql.matchAll(pattern)].map((found) => ({
    name: found[1] ?? '',
    comment: commentAbove(sql, found.index),
  }));
}

/** The comment that ends on the line before, as one text; '' if there is none. */
function commentAbove(sql: string, at: number): string {
  const lines = sql.slice(0, at).split('\n').slice(0, -1);
  const first = lines.findLastIndex((line) => !line.startsWith('--')) + 1;
  return lines
    .slice(first)
    .map((line) => line.replace(/^--\s?/, ''))
    .join(' ');
}

function attachedTo(sql: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const statements =
    /^(?:create (?:unique |constraint )?(?:index|trigger)|alter table|select \w+\(')[^]*?;$/gm;
  for (const { 0: text, index } of sql.matchAll(statements)) {
    const table = /\bon (\w+)|^alter table (\w+)|^select \w+\('(\w+)'/.exec(text);
    const name = table?.slice(1).find((one) => one !== undefined) ?? '';
    const comment = commentAbove(sql, index);
    const line = text.replaceAll(/\s+/g, ' ').replace(/;$/, '');
    const whole = comment === '' ? line : `-- ${comment}\n${line}`;
    found.set(name, [...(found.get(name) ?? []), whole]);
  }
  return found;
}
