// A LISTEN connection: its owner is called at each notification, and once when the connection is
// gone, for whatever reason.
import { Client } from './client.ts';
import { clientConfig } from './client-config.ts';
import type { DatabaseOptions, Queryable } from './statement.ts';

/** The owner's callbacks. */
export interface Told {
  /** A notification came. */
  heard(): void;
  /** The connection is gone, and its session's locks with it; not called after `close`. */
  lost(): void;
}

/** A listening connection. Statements run in order; its session may hold locks. */
export interface Listening extends Queryable {
  close(): Promise<void>;
}

/** Milliseconds between probes of a connection that has no answer timeout. */
const ASK_MS = 5_000;

/** Connects and listens on a channel. Rejects if the database cannot be reached. */
export async function listen(
  options: Omit<DatabaseOptions, 'max'>,
  channel: string,
  told: Told,
): Promise<Listening> {
  const client = new Client(clientConfig({ ...options, max: 1 }));
  let over = false;
  // Without notifications a healthy connection looks like a dead one, so it is probed.
  const ask = (): void => void client.query('select').catch(() => {});
  const asking = setInterval(ask, options.answerMs ?? ASK_MS).unref();
  const end = (): void => {
    clearInterval(asking);
    if (!over) told.lost();
    over = true;
  };
  client.on('notification', () => told.heard());
  try {
    // Without a listener an error of the connection would end the process.
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
