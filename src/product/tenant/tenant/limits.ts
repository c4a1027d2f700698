// A tenant's own limits in each process, where an operator sets some: on the command line, or at
// the console by an administrator of the installation; never by the tenant, and audited. [G-06]
import { raw, sql, type Database, type Queryable } from '../../../db/index.ts';
import type { TenantLimits } from '../../../core/operation.ts';
import { audit } from '../../tell/audit/index.ts';
import { findWorkspace } from './find.ts';

/** The limits in a row of tenant. */
export interface LimitsRow {
  readonly limit_in_flight: number | null;
  readonly limit_writes: number | null;
  readonly limit_reads: number | null;
}

/** The columns of `LimitsRow`. */
export const LIMIT_COLUMNS = 'limit_in_flight, limit_writes, limit_reads';

/** A tenant's own limits, all or none. */
export function limitsOf(row: LimitsRow): TenantLimits | null {
  const { limit_in_flight: inFlight, limit_writes: writes, limit_reads: reads } = row;
  if (inFlight === null || writes === null || reads === null) return null;
  return { inFlight, writes, reads };
}

/** A tenant's own limits, or null for the defaults; undefined for an unknown tenant. */
export async function tenantLimits(
  db: Queryable,
  integrator: string,
): Promise<TenantLimits | null | undefined> {
  const [row] = await db.query<LimitsRow>(sql`
    select ${raw(LIMIT_COLUMNS)} from tenant where integrator = ${integrator}`);
  return row && limitsOf(row);
}

/** Sets a tenant's own limits; null restores those of each process. */
export async function setTenantLimits(
  db: Database,
  integrator: string,
  limits: TenantLimits | null,
  actor = 'operator',
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      update tenant set limit_in_flight = ${limits?.inFlight}, limit_writes = ${limits?.writes},
        limit_reads = ${limits?.reads}
      where integrator = ${integrator}`);
    const workspace = (await findWorkspace(tx, integrator)) ?? 0;
    const detail = Object.fromEntries(
      Object.entries(limits ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const entry = { actor, act: 'tenant_limits_changed', subject: integrator } as const;
    await audit(tx, { workspace, ...entry, detail });
  });
}

/**
 * Sets from how many minor units of a currency on an act of an operator takes two; null: as the
 * installation's setting says. False where the workspace lacks the currency. Nodes follow within
 * seconds. [G-88]
 */
export function setSecondFrom(
  db: Database,
  workspace: number,
  currency: string,
  units: bigint | null,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx.execute(sql`update workspace_currency set second_from = ${units}
      where workspace = ${workspace} and currency = ${currency}`);
    if (changed === 0) return false;
    const detail = { currency, from: units === null ? 'default' : String(units) };
    const entry = { workspace, actor: 'operator', subject: '' } as const;
    await audit(tx, { ...entry, act: 'second_person_limit_changed', detail });
    return true;
  });
}
