// The states of moves: the freeze that thaws by itself, and the hand-over that decides who owns the
// tenant. Each is one transaction, and the lock of the move's row puts them in order.
import { prepared, sql, type Database, type Queryable } from '../../../db/index.ts';
import { audit } from '../../tell/audit/index.ts';

export type MoveState = 'copying' | 'frozen' | 'moved' | 'arriving' | 'arrived';

/** A workspace as a move sees it. */
export interface Standing {
  readonly workspace: number;
  /** Null: it never moved. */
  readonly state: MoveState | null;
  /** It serves: it has no end. */
  readonly live: boolean;
  /** How many living workspaces its tenant has. */
  readonly siblings: number;
}

/** Milliseconds in which a frozen tenant must be handed over; the thaw comes up to 2 s later. */
export const FROZEN_MS = 7_000;

/** Where the tenant stands on this side; undefined: it is not there. */
export async function standingOf(db: Queryable, integrator: string): Promise<Standing | undefined> {
  const rows = await db.query<Standing>(sql`
    select w.workspace, m.state, w.ended is null as live, (select count(*)::int
      from workspace o where o.integrator = w.integrator and o.ended is null) as siblings
    from workspace w left join tenant_move m on m.workspace = w.workspace
    where w.integrator = ${integrator} and w.main
    order by w.ended is null desc, m.workspace is null, w.ended desc limit 1`);
  return rows[0];
}

/**
 * Writes down how a move stands; gives the moment, by which a command knows that no other one has
 * begun since. Throws a sentence where the tenant is frozen.
 */
export async function note(
  tx: Queryable,
  workspace: number,
  state: Exclude<MoveState, 'frozen'>,
  other: number,
): Promise<string> {
  const [row] = await tx.query<{ at: string }>(sql`
    insert into tenant_move as m (workspace, state, other) values (${workspace}, ${state}, ${other})
    on conflict (workspace) do update set state = excluded.state, other = excluded.other,
      at = $now
    where m.state <> 'frozen' returning at::text`);
  if (row === undefined) throw new Error(CHANGED);
  return row.at;
}

const CHANGED = 'Another command moves this tenant.';

/** Holds the row of an arriving tenant. Throws a sentence where another command has begun. */
export async function holdArriving(
  tx: Queryable,
  workspace: number,
  at: string | null,
): Promise<void> {
  const rows = await tx.query(sql`
    select from tenant_move where workspace = ${workspace} and state = 'arriving'
    and at = coalesce(${at}, at) for update`);
  if (rows.length === 0) throw new Error(CHANGED);
}

/**
 * Freezes the tenant: no command of it commits that begins from now on. Gives the moment in seconds
 * by the database's clock. Throws a sentence where another command has begun to move it.
 */
export function freeze(db: Database, workspace: number, at: string): Promise<number> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ seconds: number }>(sql`update tenant_move set state = 'frozen',
        frozen_until = $now + make_interval(secs => ${FROZEN_MS / 1_000})
      where workspace = ${workspace} and state = 'copying' and at = ${at}
      returning extract(epoch from $now)::float8 as seconds`);
    if (row === undefined) throw new Error(CHANGED);
    const text = `update workspace set ended = '-infinity' where workspace = $1 and ended is null`;
    const frozen = await tx.execute({ text, values: [workspace] });
    if (frozen === 0) throw new Error('This tenant is not served here.');
    return row.seconds;
  });
}

/** Ends freezes that were not handed over in time, or one now; the tenants are served again. */
export async function thaw(db: Pick<Database, 'query'>, workspace?: number): Promise<number> {
  const thawed = await db.query(prepared('thaw_tenants')`with late as (
      update tenant_move set state = 'copying', frozen_until = null
      where state = 'frozen' and (workspace = ${workspace ?? null} or frozen_until <= $now)
      returning workspace)
    update workspace w set ended = null from late where w.workspace = late.workspace
    returning w.workspace`);
  return thawed.length;
}

/**
 * The decision, which nothing undoes: from its commit on the other side owns the tenant. False
 * where the freeze is over: then nothing has changed.
 */
export function handOver(
  db: Database,
  workspace: number,
  integrator: string,
  at: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const frozen = await tx.query(sql`
      select from tenant_move where workspace = ${workspace} and state = 'frozen' and at = ${at}
      and frozen_until > clock_timestamp() for update`);
    if (frozen.length === 0) return false;
    for (const text of [
      `update tenant_move set state = 'moved', frozen_until = null, at = $now where workspace = $1`,
      'update workspace set ended = $now where workspace = $1',
    ]) await tx.execute({ text, values: [workspace] });
    const entry = { actor: 'operator', act: 'tenant_moved', subject: integrator } as const;
    await audit(tx, { workspace: 0, ...entry });
    return true;
  });
}

/** The number of this installation; 0 is the only one, or the first. */
export async function numberOf(db: Queryable): Promise<number> {
  const rows = await db.query<{ value: string }>(
    `select value from installation where name = 'number'`,
  );
  return Number(rows[0]?.value ?? 0);
}

/**
 * The keys by which a proxy finds the tenants that this installation serves: ids of tenants and of
 * clients, and the links that came with a tenant and still lead to where it was.
 */
export async function directoryOf(db: Queryable): Promise<readonly string[]> {
  const number = await numberOf(db);
  const rows = await db.query<{ key: string }>(
    `select integrator::text as key from workspace where ended is null and main
      union all select client_id::text from client c join workspace w using (workspace)
        where w.ended is null
      union all select l.nonce_hash from link l join tenant_move m using (workspace)
        where m.state = 'arrived' and l.created < m.at and l.expires > clock_timestamp()
      order by key`,
  );
  return rows.map(({ key }) => `${key} ${number}`);
}
