// The table law: finds what a part does in SQL to the tables of others, and holds it against the
// rows that allow it.
import { partOf } from './import-law.ts';
import { mentionsOf } from './sql-text.ts';
import { OWNERS, READS, WRITES } from './table-rows.ts';
import type { SourceFile } from './tree.ts';

/** What one part does in SQL to the table of another. */
export interface Crossing {
  readonly part: string;
  readonly table: string;
  readonly writes: boolean;
  readonly file: string;
}

const ownerOf = new Map(
  Object.entries(OWNERS).flatMap(([part, tables]) => tables.map((table) => [table, part] as const)),
);

/** Every mention of a table outside of its owner. */
export function crossingsOf(files: readonly SourceFile[]): Crossing[] {
  const tables = new Set(ownerOf.keys());
  return files.flatMap((file) =>
    mentionsOf(file, tables)
      .map((mention) => ({ ...mention, part: partOf(file.path) }))
      .filter(({ part, table }) => ownerOf.get(table) !== part),
  );
}

/** Crossings that no row allows, and rows that nothing needs, as sentences. */
export function breachesOf(crossings: readonly Crossing[]): string[] {
  return ([[WRITES, true], [READS, false]] as const).flatMap(([rows, writes]) => {
    const verb = writes ? 'writes' : 'reads';
    const allowed = rows.flatMap(({ parts, tables }) =>
      parts.flatMap((part) => tables.map((table) => `${part} ${verb} ${table}`)),
    );
    const done = crossings
      .filter((one) => one.writes === writes)
      .map(({ part, table, file }) => ({ act: `${part} ${verb} ${table}`, file }));
    const needed = new Set(done.map(({ act }) => act));
    return [
      ...done.filter(({ act }) => !allowed.includes(act)).map(({ act, file }) => `${file}: ${act}`),
      ...allowed.filter((act) => !needed.has(act)).map((act) => `not needed any more: ${act}`),
      ...allowed.filter((act, at) => allowed.indexOf(act) !== at).map((act) => `twice: ${act}`),
    ];
  });
}
