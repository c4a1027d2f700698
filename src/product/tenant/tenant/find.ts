// Finds a tenant's main workspace by the tenant's wire id. For operators' commands only: a request
// knows its workspace from its token.
import { sql, type Queryable } from '../../../db/index.ts';

/** The tenant's main workspace, or null. `integrator` is a UUID. */
export async function findWorkspace(db: Queryable, integrator: string): Promise<number | null> {
  const rows = await db.query<{ workspace: number }>(sql`
    select workspace from workspace where integrator = ${integrator} and main and ended is null`);
  return rows[0]?.workspace ?? null;
}
