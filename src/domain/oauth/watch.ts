// Answers for what a verifier must know that is not in a token: what was revoked, which clients
// still stand, and the database's time. Re-reads it when it is asked and what it has is old; runs
// no timer. Refuses to know tokens.
import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from './clients.ts';
import { readClients } from './clients.ts';
import type { OAuthServices } from './services.ts';
import type { KeyRing } from './signing-keys.ts';

/** Older than this: read again beside the request. */
const STALE_MS = 1_000;
/** Older than this: no request passes before it was read again. Under 5 s in all. [ID2] */
const TOO_OLD_MS = 4_000;
/** How far back to look again, for revocations whose transaction took its time to commit. */
const OVERLAP_SECONDS = 60;

/** A token holds from a minute before its issue, because no two processes' clocks agree. [OP3] */
export const SKEW_SECONDS = 60;

interface RevokedRow {
  readonly kind: string;
  readonly id: string;
  readonly expires: number;
}

/** State of one process. */
export class Watch {
  readonly #db: OAuthServices['db'];
  readonly #keys: KeyRing;
  readonly #monotonic: () => number;
  /** Expiry by `kind:id`. */
  readonly #revoked = new Map<string, number>();
  readonly #clients = new Map<string, Client | null>();
  #readAt = Number.NEGATIVE_INFINITY;
  /** The database's time at the moment `#clockAt`, and the latest that was given. */
  #dbSeconds = 0;
  #clockAt = 0;
  #latest = 0;
  #reading: Promise<void> | null = null;

  constructor(db: OAuthServices['db'], keys: KeyRing, monotonic = () => performance.now()) {
    this.#db = db;
    this.#keys = keys;
    this.#monotonic = monotonic;
  }

  /**
   * Seconds after 1970 by the database's clock: one clock for all processes. It never goes back,
   * so no token that was made here is still to come. [OP3]
   */
  now(): number {
    this.#latest = Math.max(this.#latest, this.#reckoned());
    return this.#latest;
  }

  #reckoned(): number {
    return this.#dbSeconds + (this.#monotonic() - this.#clockAt) / 1000;
  }

  /** Undefined when what is known is fresh enough; else a promise of that. */
  freshen(): Promise<void> | undefined {
    const age = this.#monotonic() - this.#readAt;
    if (age < STALE_MS) return undefined;
    const reading = this.refresh();
    if (age >= TOO_OLD_MS) return reading;
    // Nobody waits for this one; if it fails, the next request past the limit meets the failure.
    reading.catch(() => {});
    return undefined;
  }

  /** Reads everything as it is from now on: not by a reading that has begun before. */
  async refreshAnew(): Promise<void> {
    await this.#reading?.catch(() => {});
    await this.refresh();
  }

  /** Reads everything again; calls at once share one reading. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const startedAt = this.#monotonic();
    const since = this.#readAt === Number.NEGATIVE_INFINITY ? 0 : this.now() - OVERLAP_SECONDS;
    const asked = [...this.#clients.keys()];
    const [, revoked, clients] = await Promise.all([
      this.#readClock(),
      this.#db.query<RevokedRow>({
        name: 'oauth_revoked',
        text: `select kind, id, extract(epoch from expires)::float8 as expires from revoked_token
          where at > to_timestamp($1) and expires > clock_timestamp()`,
        values: [since],
      }),
      readClients(this.#db, asked),
      this.#keys.refresh(),
    ]);
    // Counted from before the questions: what was revoked meanwhile may not be in the answers.
    this.#readAt = startedAt;
    for (const row of revoked) this.#revoked.set(`${row.kind}:${row.id}`, row.expires);
    for (const [key, expires] of this.#revoked) {
      if (expires <= this.#dbSeconds) this.#revoked.delete(key);
    }
    this.#takeClients(asked, clients);
  }

  /**
   * The answer was true at some moment between question and arrival, so what was known stays where
   * it agrees with that: an answer that comes late says nothing new.
   */
  async #readClock(): Promise<void> {
    const askedAt = this.#monotonic();
    const rows = await this.#db.query<{ seconds: number }>({
      name: 'oauth_clock',
      text: 'select extract(epoch from clock_timestamp())::float8 as seconds',
    });
    const { seconds } = rows[0] as { seconds: number };
    const arrivedAt = this.#monotonic();
    const most = seconds + (arrivedAt - askedAt) / 1000;
    this.#dbSeconds = Math.min(Math.max(this.#reckoned(), seconds), most);
    this.#clockAt = arrivedAt;
    // A clock set back by more than tokens allow for is followed: other processes go by it.
    if (this.#latest - this.#dbSeconds > SKEW_SECONDS) this.#latest = this.#dbSeconds;
  }

  #takeClients(asked: readonly string[], clients: readonly Client[]): void {
    const found = new Map(clients.map((client) => [client.clientId, client]));
    for (const id of asked) {
      const before = this.#clients.get(id) ?? null;
      const now = found.get(id);
      if (now === undefined) this.#clients.delete(id);
      // The same object stays while nothing changed: verified tokens hold on to it.
      else if (before === null || !isDeepStrictEqual(before, now)) this.#clients.set(id, now);
    }
  }

  /** True for a token or family that was revoked and has not expired. */
  isRevoked(kind: 'token' | 'family', id: string): boolean {
    return this.#revoked.has(`${kind}:${id}`);
  }

  /** Revokes until `expires` (seconds after 1970), here at once, elsewhere at the next reading. */
  async revoke(kind: 'token' | 'family', id: string, expires: number): Promise<void> {
    await this.#db.execute({
      text: `insert into revoked_token (kind, id, expires) values ($1, $2, to_timestamp($3))
        on conflict (kind, id) do update set expires = greatest(
          revoked_token.expires, excluded.expires)`,
      values: [kind, id, expires],
    });
    this.#revoked.set(`${kind}:${id}`, expires);
  }

  /** A client known already, as it was when last read. */
  knownClient(id: string): Client | null {
    return this.#clients.get(id) ?? null;
  }

  /** A client, read if it is not known yet; null when it does not exist. */
  async client(id: string): Promise<Client | null> {
    const known = this.#clients.get(id);
    if (known !== undefined && known !== null) return known;
    // Named first, so that a reading that begins meanwhile is of it too, and is the newer one.
    this.#clients.set(id, null);
    const [client] = await readClients(this.#db, [id]);
    const newer = this.#clients.get(id) ?? null;
    if (newer !== null) return newer;
    if (client === undefined) this.#clients.delete(id);
    else this.#clients.set(id, client);
    return client ?? null;
  }
}
