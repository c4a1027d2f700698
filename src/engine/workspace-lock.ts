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
const WORKSPACE_CLASS = 0x776f726c;

/**
 * Tries to take the shared lock of each workspace for this transaction, without waiting; returns
 * those it got. Whether these are archived cannot change until the commit.
 */
export async function lockWorkspaces(
  tx: Transaction,
  workspaces: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ workspace: number }>({
    name: 'hold_workspaces',
    text: `select workspace from unnest($1::int4[]) as w(workspace)
      where pg_try_advisory_xact_lock_shared(${WORKSPACE_CLASS}, workspace)`,
    values: [arrayValue('int4', workspaces)],
  });
  return new Set(rows.map((row) => row.workspace));
}

/**
 * Waits until no command runs in the workspace, and keeps new ones out until the transaction ends.
 */
export async function stillWorkspace(tx: Transaction, workspace: number): Promise<void> {
  await tx.query({
    text: `select pg_advisory_xact_lock(${WORKSPACE_CLASS}, $1)`,
    values: [workspace],
  });
}
