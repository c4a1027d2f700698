// What a move carries: every table with a column `workspace`, read from the catalogue, and the rows
// of shared tables that those refer to.
import type { Transaction } from '../../../db/index.ts';

/** A table, and which of its rows are sent. */
export interface Carried {
  readonly name: string;
  /** Names in their order. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** SQL about row `t` on the side where it comes from. */
  readonly where: string;
  /** SQL in place of columns. */
  readonly other: Readonly<Record<string, string>>;
}

/** Rows that stay: what is under way there, what was proven there, and the move itself. */
const LEFT = ['tenant_move', 'operator_session', 'sandbox_wait', 'request_note', 'audit_proof'];

/** Lets people and programs in: carried last, by the transaction that opens the tenant. */
const DOORS = ['client', 'link', 'refresh_token'];

/** The workspace arrives frozen, as one that is still being made. */
const ARRIVING = {
  ended: `'-infinity'::timestamptz`,
  snapshot_id: 'null::uuid',
  clock_lease: 'null::uuid',
  clock_leased_until: 'null::timestamptz',
};

/**
 * Shared rows, by what a tenant's rows name; $1 stands for its workspace. Operators may not sign in
 * where they come to, and keys sign nothing there.
 */
const SHARED: readonly Pick<Carried, 'name' | 'where' | 'other'>[] = [
  { name: 'tenant', where: 'integrator = (select integrator from workspace where workspace = $1)',
    other: {} },
  { name: 'stop', where: 'integrator = (select integrator from workspace where workspace = $1)',
    other: {} },
  { name: 'terms_version',
    where: 'version in (select version from terms_signature where workspace = $1)', other: {} },
  { name: 'operator',
    where: 'id in (select operator_id from operator_account where workspace = $1)',
    other: {
      username_key: `'moved:' || t.id`,
      disabled: 'coalesce(t.disabled, clock_timestamp())',
      made_by: 'null::uuid',
      reset_by: 'null::uuid',
    } },
  { name: 'audit_key', where: 'key in (select key from audit_block where workspace = $1)',
    other: { retired: 'coalesce(t.retired, clock_timestamp())' } },
  { name: 'revoked_token',
    where: `kind = 'family' and id in (
      select family::text from refresh_token where workspace = $1
      union all select nonce_hash from link where workspace = $1)`, other: {} },
];

/** What a tenant has, in three parts. */
export interface Parts {
  readonly tables: readonly Carried[];
  readonly doors: readonly Carried[];
  readonly shared: readonly Carried[];
  /** Sequences of their columns, as `[table, column, sequence]`. */
  readonly sequences: readonly (readonly [string, string, string])[];
}

/** The keys of tables that may have no primary key. */
const KEYS: Readonly<Record<string, readonly string[]>> = { idempotency: ['workspace', 'scope'] };

interface Found {
  readonly name: string;
  readonly columns: string[];
  readonly types: string[];
  readonly key: readonly string[] | null;
}

/** Reads the tables; `shape` is equal where both sides have the same. */
export async function partsOf(
  tx: Pick<Transaction, 'query'>,
  workspace: number,
): Promise<{ readonly parts: Parts; readonly shape: string }> {
  const rows = await tx.query<Found>({
    text: `select c.relname as name,
        array_agg(a.attname::text order by a.attnum) as columns,
        array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types,
        (select array_agg(k.attname::text order by k.attnum) from pg_index i
          join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey)
          where i.indrelid = c.oid and i.indisprimary) as key
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname not like 'stored\\_%'
        -- The past of a table is read by the table's name.
        and not exists (select from pg_inherits h where h.inhrelid = c.oid)
      group by c.oid, c.relname order by c.relname`,
  });
  const found = rows.map((one) => ({ ...one, key: KEYS[one.name] ?? one.key }));
  const sequences = await tx.query<{ name: string; column: string; sequence: string }>({
    text: `select c.relname as name, a.attname::text as column,
        pg_get_serial_sequence(c.relname, a.attname) as sequence
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
      where c.relnamespace = 'public'::regnamespace and c.relname <> 'workspace'
        and exists (select from pg_attribute w where w.attrelid = c.oid
          and w.attname = 'workspace')`,
  });
  const carried = (one: Found, where: string, other: Carried['other'] = {}): Carried => {
    const given = where.replaceAll('$1', String(workspace));
    return { name: one.name, columns: one.columns, key: one.key ?? [], where: given, other };
  };
  const own = found.filter(({ name, columns }) => {
    return columns.includes('workspace') && !LEFT.includes(name);
  });
  const [doors, tables] = [true, false].map((isDoor) =>
    own
      .filter(({ name }) => DOORS.includes(name) === isDoor)
      .map((one) => carried(one, 't.workspace = $1', one.name === 'workspace' ? ARRIVING : {})),
  ) as [Carried[], Carried[]];
  const shared = SHARED.flatMap(({ name, where, other }) =>
    found.filter((one) => one.name === name).map((one) => carried(one, where, other)),
  );
  const named = sequences.map((one) => [one.name, one.column, one.sequence] as const);
  const shape = JSON.stringify(found.filter(({ name }) => name !== 'migration'));
  return { parts: { tables, doors, shared, sequences: named }, shape };
}
