// A DATABASE_URL with several hosts: all are asked at once, and the first on which a commit
// succeeds is the primary.
import { setTimeout as pause } from 'node:timers/promises';
import { Client, CONNECT_MS, ConnectionLost, type ClientOptions } from './client.ts';
import { isTrouble, sqlState } from './errors.ts';

const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/;

/** One URL for each host of a URL that may name several, as libpq takes them. */
export function hostsOf(url: string): string[] {
  const [, before = '', hosts = '', rest = ''] = SEVERAL.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + rest) : [url];
}

/** How a connection proves whose it is, beyond the URL. */
type Login = Pick<ClientOptions, 'passwordFile'>;

/** Milliseconds for which an answer holds: a connection that was opened then is as old. */
const KNOWN_MS = 500;
/** Milliseconds between two questions while nobody is primary: each costs all hosts a login. */
const AGAIN_MS = 200;

const asked = new Map<string, Promise<string>>();

/**
 * The URL of the primary. A standby refuses the commit, a lost host does not answer, and an old
 * primary that was cut off waits for a standby that no longer follows it. All connections that are
 * opened within half a second ask once, so that the hosts are not busy with logins when one of
 * them takes over.
 */
export function primaryOf(urls: readonly string[], login: Login): Promise<string> {
  const key = urls.join();
  const known = asked.get(key);
  if (known !== undefined) return known;
  const asking = ask(urls, login);
  asked.set(key, asking);
  const forget = (): unknown => asked.delete(key);
  asking.then(() => setTimeout(forget, KNOWN_MS).unref(), forget);
  return asking;
}

async function ask(urls: readonly string[], login: Login): Promise<string> {
  const clients = urls.map(
    (connectionString) => new Client({ ...login, connectionString, primary: true }),
  );
  const late = setTimeout(() => clients.forEach((client) => client.lose(NONE)), CONNECT_MS);
  try {
    return await Promise.any(
      clients.map(async (client, at) => {
        await client.connect();
        return urls[at] as string;
      }),
    );
  } catch (error) {
    // A wrong password is the same on every host, and is told as such.
    const { errors } = error as AggregateError;
    const told = (one: unknown) => !isTrouble(one) || sqlState(one)?.startsWith('28') === true;
    await pause(AGAIN_MS);
    throw errors.find(told) ?? new ConnectionLost(NONE, { cause: error });
  } finally {
    clearTimeout(late);
    for (const client of clients) client.lose('only asked');
  }
}

const NONE = 'no host of the database takes a commit';
