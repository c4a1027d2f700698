// Takes the snapshot that a workspace's resets go back to. A sandbox workspace has one from its
// first start on; one of another release is replaced.
import type { Database } from '../../db/index.ts';
import { shelfOf } from './snapshot-storage.ts';
import { deleteForgotten, takeSnapshot } from './snapshot.ts';

/** Takes the snapshot for resets, unless the workspace has one that fits this release. */
export async function rememberBeginning(db: Database, world: number): Promise<void> {
  const shelf = await shelfOf(db);
  await db.transaction(async (tx) => {
    const [known] = await tx.query<{ shape: string | null; integrator: string }>({
      text: `select w.integrator,
          (select s.shape from snapshot s where s.id = w.snapshot_id) as shape
        from world w where w.world = $1 and w.ended is null for no key update`,
      values: [world],
    });
    if (known === undefined || known.shape === shelf.shape) return;
    const { id } = await takeSnapshot(tx, shelf, world, null);
    await tx.execute({
      text: 'update world set snapshot_id = $2 where world = $1',
      values: [world, id],
    });
    await deleteForgotten(tx, shelf, known.integrator);
  });
}
