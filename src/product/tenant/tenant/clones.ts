// Clones of workspaces as rows of `world`: created and archived. A clone belongs to the lineage and
// tenant of its original, and nothing is acknowledged in a workspace after its end. What a clone
// contains is copied elsewhere.
import type { Transaction } from '../../../db/index.ts';
import { stillWorld } from '../../../engine/index.ts';

export interface NewCopy {
  /** The number of any workspace of the lineage. */
  readonly of: number;
  /** For readers. */
  readonly name: string;
  /** The snapshot that it starts from; null: none in snapshot storage. */
  readonly snapshot: string | null;
}

export interface MadeCopy {
  readonly world: number;
  /** The workspace's wire id. */
  readonly id: string;
}

/**
 * Creates the row of a clone, which is not a main workspace yet. Call it inside an announcement,
 * before any other row of the clone. Its clock is that of its original.
 */
export async function addCopy(tx: Transaction, { of, name, snapshot }: NewCopy): Promise<MadeCopy> {
  const rows = await tx.query<MadeCopy>({
    text: `insert into world
        (world, integrator, line, name, main, snapshot_id, clock_offset)
      overriding system value
      select nextval('world_copy'), integrator, line, $2, false, $3, clock_offset
      from world where world = $1 returning world, id`,
    values: [of, name, snapshot],
  });
  const [made] = rows;
  if (made === undefined) throw new Error('a copy of a world that is not there');
  return made;
}

/**
 * Archives a workspace: waits for its running commands and lets no other in. Where it was its
 * tenant's main workspace, `heir` becomes that. Repeating changes nothing.
 */
export async function endWorld(
  tx: Transaction,
  world: number,
  heir: number | null = null,
): Promise<void> {
  await stillWorld(tx, world);
  const rows = await tx.query<{ main: boolean }>({
    text: `update world set ended = clock_timestamp() where world = $1 and ended is null
      returning main`,
    values: [world],
  });
  if (rows[0]?.main !== true || heir === null) return;
  await tx.execute({ text: 'update world set main = true where world = $1', values: [heir] });
}
