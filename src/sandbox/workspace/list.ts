// The live workspaces of a tenant, as on the wire.
import type { Queryable } from '../../db/index.ts';
import type { Instant } from '../../core/time.ts';

interface WorldRow {
  readonly world_id: string;
  readonly name: string;
  readonly current: boolean;
  readonly main: boolean;
  readonly now: Instant;
  readonly client_ids: string[];
  readonly snapshot_id: string | null;
  readonly created: Instant;
}

/** The main one first, then by age; `world` is the caller's. `created` is real time. */
export function listWorlds(
  db: Queryable,
  integrator: string,
  world: number,
): Promise<WorldRow[]> {
  return db.query<WorldRow>({
    text: `select w.id as world_id, w.name, w.world = $2 as current, w.main,
        clock_timestamp() + w.clock_offset as now, w.snapshot_id, w.created,
        array(select c.client_id::text from client c where c.world = w.world and not c.disabled
          order by c.created, c.client_id) as client_ids
      from world w where w.integrator = $1 and w.ended is null
      order by w.main desc, w.world`,
    values: [integrator, world],
  });
}

/** A live workspace of the tenant, locked against being archived; null for an unknown one. */
export async function lockWorld(
  tx: Queryable,
  integrator: string,
  id: string,
): Promise<{ readonly world: number; readonly main: boolean } | null> {
  const rows = await tx.query<{ world: number; main: boolean }>({
    text: `select world, main from world
      where integrator = $1 and id = $2 and ended is null for no key update`,
    values: [integrator, id],
  });
  return rows[0] ?? null;
}
