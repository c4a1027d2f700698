// Builds the engines of a process: the server's, and one for the few commands of the command line.
import type { Config } from './config.ts';
import type { Database } from './db/index.ts';
import { Engine, type EngineOptions, type Scheduler } from './engine/index.ts';
import { systemRandom } from './core/random.ts';
import type { Lineages } from './core/lineages.ts';
import type { Records } from './outbox/index.ts';
import type { Pools } from './pools.ts';

/** The process's clock, timers and randomness. */
const scheduler: Scheduler = {
  now: () => performance.now(),
  soon: setImmediate,
  after: (ms, work) => void setTimeout(work, ms),
  chance: Math.random,
};

type Env = 'staging' | 'production';

/** What a server's engine is made of. */
export interface ServerEngineParts extends Pick<EngineOptions, 'committed' | 'fault' | 'away'> {
  readonly env: Env;
  readonly config: Pick<Config, 'batches' | 'patienceMs'>;
  readonly pools: Pools;
  readonly lineages: Lineages;
  readonly records: Records;
}

/** The server's engine. In staging, workspaces may be archived while it runs. */
export function serverEngine(parts: ServerEngineParts): Engine {
  const { env, config, pools, lineages, records, ...told } = parts;
  return new Engine({
    db: pools.engine,
    reads: pools.discovery,
    scheduler,
    newId: systemRandom.uuid,
    lineages,
    workspacesEnd: env === 'staging',
    batches: config.batches,
    queueTimeout: config.patienceMs,
    compose: async (workspace, kind, id, version) =>
      (await records.compose(pools.reads, kind, [{ workspace, id, version }]))[0],
    ...told,
  });
}

/** An engine for the command line; its faults end the command. */
export function commandLineEngine(env: Env, db: Database, lineages: Lineages): Engine {
  return new Engine({
    db,
    reads: db,
    scheduler,
    newId: systemRandom.uuid,
    lineages,
    workspacesEnd: env === 'staging',
    compose: async () => undefined,
    committed: () => {},
    fault: () => {},
  });
}
