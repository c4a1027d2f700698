// Writes a whole batch in one statement: one CTE per table, one array parameter per column, one
// scalar for a constant column. After a COMMIT that got no answer, looks for a row that only this
// transaction can have written; the database's own status is trusted for "aborted" only.
import {
  columnsOf,
  type ColumnType,
  type IdRow,
  type Table,
  type WorkspaceRow,
} from '../core/table.ts';
import {
  arrayValue,
  scalarSlot,
  scalarText,
  slotText,
  sqlState,
  type Queryable,
  type Statement,
} from '../db/index.ts';
import { CommitUnknown } from './options.ts';
import { ByRow } from './rows.ts';
import { storedAs } from './short-steps.ts';
import { stepTable, type StepRow } from './tables.ts';

/** The new row, and the version it was read at. */
export interface Change {
  row: IdRow;
  readonly expected: number;
}

/** Everything that one transaction writes. */
export class Writes {
  readonly inserts = new Map<Table, WorkspaceRow[]>();
  readonly updates = new Map<Table, Change[]>();
  readonly #changes = new ByRow<Change>();

  get empty(): boolean {
    return this.inserts.size === 0 && this.updates.size === 0;
  }

  /** Names of the tables that are written. */
  get tables(): Set<string> {
    return new Set([...this.inserts.keys(), ...this.updates.keys()].map(({ name }) => name));
  }

  addInsert(table: Table, row: WorkspaceRow): void {
    const rows = this.inserts.get(table);
    if (rows === undefined) this.inserts.set(table, [row]);
    else rows.push(row);
  }

  addUpdate(table: Table, row: IdRow, expected: number): void {
    const known = this.#changes.get(table, row.workspace, row.id);
    if (known !== undefined) {
      known.row = row;
      return;
    }
    const change = { row, expected };
    this.#changes.set(table, row.workspace, row.id, change);
    const changes = this.updates.get(table);
    if (changes === undefined) this.updates.set(table, [change]);
    else changes.push(change);
  }
}

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
  for (const [given, givenRows] of writes.inserts) {
    const [table, rows] = storedAs(given, givenRows);
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
      const isOne = constant.includes(name);
      const value = isOne ? scalarSlot(type, parameter) : `n.${name}`;
      columns.set(name, table.stored?.[name]?.replace('?', value) ?? value);
      if (isOne) continue;
      names.push(name);
      slots.push(slotText(type, parameter));
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

/** As long as a request waits for a connection. */
const LOOK_FOR_MS = 5_000;
const BETWEEN_LOOKS_MS = 100;

/** The engine's clock and pause. */
export interface CommitWait {
  now(): number;
  pause(ms: number): Promise<void>;
}

/** True if the transaction committed; throws `CommitUnknown` if five seconds do not settle it. */
export async function wasCommitted(
  db: Queryable,
  xid: string,
  writes: Pick<Writes, 'inserts'>,
  { now, pause }: CommitWait,
): Promise<boolean> {
  const mark = markOf(writes);
  const end = now() + LOOK_FOR_MS;
  do {
    const committed = await look(db, xid, mark).catch((error: unknown) => {
      if (error instanceof CommitUnknown) throw error;
      // The database is unreachable for now.
      return null;
    });
    if (committed !== null) return committed;
    await pause(BETWEEN_LOOKS_MS);
  } while (now() < end);
  throw new CommitUnknown('the outcome of a commit is not known yet');
}

/**
 * True or false if the outcome is known; null while the transaction is in progress. A status
 * "committed" proves nothing: after a crash PostgreSQL reuses transaction ids that never reached
 * the disk, so it may be another's (seen with kill -9 under load: an answer went out for rows that
 * did not exist).
 */
async function look(db: Queryable, xid: string, mark: Statement | null): Promise<boolean | null> {
  if (mark !== null && (await isThere(db, mark))) return true;
  const status = await statusOf(db, xid);
  if (status === 'aborted') return false;
  if (status === 'in progress') return null;
  if (mark === null) throw new CommitUnknown('a commit left no row that tells it from others');
  // It may have committed between the two queries.
  return isThere(db, mark);
}

/** A server that has not reached the id, as after a failover, has not committed it either. */
async function statusOf(db: Queryable, xid: string): Promise<string | null> {
  const text = 'select pg_xact_status($1::xid8) as status';
  const rows = await db.query<{ status: string | null }>({ text, values: [xid] }).catch((error) => {
    if (sqlState(error) === '22023') return [{ status: 'aborted' }];
    throw error;
  });
  return rows[0]?.status ?? null;
}

async function isThere(db: Queryable, mark: Statement): Promise<boolean> {
  return (await db.query<{ there: boolean }>(mark))[0]?.there === true;
}

/** So that the row is told only once it is on the synchronous standby too, if there is one. */
const DURABLE = "pg_logical_emit_message(true, 'holdfast', '')";

/** Query for a row that only this transaction wrote: a step with time and actor, or a fresh id. */
function markOf(writes: Pick<Writes, 'inserts'>): Statement | null {
  const step = writes.inserts.get(stepTable as unknown as Table)?.[0] as StepRow | undefined;
  if (step !== undefined) {
    return {
      text: `select exists (select from history where workspace = $1 and resource_id = $2
        and version = $3
        and at = $4 and actor = $5) as there, ${DURABLE}`,
      values: [step.workspace, step.resource_id, step.version, step.at, step.actor],
    };
  }
  for (const [table, rows] of writes.inserts) {
    const row = rows[0] as IdRow | undefined;
    if (row === undefined || !('id' in table.columns)) continue;
    return {
      text: `select exists (select from ${table.name} where workspace = $1 and id = $2) as there,
        ${DURABLE}`,
      values: [row.workspace, row.id],
    };
  }
  return null;
}
