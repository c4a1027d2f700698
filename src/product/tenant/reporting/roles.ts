// The roles that read the reporting views. A row binds each to one tenant: the views show what
// belongs to the tenant of whoever is connected, and no role may change a row. Acts of the owner.
// [G-87]
import type { Random } from '../../../core/random.ts';
import { dropReader, makeReader, sql, sqlState } from '../../../db/index.ts';
import type { Database, Queryable, Reader, Transaction } from '../../../db/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { REPORTING } from './columns.ts';

const SCHEMA = 'reporting_v1';
const ACTOR = 'operator';

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Tells the database, and so every tool that reads its catalogue, what the columns mean. */
async function describeViews(tx: Transaction): Promise<void> {
  for (const [view, { says, columns }] of Object.entries(REPORTING)) {
    const named = `${SCHEMA}.${view}`;
    await tx.execute(`comment on view ${named} is ${quoted(says)}`);
    for (const [column, [, means]] of Object.entries(columns)) {
      await tx.execute(`comment on column ${named}.${column} is ${quoted(means)}`);
    }
  }
}

/** Makes a role that reads the views of a tenant; null for a tenant that does not exist. */
export async function createReportingRole(
  owner: Database,
  random: Random,
  integrator: string,
): Promise<Reader | null> {
  try {
    return await owner.transaction(async (tx) => {
      const made = await makeReader(tx, random, SCHEMA);
      await describeViews(tx);
      await tx.execute(sql`
        insert into reporting_role (role, integrator) values (${made.role}, ${integrator})`);
      const detail = { integrator };
      const entry = { actor: ACTOR, act: 'reporting_role_created', subject: made.role } as const;
      await audit(tx, { workspace: 0, ...entry, detail });
      return made;
    });
  } catch (error) {
    if (sqlState(error) === '23503') return null;
    throw error;
  }
}

/** A role that reads the views of a tenant. */
interface ReportingRole {
  readonly role: string;
  readonly integrator: string;
  readonly created: string;
  /** False after a restore on a server that does not have the role. */
  readonly exists: boolean;
}

/** All of them, the oldest first. */
export function reportingRoles(db: Queryable): Promise<readonly ReportingRole[]> {
  return db.query(`select role, integrator, created,
      exists (select from pg_roles where rolname = role) as exists
    from reporting_role order by created, role`);
}

/** Removes a role; false if it is none of these. */
export function removeReportingRole(owner: Database, role: string): Promise<boolean> {
  return owner.transaction(async (tx) => {
    const text = 'delete from reporting_role where role = $1';
    if ((await tx.execute({ text, values: [role] })) === 0) return false;
    await dropReader(tx, role);
    const entry = { actor: ACTOR, act: 'reporting_role_removed', subject: role } as const;
    await audit(tx, { workspace: 0, ...entry });
    return true;
  });
}
