// A connection that hears what others notify. Answers for its owner being told of each message, and
// once of the end, whatever ended it. Refuses to know what the messages are about.
import { Client } from './client.ts';
import { clientConfig } from './client-config.ts';
import type { DatabaseOptions, Queryable } from './index.ts';

/** What the owner is told. */
export interface Told {
  /** Somebody notified. */
  heard(): void;
  /** The connection is gone, and with it its session's locks; not told after `close`. */
  lost(): void;
}

/** A listening connection. Statements run in order; its session may hold locks. */
export interface Listening extends Queryable {
  close(): Promise<void>;
}

/** Milliseconds between questions to a connection without a limit for its answers. */
const ASK_MS = 5_000;

/** Connects and listens on a channel. Rejects where the database cannot be reached. */
export async function listen(
  options: Omit<DatabaseOptions, 'max'>,
  channel: string,
  told: Told,
): Promise<Listening> {
  const client = new Client(clientConfig({ ...options, max: 1 }));
  let over = false;
  // One that has nothing to tell looks like one that fell silent, so it is asked.
  const ask = (): void => void client.query('select').catch(() => {});
  const asking = setInterval(ask, options.answerMs ?? ASK_MS).unref();
  const end = (): void => {
    clearInterval(asking);
    if (!over) told.lost();
    over = true;
  };
  client.on('notification', () => told.heard());
  try {
    // Without a listener an error of the connection ends the process.
    client.on('error', () => {});
    await client.connect();
    await client.query(`listen ${channel}`);
  } catch (error) {
    clearInterval(asking);
    await client.end().catch(() => {});
    throw error;
  }
  client.on('error', end);
  client.on('end', end);
  return {
    async query<R>(statement: Parameters<Queryable['query']>[0]): Promise<R[]> {
      const asked = typeof statement === 'string' ? { text: statement } : statement;
      const { rows } = await client.query({ text: asked.text, values: [...(asked.values ?? [])] });
      return rows as R[];
    },
    async close() {
      over = true;
      clearInterval(asking);
      await client.end().catch(() => {});
    },
  };
}
