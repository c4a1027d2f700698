// Reads one row of a declared table, for modules that answer with their own rows.
import { columnsOf, type Table, type WorkspaceRow } from '../core/table.ts';
import type { Queryable } from './statement.ts';

/** The row with these values, or null. */
export async function readRow<R extends WorkspaceRow>(
  db: Queryable,
  table: Table<R>,
  where: Readonly<Partial<Record<keyof R & string, unknown>> & WorkspaceRow>,
): Promise<R | null> {
  const names = Object.keys(where);
  const [row] = await db.query<R>({
    name: `${table.name}_by_${names.join('_')}`,
    text: `select ${columnsOf(table).join(', ')} from ${table.name}
      where ${names.map((name, at) => `${name} = $${at + 1}`).join(' and ')}`,
    values: Object.values(where),
  });
  return row ?? null;
}
