// Writes a whole batch in one statement: one CTE per table, one array parameter per column, one
// scalar for a constant column. The text depends only on the tables touched and whether their
// constant columns agree, so a handful of prepared statements serve everything.
import { arrayValue, scalarSlot, scalarText, slotText, type Statement } from '../db/index.ts';
import type { Change, Writes } from './unit-of-work.ts';
import { columnsOf, type ColumnType, type Table, type WorkspaceRow } from '../core/table.ts';

interface Part {
  readonly kind: 'insert' | 'update';
  readonly table: Table;
  readonly rows: number;
  /** Columns sent as one value. */
  readonly constant: readonly string[];
}

const EXPECTED = 'expected_version';
const NONE: readonly string[] = [];
const texts = new Map<string, string>();

/**
 * Builds the statement of a unit of work. The database raises 23514 (constraint `write_count`) if a
 * part touches a different number of rows than expected. [R1]
 */
export function writeStatement(writes: Writes): Statement {
  const parts: Part[] = [];
  const values: unknown[] = [];
  for (const [table, rows] of writes.inserts) {
    const constant = constantIn(table, rows);
    parts.push({ kind: 'insert', table, rows: rows.length, constant });
    addColumns(values, table, rows, constant);
  }
  for (const [table, changes] of writes.updates) {
    const rows = changes.map((change) => change.row);
    const constant = constantUpdates(table, rows, changes);
    parts.push({ kind: 'update', table, rows: rows.length, constant });
    addColumns(values, table, rows, constant);
    if (!table.versioned) continue;
    const expected = changes.map((change) => change.expected);
    values.push(
      constant.includes(EXPECTED) ? scalarText(expected[0]) : arrayValue('int4', expected),
    );
  }
  values.push(arrayValue('int8', parts.map((part) => part.rows)));
  const name = parts.map((part) => `${nameOf(part)}${part.constant === NONE ? '' : '='}`).join(',');
  let text = texts.get(name);
  if (text === undefined) texts.set(name, (text = writeText(parts)));
  // PostgreSQL cuts statement names at 63 bytes; two long names could become the same.
  return { name: shortName(name), text, values };
}

function nameOf({ kind, table }: Part): string {
  return `${kind === 'insert' ? 'i' : 'u'}_${table.name}`;
}

/** The table's constant columns if all rows agree in them, else none: two texts at most. */
function constantIn(table: Table, rows: readonly WorkspaceRow[]): readonly string[] {
  const constant = table.constant as readonly (keyof WorkspaceRow)[] | undefined;
  const [first] = rows;
  if (constant === undefined || first === undefined) return NONE;
  for (const row of rows) {
    for (const column of constant) if (row[column] !== first[column]) return NONE;
  }
  return constant;
}

/**
 * As `alikeIn`, for updates; the expected version is constant where the new one is. The workspace
 * stays an array: as one value it led to a plan that walks all rows of the workspace.
 */
function constantUpdates(
  table: Table,
  rows: readonly WorkspaceRow[],
  changes: readonly Change[],
): readonly string[] {
  const constant = constantIn(table, rows).filter((column) => column !== 'workspace');
  if (constant.length === 0) return NONE;
  if (!constant.includes('version')) return constant;
  const expected = changes[0]?.expected;
  return changes.every((change) => change.expected === expected) ? [...constant, EXPECTED] : NONE;
}

function addColumns(
  values: unknown[],
  table: Table,
  rows: readonly WorkspaceRow[],
  constant: readonly string[],
): void {
  for (const column of columnsOf(table)) {
    if (constant.includes(column)) values.push(scalarText(rows[0]?.[column]));
    else values.push(arrayValue(table.columns[column], rows.map((row) => row[column])));
  }
}

const shortNames = new Map<string, string>();

function shortName(name: string): string {
  let short = shortNames.get(name);
  if (short === undefined) shortNames.set(name, (short = `w${shortNames.size}`));
  return short;
}

/** Where a part's values come from: the expression of each column, and the unnested arrays. */
interface Source {
  readonly columns: ReadonlyMap<string, string>;
  readonly from: string;
}

function writeText(parts: readonly Part[]): string {
  let parameter = 0;
  const ctes = parts.map((part) => {
    const { table, constant } = part;
    const types: [string, ColumnType][] = columnsOf(table).map((name) => [
      name,
      table.columns[name],
    ]);
    if (part.kind === 'update' && table.versioned) types.push([EXPECTED, 'int4']);
    const columns = new Map<string, string>();
    const names: string[] = [];
    const slots: string[] = [];
    for (const [name, type] of types) {
      parameter += 1;
      if (constant.includes(name)) {
        columns.set(name, scalarSlot(type, parameter));
      } else {
        columns.set(name, `n.${name}`);
        names.push(name);
        slots.push(slotText(type, parameter));
      }
    }
    const source = { columns, from: `unnest(${slots.join(', ')}) as n(${names.join(', ')})` };
    return part.kind === 'insert' ? insertText(part, source) : updateText(part, source);
  });
  const counts = parts.map((part) => `(select count(*) from ${nameOf(part)})`);
  const expected = slotText('int8', ++parameter);
  return `with ${ctes.join(',\n')}
    select assert_counts(${expected}, array[${counts.join(', ')}])`;
}

function insertText(part: Part, { columns, from }: Source): string {
  return `${nameOf(part)} as (insert into ${part.table.name} (${[...columns.keys()].join(', ')})
    select ${[...columns.values()].join(', ')} from ${from} returning 1)`;
}

function updateText(part: Part, { columns, from }: Source): string {
  const expected = columns.get(EXPECTED);
  const sets = [...columns]
    .filter(([column]) => column !== 'workspace' && column !== 'id' && column !== EXPECTED)
    .map(([column, value]) => `${column} = ${value}`);
  return `${nameOf(part)} as (update ${part.table.name} t set ${sets.join(', ')}
    from ${from}
    where t.workspace = n.workspace and t.id = n.id
    ${expected === undefined ? '' : `and t.version = ${expected}`} returning 1)`;
}
