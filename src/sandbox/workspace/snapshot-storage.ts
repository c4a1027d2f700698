// Snapshot storage: the tables for rows of snapshots, and the queries that fill them and clone
// workspaces from them. A snapshot is one moment of all tables; a clone is written with every
// trigger and constraint on, in two transactions side by side.
import { createHash } from 'node:crypto';
import { prepared, raw, sql } from '../../db/index.ts';
import type { Database, Queryable, Transaction } from '../../db/index.ts';
import { refuse } from '../../core/refusal.ts';
import type { Instant } from '../../core/time.ts';
import { snapshotUnknown } from './refusals.ts';
import { COPIED, type CopiedTable } from './tables.ts';

/** What cloning needs of a snapshot. */
export interface Frozen {
  readonly number: number;
  readonly taken: Instant;
  readonly tables: readonly string[];
  readonly row_count: bigint;
}

/** What was stored for a snapshot. */
export interface Taken {
  readonly taken: Instant;
  /** By the workspace's clock. */
  readonly taken_virtual: Instant;
  /** Those that had rows. */
  readonly tables: readonly string[];
  readonly objects: number;
  readonly row_count: number;
}

/** A copied table with its columns. */
interface Known extends CopiedTable {
  readonly columns: readonly string[];
}

const LOCK = 4_604_127_031;

/** The snapshot storage of a database; one for each process. */
export class Stored {
  /** Connections for cloning; their plans are reused. */
  readonly db: Database;
  #tables: readonly Known[] = [];
  #shape = '';

  constructor(db: Database) {
    this.db = db;
  }

  /** Digest of the columns of all copied tables. */
  get shape(): string {
    return this.#shape;
  }

  /** Creates missing storage tables; recreates those with other columns, empty. */
  async prepare(): Promise<void> {
    await this.db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${LOCK})`);
      const columns = await columnsByTable(tx);
      const fresh = COPIED.filter(({ name }) => {
        const ours = `${columns.get(name)?.join()},snapshot integer not null`;
        return columns.get(`stored_${name}`)?.join() !== ours;
      });
      if (fresh.length > 0) await tx.execute(fresh.map(({ name }) => storedText(name)).join(''));
      this.#tables = COPIED.map((table) => {
        const typed = columns.get(table.name);
        if (typed === undefined) throw new Error(`there is no table ${table.name}`);
        return { ...table, columns: typed.map((column) => column.split(' ', 1)[0] ?? '') };
      });
      const all = COPIED.map(({ name }) => `${name}(${columns.get(name)?.join()})`).join();
      this.#shape = createHash('sha256').update(all).digest('base64url').slice(0, 22);
    });
  }

  /** Stores the rows of a workspace as of one moment; null for an archived workspace. */
  async take(tx: Queryable, workspace: number, number: number): Promise<Taken | null> {
    interface Row {
      readonly taken: Instant;
      readonly taken_virtual: Instant;
      readonly counts: bigint[];
    }
    const [row] = await tx.query<Row>({
      name: 'stored_take',
      text: takeText(this.#tables),
      values: [workspace, number],
    });
    if (row === undefined) return null;
    const { counts, taken, taken_virtual } = row;
    const filled = this.#tables.map((table, at) => ({ table, n: Number(counts[at]) }));
    const sum = (some: typeof filled): number => some.reduce((before, { n }) => before + n, 0);
    return {
      taken,
      taken_virtual,
      tables: filled.filter(({ n }) => n > 0).map(({ table }) => table.name),
      objects: sum(filled.filter(({ table }) => table.object)),
      row_count: sum(filled),
    };
  }

  /**
   * Writes the rows of a snapshot into an empty workspace. `instead`: the workspace that ends when
   * the clone goes live, or null; its bank pages continue in the clone. Refused where the snapshot
   * was deleted meanwhile.
   */
  async restore(workspace: number, from: Frozen, instead: number | null): Promise<void> {
    const tables = this.#tables.filter(({ name }) => from.tables.includes(name));
    const whole = tables.filter(({ replaced }) => replaced === undefined);
    const replaced = this.#tables.filter((table) => table.replaced !== undefined);
    const values = [workspace, from.number, from.taken, instead ?? 0];
    const write = (some: readonly Known[], after: readonly Known[], apart?: Promise<bigint>) =>
      this.db.transaction(async (tx): Promise<bigint> => {
        const name = createHash('sha256').update(some.map((one) => one.name).join()).digest('hex');
        const answers = tx.together(() => [
          // A deletion of the snapshot waits, or has already left nothing.
          tx.query<{ n: bigint }>(prepared('snapshot_held')`
            select 1::bigint as n from snapshot where number = ${from.number} for key share`),
          tx.query<{ n: bigint }>({
            name: `restore_${name.slice(0, 24)}`,
            text: restoreText(some),
            values,
          }),
          ...after.map((table) =>
            tx.query<{ n: bigint }>({
              name: `replace_${table.name}`,
              text: replaceText(table),
              values: values.slice(0, 3),
            }),
          ),
        ]);
        const [held, ...written] = await Promise.all(answers);
        if (held?.length === 0) throw refuse(snapshotUnknown);
        const rows = written.reduce((sum, [row]) => sum + (row?.n ?? 0n), 0n);
        if (apart === undefined) return rows;
        // The part that stands apart commits first: alone it violates nothing, whoever is killed
        // now.
        const all = rows + (await apart);
        if (all === from.row_count) return all;
        throw new Error(`a copy has ${all} rows, its snapshot ${from.row_count}`);
      });
    // It asks for its connection first too, so that neither part waits for one that the other
    // holds.
    const apart = write(whole.filter((table) => table.apart === true), []);
    const rest = write(whole.filter((table) => table.apart === undefined), replaced, apart);
    await Promise.all([apart, rest]);
  }

  /** Deletes the rows of a snapshot. */
  async drop(
    tx: Transaction,
    { number, tables }: Pick<Frozen, 'number' | 'tables'>,
  ): Promise<void> {
    const known = tables.filter((name) => this.#tables.some((table) => table.name === name));
    await Promise.all(
      tx.together(() =>
        known.map((name) =>
          tx.execute(sql`delete from stored_${raw(name)} where snapshot = ${number}`),
        ),
      ),
    );
  }
}

/** Columns of copied tables and of their storage, as `name type [not null]`, in order. */
async function columnsByTable(tx: Transaction): Promise<Map<string, readonly string[]>> {
  const rows = await tx.query<{ name: string; columns: string[] }>({
    text: `select c.relname as name,
        array_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
          || case when a.attnotnull then ' not null' else '' end order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and (c.relname = any($1) or c.relname = any($2)) group by c.relname`,
    values: [COPIED.map(({ name }) => name), COPIED.map(({ name }) => `stored_${name}`)],
  });
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

function storedText(name: string): string {
  return `drop table if exists stored_${name};
    create table stored_${name} (like ${name}, snapshot integer not null);
    create index stored_${name}_snapshot on stored_${name} (snapshot);`;
}

/** One query sees one moment of every table. */
function takeText(tables: readonly Known[]): string {
  const parts = tables.map(
    ({ name, columns, only }) => `, t_${name} as (
      insert into stored_${name} (${columns.join(', ')}, snapshot)
      select ${columns.map((column) => `t.${column}`).join(', ')}, $2::int
      from ${name} t where t.workspace = $1${only === undefined ? '' : ` and ${only}`}
        returning 1)`,
  );
  const counts = tables.map(({ name }) => `(select count(*) from t_${name})`);
  return `with w as materialized (select clock_timestamp() as taken, clock_offset
      from workspace where workspace = $1::int and ended is null)${parts.join('')}
    select taken, taken + clock_offset as taken_virtual, array[${counts.join(', ')}] as counts
    from w`;
}

/** The clone, the snapshot's number and its time: not every query uses all of them. */
const GIVEN = 'given as (select $1::int, $2::int, $3::timestamptz)';

/** A bank page that another live workspace also has gets another address in the clone. */
const RENAMED = `renamed as materialized (select s.challenge as old, gen_random_uuid() as new
    from stored_processor_charge s where s.snapshot = $2 and exists (
      select from processor_charge c join workspace w on w.workspace = c.workspace and w.ended
      is null
      where c.challenge = s.challenge and c.workspace <> $4::int))`;

function restoreText(tables: readonly Known[]): string {
  const parts = tables.map((table) => `, c_${table.name} as (${insertText(table)} returning 1)`);
  const counts = tables.map(({ name }) => `(select count(*) from c_${name})`);
  return `with ${GIVEN}, ${RENAMED}${parts.join('')} select ${['0', ...counts].join(' + ')} as n`;
}

function insertText({ name, columns, empty = [], moved = [], other = {} }: Known): string {
  const values = columns.map((column) => {
    if (column === 'workspace') return '$1::int';
    if (empty.includes(column)) return 'null';
    if (moved.includes(column)) return `s.${column} + (now() - $3::timestamptz)`;
    return other[column] ?? `s.${column}`;
  });
  return `insert into ${name} (${columns.join(', ')}) overriding system value
    select ${values.join(', ')} from stored_${name} s where s.snapshot = $2`;
}

/** Replaces the rows that triggers made by those of the snapshot. */
function replaceText(table: Known): string {
  const { name, columns, replaced = [] } = table;
  const key = ['workspace', ...replaced];
  const same = replaced.map((column) => ` and s.${column} = m.${column}`).join('');
  const sets = columns.filter((column) => !key.includes(column));
  return `with ${GIVEN}, gone as (delete from ${name} m where m.workspace = $1::int and not exists (
      select from stored_${name} s where s.snapshot = $2${same})),
    c as (${insertText(table)} on conflict (${key.join(', ')}) do update
      set ${sets.map((column) => `${column} = excluded.${column}`).join(', ')} returning 1)
    select count(*) as n from c`;
}

/** Makes the tables of the storage, as the role that owns the others. */
export async function prepareStorage(owner: Database): Promise<void> {
  await new Stored(owner).prepare();
}

const shelves = new WeakMap<Database, Promise<Stored>>();

/** The snapshot storage of these connections, ready for use. */
export function storedOf(db: Database): Promise<Stored> {
  let made = shelves.get(db);
  if (made === undefined) {
    const stored = new Stored(db);
    made = stored.prepare().then(() => stored);
    // A failure is not cached.
    made.catch(() => shelves.delete(db));
    shelves.set(db, made);
  }
  return made;
}
