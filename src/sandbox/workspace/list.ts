// The live workspaces of a tenant, as on the wire.
import { sql, type Queryable } from '../../db/index.ts';

/** The main one first, then by age; `workspace` is the caller's. `created` is real time. */
export function listWorkspaces(
  db: Queryable,
  integrator: string,
  workspace: number,
): Promise<readonly object[]> {
  return db.query(sql`
    select w.id as world_id, w.name, w.workspace = ${workspace} as current, w.main,
      clock_timestamp() + w.clock_offset as now, w.snapshot_id, w.created,
      array(select c.client_id::text from client c where c.workspace = w.workspace
      and not c.disabled
        order by c.created, c.client_id) as client_ids
    from workspace w where w.integrator = ${integrator} and w.ended is null
    order by w.main desc, w.workspace`);
}

/** A live workspace of the tenant, locked against being archived; null for an unknown one. */
export async function lockWorkspace(
  tx: Queryable,
  integrator: string,
  id: string,
): Promise<{ readonly workspace: number; readonly main: boolean } | null> {
  const rows = await tx.query<{ workspace: number; main: boolean }>(sql`
    select workspace, main from workspace
    where integrator = ${integrator} and id = ${id} and ended is null for no key update`);
  return rows[0] ?? null;
}
