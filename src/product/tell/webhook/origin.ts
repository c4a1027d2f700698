// How a receiver tells which workspace a delivery is from. A clone keeps the addresses, ids and
// secrets of its endpoints, so one receiver may serve several workspaces: deliveries of a clone
// carry its id, others are as in production.
import { prepared, type Queryable } from '../../../db/index.ts';

/** The header with a clone's wire id. */
export const WORKSPACE_HEADER = 'webhook-world';

/** The clone with that id; null where there is none, or it is archived. */
export async function copyNamed(db: Queryable, id: string): Promise<number | null> {
  const rows = await db.query<{ workspace: number }>(prepared('webhook_copy_named')`
    select workspace from workspace
    where id = ${id} and lineage <> workspace and ended is null`);
  return rows[0]?.workspace ?? null;
}
