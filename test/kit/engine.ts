// An engine on a test database, with the process's own turns; tests replace what they look at.
import { Engine, type EngineOptions } from '../../src/engine/index.ts';
import type { Database } from '../../src/db/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import { Lines } from '../../src/core/lines.ts';
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
    lines: new Lines(),
    compose: async () => ({ composed: true }),
    committed: () => {},
    fault: () => {},
    ...more,
  });
}
