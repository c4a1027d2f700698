// The tables that the sources declare, found in the exports of every file that declares one.
import { globSync, readFileSync } from 'node:fs';
import type { Table } from '../../src/engine/index.ts';

const ROOT = new URL('../../src/', import.meta.url).pathname;
const DECLARED = /= (?:tableOf|stateTable)\(/g;

/** The table that an export is, or is an index of. */
function tableIn(value: unknown): Table | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('table' in value) return tableIn(value.table);
  return 'columns' in value && 'rank' in value ? (value as Table) : null;
}

/** The tables that the sources export, alone or in an index, and how many they declare. */
export async function declared(): Promise<{ readonly tables: Table[]; readonly count: number }> {
  const tables = new Set<Table>();
  let count = 0;
  for (const name of globSync('**/*.ts', { cwd: ROOT })) {
    const text = name.endsWith('.test.ts') ? '' : readFileSync(ROOT + name, 'utf8');
    const found = text.match(DECLARED)?.length ?? 0;
    if (found === 0) continue;
    count += found;
    const exports = (await import(ROOT + name)) as Record<string, unknown>;
    for (const value of Object.values(exports)) {
      const table = tableIn(value);
      if (table !== null) tables.add(table);
    }
  }
  return { tables: [...tables], count };
}
