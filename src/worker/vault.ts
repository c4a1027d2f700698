// What the vault does from time to time: ends what an erasure has begun, and what has been kept for
// long enough. Knows no class of data.
import type { Database } from '../db/index.ts';
import type { Services } from '../domain/context.ts';
import { finishErasures, RETENTION } from '../domain/vault/index.ts';
import type { UpkeepRow } from './upkeep.ts';

/** The rows of the vault. Several processes may do it at once. [PD3, PD6] */
export function vaultRows(db: Database, services: Services): readonly UpkeepRow[] {
  const { engine, keys, entropy, identityVendor } = services;
  const parts = { db, engine, keys, entropy };
  return [
    { name: 'erasures', everySeconds: 5, run: () => finishErasures(db, identityVendor) },
    ...RETENTION.map(({ name, run }) => ({
      name: `retention: ${name}`,
      everySeconds: 3_600,
      run: () => run(parts),
    })),
  ];
}
