// Workspace locks, for workspaces that are archived while commands run (sandbox only). A run holds
// its workspaces' locks in shared mode until it commits and archiving takes the lock exclusively,
// so no command is acknowledged in an archived workspace.
import { arrayValue, type Transaction } from '../db/index.ts';
import { Refusal } from '../core/refusal.ts';
import { engineRefusals } from './refusals.ts';

/** True for the refusal of an archived workspace: background work for it is dropped. */
export function isEnded(error: unknown): boolean {
  return error instanceof Refusal && error.spec === engineRefusals.WORLD_ENDED;
}

/** First key of the advisory lock; the second is the workspace's number. */
const WORLD_CLASS = 0x776f726c;

/**
 * Tries to take the shared lock of each workspace for this transaction, without waiting; returns
 * those it got. Whether these are archived cannot change until the commit.
 */
export async function holdWorlds(
  tx: Transaction,
  worlds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ world: number }>({
    name: 'hold_worlds',
    text: `select world from unnest($1::int4[]) as w(world)
      where pg_try_advisory_xact_lock_shared(${WORLD_CLASS}, world)`,
    values: [arrayValue('int4', worlds)],
  });
  return new Set(rows.map((row) => row.world));
}

/**
 * Waits until no command runs in the workspace, and keeps new ones out until the transaction ends.
 */
export async function stillWorld(tx: Transaction, world: number): Promise<void> {
  await tx.query({ text: `select pg_advisory_xact_lock(${WORLD_CLASS}, $1)`, values: [world] });
}
