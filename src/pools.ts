// The connections of a running process, apart by what they are for, so that one sort of work never
// waits for another's. Knows nothing of the work.
import type { Config } from './config.ts';
import {
  BEATING,
  CONNECT_MS,
  Database,
  Heartbeat,
  listen,
  SharedReads,
  type DatabaseOptions,
} from './db/index.ts';
import { freeLeft } from './domain/clock/index.ts';
import {
  isAlone,
  NEWS_CHANNEL,
  openWorldNews,
  readLines,
  type RunningNews,
} from './domain/tenant/index.ts';
import { ENGINE_SETTINGS } from './engine/index.ts';
import type { Lines } from './kernel/lines.ts';

export interface Pools {
  readonly heartbeat: Heartbeat;
  readonly engine: Database;
  /** Discovery: many small reads at a time on one connection. */
  readonly discovery: SharedReads;
  readonly reads: Database;
  readonly work: Database;
  /** Long work: what a start makes, copies of a sandbox's worlds. */
  readonly long: Database;
}

/** What a process of a sandbox tells the others of worlds, and hears from them. */
export interface News extends RunningNews {
  /** Has this read too when there is news, after the lines of copies. */
  also(read: () => Promise<void>): void;
}

/**
 * Starts to hear; resolves when the lines of all copies are known. The first process of a database
 * finds what those before it left behind, also where they were killed.
 */
export async function openNews(
  url: string,
  { work: db, long }: Pools,
  lines: Lines,
  fault: (error: unknown) => void,
): Promise<News> {
  if (await isAlone(db)) await freeLeft(long);
  const reads = [(): Promise<void> => readLines(db, lines)];
  const line = { url, applicationName: 'holdfast news', answerMs: NEWS_ANSWER_MS };
  const news = await openWorldNews({
    db,
    read: async () => {
      for (const read of reads) await read();
    },
    listen: (told) => listen(line, NEWS_CHANNEL, told),
    fault,
  });
  return { ...news, also: (read) => void reads.push(read) };
}

/** A listener asks for what is there at once. */
const NEWS_ANSWER_MS = 5_000;

/** Two copies at a time keep two processors busy. */
const COPIES = 2;
/** The database gives up first; who hears nothing from it for so much longer has lost it. */
const SLACK_MS = 2_000;
/** Above the thirty seconds that a statement of long work may take. */
const LONG_ANSWER_MS = 35_000;

type Limits = Pick<Config, 'connections' | 'statementMs' | 'connectionMinutes' | 'patienceMs'>;

/** The pools of one process; they connect when they are used. */
export function openPools(url: string, config: Limits): Pools {
  const { connections, statementMs, connectionMinutes: ageMinutes, patienceMs } = config;
  const heartbeat = new Heartbeat(new Database({ ...BEATING, url }));
  const { told } = heartbeat;
  const common = (name: string, max: number) =>
    ({ url, max, applicationName: `holdfast ${name}`, ageMinutes, told }) as const;
  const limited = (name: string, max: number, ms: number): DatabaseOptions => ({
    ...common(name, max),
    settings: {
      ...ENGINE_SETTINGS,
      statement_timeout: `${ms}ms`,
      idle_in_transaction_session_timeout: `${statementMs}ms`,
    },
    answerMs: ms + SLACK_MS,
    transactionMs: 2 * ms,
    waitMs: Math.max(patienceMs, CONNECT_MS),
  });
  return {
    heartbeat,
    engine: new Database(limited('engine', connections.engine, statementMs)),
    discovery: new SharedReads(limited('discovery', 1, statementMs)),
    reads: new Database(limited('reads', connections.reads, statementMs)),
    // Nobody waits for the workers, and some of their statements are of many rows.
    work: new Database(limited('work', connections.work, 2 * statementMs)),
    long: new Database({
      ...common('long', COPIES),
      settings: ENGINE_SETTINGS,
      answerMs: LONG_ANSWER_MS,
    }),
  };
}
