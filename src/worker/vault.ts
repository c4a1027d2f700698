// Periodic work of retention and erasure: completes begun erasures and deletes what has been kept
// long enough.
import type { Database } from '../db/index.ts';
import type { Services } from '../product/context.ts';
import { finishErasures, RETENTION } from '../product/people/retention/index.ts';
import type { UpkeepRow } from './upkeep.ts';

/** The rows of retention and erasure. Safe in several processes. [PD3, PD6] */
export function vaultRows(db: Database, services: Services): readonly UpkeepRow[] {
  const { engine, keys, random, identityVendor } = services;
  const parts = { db, engine, keys, random };
  return [
    { name: 'erasures', everySeconds: 5, run: () => finishErasures(db, identityVendor) },
    ...RETENTION.map(({ name, run }) => ({
      name: `retention: ${name}`,
      everySeconds: 3_600,
      run: () => run(parts),
    })),
  ];
}
