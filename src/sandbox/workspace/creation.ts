// Takes the snapshot that a workspace's resets go back to. A sandbox workspace has one from its
// first start on; one of another release is replaced.
import { Refusal } from '../../core/refusal.ts';
import { sql, type Database } from '../../db/index.ts';
import { refusals } from './refusals.ts';
import { storedOf } from './snapshot-storage.ts';
import { deleteForgotten, ROWS_MAX, takeSnapshot } from './snapshot.ts';

/**
 * Takes the snapshot for resets, unless the workspace has one that fits this release. One that has
 * grown beyond `most` rows keeps the old one, and its resets are refused.
 */
export async function rememberBeginning(
  db: Database,
  workspace: number,
  most = ROWS_MAX,
): Promise<void> {
  const stored = await storedOf(db);
  const taken = db.transaction(async (tx) => {
    const [known] = await tx.query<{ shape: string | null; integrator: string }>(sql`
      select w.integrator,
        (select s.shape from snapshot s where s.id = w.snapshot_id) as shape
      from workspace w where w.workspace = ${workspace} and w.ended is null for no key update`);
    if (known === undefined || known.shape === stored.shape) return;
    const { id } = await takeSnapshot(tx, stored, workspace, null, most);
    await tx.execute(sql`update workspace set snapshot_id = ${id} where workspace = ${workspace}`);
    await deleteForgotten(tx, stored, known.integrator);
  });
  await taken.catch((error: unknown) => {
    const tooLarge = error instanceof Refusal && error.spec === refusals.SNAPSHOT_TOO_LARGE;
    if (!tooLarge) throw error;
  });
}
