// Which world a delivery comes from, as its receiver is told. A copy of a world keeps addresses,
// ids and secrets of its endpoints, so one receiver may hear of several worlds: deliveries of a
// copy name it, those of a world that is no copy are as in production. Refuses to know who
// receives.
import type { Queryable } from '../../db/index.ts';

/** The header that names a copy by its id on the wire. */
export const WORLD_HEADER = 'webhook-world';

/** The copy of that id; null where there is none, or it has ended. */
export async function copyNamed(db: Queryable, id: string): Promise<number | null> {
  const rows = await db.query<{ world: number }>({
    name: 'webhook_copy_named',
    text: 'select world from world where id = $1 and line <> world and ended is null',
    values: [id],
  });
  return rows[0]?.world ?? null;
}
