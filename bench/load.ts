// Runs one load in a generator process and measures the CPU of server, database and generator
// within the window, what the machine's cores had left, and the server's memory.
import { fork } from 'node:child_process';
import type { LoadResult, Message, Plan } from './plan.ts';
import {
  cpuBetween,
  cpuSeconds,
  idleSeconds,
  processTree,
  residentMegabytes,
  threadSeconds,
} from './process-cost.ts';

/** The processes that are measured. */
export interface Watched {
  /** Process ids of the servers under load. */
  readonly servers: readonly number[];
  /** Process id of the postmaster, or null without a database. */
  readonly postmaster: number | null;
}

/**
 * Average cores in use, CPU seconds per second of the window: the server's main thread, V8's beside
 * it, its other threads; and those that nobody used.
 */
export type Cores = Readonly<
  Record<'thread' | 'helpers' | 'others' | 'database' | 'generator' | 'idle', number>
>;

/** What a load did and what it cost. */
export interface Load extends LoadResult {
  readonly cores: Cores;
  /** Highest resident memory of one server process, megabytes. */
  readonly memory: number;
  /** Start and end of the window, microseconds of the machine's monotonic clock. */
  readonly window: readonly [number, number];
}

const SAMPLE_MS = 250;

/** CPU readings of the processes at one moment. */
interface Costs {
  readonly at: number;
  readonly servers: Map<number, number>;
  readonly threads: ReturnType<typeof threadSeconds>;
  readonly database: Map<number, number>;
  readonly idle: number;
}

function readCosts(watched: Watched): Costs {
  const tree = watched.postmaster === null ? [] : processTree(watched.postmaster);
  const at = Number(process.hrtime.bigint() / 1000n);
  return {
    at,
    servers: cpuSeconds(watched.servers),
    threads: threadSeconds(watched.servers),
    database: cpuSeconds(tree),
    idle: idleSeconds(),
  };
}

function coresOf(before: Costs, after: Costs, generatorMicros: number, seconds: number): Cores {
  const thread = cpuBetween(before.threads.main, after.threads.main) / seconds;
  const helpers = cpuBetween(before.threads.helpers, after.threads.helpers) / seconds;
  return {
    thread,
    helpers,
    others: cpuBetween(before.servers, after.servers) / seconds - thread - helpers,
    database: cpuBetween(before.database, after.database) / seconds,
    generator: generatorMicros / 1e6 / seconds,
    idle: (after.idle - before.idle) / seconds,
  };
}

/** Runs the plan to its end. Throws if the generator fails. */
export async function runLoad(plan: Plan, watched: Watched): Promise<Load> {
  const child = fork(new URL('generator.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32'],
  });
  let before = readCosts(watched);
  let after = before;
  let memory = 0;
  const sampler = setInterval(() => {
    memory = Math.max(memory, ...watched.servers.map(residentMegabytes));
  }, SAMPLE_MS);
  try {
    const result = await new Promise<LoadResult>((resolve, reject) => {
      child.on('message', (message: Message) => {
        if (message.say === 'window-opened') before = readCosts(watched);
        else if (message.say === 'window-closed') after = readCosts(watched);
        else if (message.say === 'result') resolve(message.result);
        else reject(new Error(`the load generator broke: ${message.text}`));
      });
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`the load generator ended with code ${code}`)));
      child.send(plan);
    });
    const cores = coresOf(before, after, result.cpuMicros, plan.measureMs / 1000);
    return { ...result, cores, memory, window: [before.at, after.at] };
  } finally {
    clearInterval(sampler);
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}
