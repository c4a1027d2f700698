// The engines of a process: the server's, and one for a few commands of the command line. Answers
// for what an engine is given from outside; knows no command.
import type { Config } from './config.ts';
import type { Database } from './db/index.ts';
import { Engine, type EngineOptions, type Scheduler } from './engine/index.ts';
import { systemEntropy } from './kernel/entropy.ts';
import type { Lines } from './kernel/lines.ts';
import type { Records } from './outbox/index.ts';
import type { Pools } from './pools.ts';

/** Time and turns of the process. */
const scheduler: Scheduler = {
  now: () => performance.now(),
  soon: (work) => void setImmediate(work),
  after: (ms, work) => void setTimeout(work, ms),
  chance: Math.random,
};

type Env = 'staging' | 'production';

/** What the engine of a server is made of. */
export interface ServerEngineParts extends Pick<EngineOptions, 'committed' | 'fault' | 'away'> {
  readonly env: Env;
  readonly config: Pick<Config, 'batches' | 'patienceMs'>;
  readonly pools: Pools;
  readonly lines: Lines;
  readonly records: Records;
}

/** The engine of a server. In staging worlds may end under it. */
export function serverEngine(parts: ServerEngineParts): Engine {
  const { env, config, pools, lines, records, ...told } = parts;
  return new Engine({
    db: pools.engine,
    reads: pools.discovery,
    scheduler,
    newId: systemEntropy.uuid,
    lines,
    worldsEnd: env === 'staging',
    batches: config.batches,
    patience: config.patienceMs,
    compose: async (world, kind, id, version) =>
      (await records.compose(pools.reads, kind, [{ world, id, version }]))[0],
    ...told,
  });
}

/** An engine for a few commands, whose faults end the verb. */
export function commandLineEngine(env: Env, db: Database, lines: Lines): Engine {
  return new Engine({
    db,
    reads: db,
    scheduler,
    newId: systemEntropy.uuid,
    lines,
    worldsEnd: env === 'staging',
    compose: async () => undefined,
    committed: () => {},
    fault: () => {},
  });
}
