// Finds a tenant's world by what people call the tenant: its id on the wire. For operators'
// commands only; a request learns its world from its token.
import type { Queryable } from '../../db/index.ts';

/** The tenant's main world, or null where there is no such tenant. `integrator` is a UUID. */
export async function findWorld(db: Queryable, integrator: string): Promise<number | null> {
  const rows = await db.query<{ world: number }>({
    text: 'select world from world where integrator = $1 and main and ended is null',
    values: [integrator],
  });
  return rows[0]?.world ?? null;
}
