// An engine on a test database, with the process's own turns; tests replace what they look at.
import { Engine, type EngineOptions } from '../../src/engine/index.ts';
import type { Database } from '../../src/db/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import { Lineages } from '../../src/core/lineages.ts';
import { testScheduler } from './clock.ts';

/** `lanes`: where transactions run; `reads`: where discovery reads. */
export function engineOn(
  lanes: Database,
  reads: Database,
  more: Partial<EngineOptions> = {},
): Engine {
  return new Engine({
    db: lanes,
    reads,
    scheduler: testScheduler,
    newId: newUuid,
    lineages: new Lineages(),
    compose: async () => ({ composed: true }),
    committed: () => {},
    fault: () => {},
    ...more,
  });
}
