// The connections of a running process, apart by what they are for, so that one sort of work never
// waits for another's. Knows nothing of the work.
import type { Config } from './config.ts';
import { Database, listen, SharedReads, type DatabaseOptions } from './db/index.ts';
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
  readonly engine: Database;
  /** Discovery: many small reads at a time on one connection. */
  readonly discovery: SharedReads;
  readonly reads: Database;
  readonly work: Database;
  /** Copies of a sandbox's worlds: long statements, whose plans are kept. */
  readonly copies: Database;
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
  { work: db }: Pools,
  lines: Lines,
  fault: (error: unknown) => void,
): Promise<News> {
  if (await isAlone(db)) await freeLeft(db);
  const reads = [(): Promise<void> => readLines(db, lines)];
  const news = await openWorldNews({
    db,
    read: async () => {
      for (const read of reads) await read();
    },
    listen: (told) => listen({ url, applicationName: 'holdfast news' }, NEWS_CHANNEL, told),
    fault,
  });
  return { ...news, also: (read) => void reads.push(read) };
}

/** Two copies at a time keep two processors busy. */
const COPIES = 2;

/** The pools of one process; they connect when they are used. */
export function openPools(url: string, { connections }: Pick<Config, 'connections'>): Pools {
  const options = (name: string, max: number): DatabaseOptions => ({
    url,
    max,
    applicationName: `holdfast ${name}`,
    settings: ENGINE_SETTINGS,
  });
  return {
    engine: new Database(options('engine', connections.engine)),
    discovery: new SharedReads(options('discovery', 1)),
    reads: new Database(options('reads', connections.reads)),
    work: new Database(options('work', connections.work)),
    copies: new Database(options('copies', COPIES)),
  };
}
