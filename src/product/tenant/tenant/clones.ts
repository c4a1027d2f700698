// Clones of workspaces as rows of `workspace`: created and archived. A clone belongs to the lineage
// and tenant of its original, and nothing is acknowledged in a workspace after its end. What a
// clone contains is copied elsewhere.
import { sql, type Transaction } from '../../../db/index.ts';
import { stillWorkspace } from '../../../engine/index.ts';

export interface NewClone {
  /** The number of any workspace of the lineage. */
  readonly of: number;
  /** For readers. */
  readonly name: string;
  /** The snapshot that it starts from; null: none in snapshot storage. */
  readonly snapshot: string | null;
}

export interface CreatedClone {
  readonly workspace: number;
  /** The workspace's wire id. */
  readonly id: string;
}

/**
 * Creates the row of a clone, which is not a main workspace yet. Call it inside an announcement,
 * before any other row of the clone. Its clock is that of its original.
 */
export async function addClone(
  tx: Transaction,
  { of, name, snapshot }: NewClone,
): Promise<CreatedClone> {
  const rows = await tx.query<CreatedClone>(sql`insert into workspace
      (workspace, integrator, lineage, name, main, snapshot_id, clock_offset)
    overriding system value
    select nextval('workspace_copy'), integrator, lineage, ${name}, false, ${snapshot}, clock_offset
    from workspace where workspace = ${of} returning workspace, id`);
  const [made] = rows;
  if (made === undefined) throw new Error('a copy of a workspace that is not there');
  return made;
}

/**
 * Archives a workspace: waits for its running commands and lets no other in. Where it was its
 * tenant's main workspace, `heir` becomes that. Repeating changes nothing.
 */
export async function endWorkspace(
  tx: Transaction,
  workspace: number,
  heir: number | null = null,
): Promise<void> {
  await stillWorkspace(tx, workspace);
  const rows = await tx.query<{ main: boolean }>(sql`
    update workspace set ended = $now where workspace = ${workspace} and ended is null
    returning main`);
  if (rows[0]?.main !== true || heir === null) return;
  await tx.execute(sql`update workspace set main = true where workspace = ${heir}`);
}
