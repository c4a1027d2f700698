// Which tenants an operator may see, and which operators depend on each other.
import { sql, type Queryable, type Transaction } from '../../../db/index.ts';
import type { Workspaces } from './sealed.ts';

/** True where `mine` includes all of `theirs`. */
export function covers(mine: Workspaces, theirs: Workspaces): boolean {
  if (mine === 'all') return true;
  return theirs !== 'all' && theirs.every((workspace) => mine.includes(workspace));
}

/** The tenants that an operator may see, by workspace. */
export function workspacesSeen(
  db: Queryable,
  workspaces: Workspaces,
): Promise<{ workspace: number; name: string; integrator: string }[]> {
  return db.query(sql`select w.workspace, w.integrator, coalesce(s.name, t.name) as name
    from workspace w join tenant t on t.integrator = w.integrator
    left join tenant_setting s on s.workspace = w.workspace
    where w.ended is null and (${workspaces === 'all' ? null : workspaces}::int4[] is null
      or w.workspace = any($1))
    order by w.workspace limit 500`);
}

/**
 * Replaces a workspace by its successor: operators who may see the one may see the other, and
 * sessions that had chosen it switch with the next page.
 */
export async function followWorkspace(tx: Transaction, from: number, to: number): Promise<void> {
  const values = [from, to];
  await tx.execute({
    text: `update operator set workspaces = array_append(workspaces, $2) where $1 = any(workspaces)
      and not $2 = any(workspaces)`,
    values,
  });
  await tx.execute({
    text: 'update operator_session set workspace = $2 where workspace = $1',
    values,
  });
}

/**
 * Operators who created or reset this one, or whom this one created or reset. Read before the
 * command that needs it: a later reset ends the session that asks.
 */
export async function dependentOn(db: Queryable, id: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from operator where ${id} in (made_by, reset_by)
    union select unnest(array_remove(array[made_by, reset_by], null)) from operator where id = $1`);
  return rows.map((row) => row.id);
}
