// Worlds that end while commands run, which happens in a sandbox only. Answers for no command being
// acknowledged in a world that has ended: a run holds a lock of each of its worlds until its
// commit, and who ends one takes that lock alone. Refuses to know why a world ends.
import type { Transaction } from '../db/index.ts';
import { Refusal } from '../kernel/refusal.ts';
import { arrayValue } from './arrays.ts';
import { engineRefusals } from './refusals.ts';

/** True for the refusal of a world that has ended: work in the background is dropped for it. */
export function isEnded(error: unknown): boolean {
  return error instanceof Refusal && error.spec === engineRefusals.WORLD_ENDED;
}

/** First key of a world's advisory lock; the second is its number. */
const WORLD_CLASS = 0x776f726c;

/**
 * Takes the locks of the worlds for a run, without waiting; gives those that it holds. What a later
 * statement of the transaction reads of their end is then true until the commit.
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
 * Waits until no run is under way in the world, and keeps new ones out until the transaction ends.
 */
export async function stillWorld(tx: Transaction, world: number): Promise<void> {
  await tx.query({ text: `select pg_advisory_xact_lock(${WORLD_CLASS}, $1)`, values: [world] });
}
