// Cache invalidation between the processes of a sandbox: each learns of new and archived clones.
import type { Lineages } from '../core/lineages.ts';
import { listen } from '../db/index.ts';
import type { Pools } from '../pools.ts';
import {
  isAlone,
  NEWS_CHANNEL,
  openCacheInvalidation,
  readLineages,
  type RunningNews,
} from '../product/tenant/tenant/index.ts';
import { freeLeft } from './clock/index.ts';

/** What is announced between processes. */
export interface News extends RunningNews {
  /** Has `read` run too at each invalidation, after the lineages of clones are read. */
  also(read: () => Promise<void>): void;
}

/** A listening connection is probed at once. */
const NEWS_ANSWER_MS = 5_000;

/**
 * Starts listening; resolves when the lineages of all clones are known. The first process of a
 * database cleans up what earlier ones left behind, also after a kill.
 */
export async function openNews(
  url: string,
  { work: db, long }: Pick<Pools, 'work' | 'long'>,
  lineages: Lineages,
  fault: (error: unknown) => void,
): Promise<News> {
  if (await isAlone(db)) await freeLeft(long);
  const reads = [(): Promise<void> => readLineages(db, lineages)];
  const named = { applicationName: 'holdfast news', answerMs: NEWS_ANSWER_MS };
  const line = { url, primary: true, ...named };
  const news = await openCacheInvalidation({
    db,
    read: async () => {
      for (const read of reads) await read();
    },
    listen: (told) => listen(line, NEWS_CHANNEL, told),
    fault,
  });
  return { ...news, also: (read) => void reads.push(read) };
}
