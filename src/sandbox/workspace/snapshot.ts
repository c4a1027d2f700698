// Rows of snapshots: taken, found, listed, deleted, with their limits. A tenant finds only its own.
// The stored rows themselves are in snapshot-storage.ts.
import { prepared, raw, sql, sqlState, type Queryable, type Transaction } from '../../db/index.ts';
import { newUuid } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Instant } from '../../core/time.ts';
import { refusals } from './refusals.ts';
import type { Stored } from './snapshot-storage.ts';

/** The most named snapshots of one tenant. */
export const SNAPSHOTS_MAX = 100;
/** The most rows of one snapshot. */
export const ROWS_MAX = 1_000_000;

/** A stored snapshot. */
export interface SnapshotRow {
  readonly id: string;
  readonly number: number;
  readonly lineage: number;
  /** The wire id of its workspace. */
  readonly world_id: string;
  readonly name: string;
  readonly listed: boolean;
  readonly taken: Instant;
  readonly taken_virtual: Instant;
  readonly tables: readonly string[];
  readonly objects: bigint;
  readonly row_count: bigint;
  readonly shape: string;
}

const COLUMNS = `s.id, s.number, s.lineage, s.world_id, s.name, s.listed, s.taken, s.taken_virtual,
  s.tables, s.objects, s.row_count, s.shape`;

/**
 * Takes a snapshot of a live workspace, of `most` rows at most. `name` null: not listed, as for a
 * workspace's creation.
 */
export async function takeSnapshot(
  tx: Transaction,
  stored: Stored,
  workspace: number,
  name: string | null,
  most = ROWS_MAX,
): Promise<SnapshotRow> {
  const [next] = await tx.query<{ number: number; listed: number }>(prepared('snapshot_number')`
    select nextval(pg_get_serial_sequence('snapshot', 'number'))::int as number,
      (select count(*)::int from snapshot s where s.integrator = t.integrator and s.listed)
        as listed
    from tenant t join workspace w using (integrator)
    where w.workspace = ${workspace} for no key update of t`);
  if (next === undefined) throw new Error('a snapshot of a workspace that is not there');
  if (name !== null && next.listed >= SNAPSHOTS_MAX) throw refuse(refusals.SNAPSHOT_LIMIT);
  const taken = await stored.take(tx, workspace, next.number).catch((error: unknown) => {
    // The statement timeout of the database.
    throw sqlState(error) === '57014' ? refuse(refusals.SNAPSHOT_TOO_LARGE) : error;
  });
  if (taken === null) throw refuse(refusals.WORLD_BUSY, {}, 1);
  if (taken.row_count > most) throw refuse(refusals.SNAPSHOT_TOO_LARGE);
  const [row] = await tx.query<SnapshotRow>({
    name: 'snapshot_insert',
    text: `insert into snapshot as s (id, number, integrator, lineage, world_id, name, listed,
        taken, taken_virtual, tables, objects, row_count, shape)
      overriding system value
      select $2, $3, w.integrator, w.lineage, w.id, coalesce($4, w.name), $4 is not null, $5, $6,
        $7, $8, $9, $10
      from workspace w where w.workspace = $1 returning ${COLUMNS}`,
    values: [
      ...[workspace, newUuid(), next.number, name, taken.taken, taken.taken_virtual, taken.tables],
      ...[taken.objects, taken.row_count, stored.shape],
    ],
  });
  return row as SnapshotRow;
}

/** A snapshot of the tenant, or null. `id` is a UUID. */
export async function findSnapshot(
  db: Queryable,
  integrator: string,
  id: string,
): Promise<SnapshotRow | null> {
  const rows = await db.query<SnapshotRow>(prepared('snapshot_find')`
    select ${raw(COLUMNS)} from snapshot s where s.integrator = ${integrator} and s.id = ${id}`);
  return rows[0] ?? null;
}

/** The tenant's listed snapshots, oldest first. */
export function listSnapshots(db: Queryable, integrator: string): Promise<SnapshotRow[]> {
  return db.query<SnapshotRow>(sql`
    select ${raw(COLUMNS)} from snapshot s where s.integrator = ${integrator} and s.listed
    order by s.taken, s.id`);
}

/** Deletes a snapshot with its rows; workspaces created from it can no longer be reset. */
export async function deleteSnapshot(
  tx: Transaction,
  stored: Stored,
  snapshot: Pick<SnapshotRow, 'id' | 'number' | 'tables'>,
): Promise<void> {
  await tx.execute(sql`delete from snapshot where id = ${snapshot.id}`);
  await stored.drop(tx, snapshot);
}

/** Deletes unlisted snapshots that no live workspace was created from. */
export async function deleteForgotten(
  tx: Transaction,
  stored: Stored,
  integrator: string,
): Promise<void> {
  const rows = await tx.query<SnapshotRow>(sql`
    select ${raw(COLUMNS)} from snapshot s where s.integrator = ${integrator} and not s.listed
    and not exists (select from workspace w where w.snapshot_id = s.id and (w.ended is null
      or (w.ended = '-infinity' and w.created > clock_timestamp() - interval '1 hour')))
    and s.taken < clock_timestamp() - interval '1 minute'
    for update skip locked`);
  for (const row of rows) await deleteSnapshot(tx, stored, row);
}

/** The wire record of a snapshot. */
export function renderSnapshot(row: SnapshotRow) {
  return {
    snapshot_id: row.id,
    name: row.name,
    world_id: row.world_id,
    taken_at: row.taken_virtual,
    objects: Number(row.objects),
    rows: Number(row.row_count),
  };
}
