// Runs one load in a generator process and measures the CPU of server, database and generator
// within the window, and the server's memory.
import { fork } from 'node:child_process';
import type { LoadResult, Message, Plan } from './plan.ts';
import { cpuBetween, cpuSeconds, processTree, residentMegabytes } from './process-cost.ts';

/** The processes that are measured. */
export interface Watched {
  /** Process ids of the servers under load. */
  readonly servers: readonly number[];
  /** Process id of the postmaster, or null without a database. */
  readonly postmaster: number | null;
}

/** What a load did and what it cost. */
export interface Load extends LoadResult {
  /** Average cores in use: CPU seconds per second of the window; `thread`: the server's main. */
  readonly cores: Readonly<Record<'server' | 'thread' | 'database' | 'generator', number>>;
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
  readonly threads: Map<number, number>;
  readonly database: Map<number, number>;
}

function readCosts(watched: Watched): Costs {
  const tree = watched.postmaster === null ? [] : processTree(watched.postmaster);
  const at = Number(process.hrtime.bigint() / 1000n);
  const threads = cpuSeconds(watched.servers, true);
  return { at, servers: cpuSeconds(watched.servers), threads, database: cpuSeconds(tree) };
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
    const seconds = plan.measureMs / 1000;
    const cores = {
      server: cpuBetween(before.servers, after.servers) / seconds,
      thread: cpuBetween(before.threads, after.threads) / seconds,
      database: cpuBetween(before.database, after.database) / seconds,
      generator: result.cpuMicros / 1e6 / seconds,
    };
    return { ...result, cores, memory, window: [before.at, after.at] };
  } finally {
    clearInterval(sampler);
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}
