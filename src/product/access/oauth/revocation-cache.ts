// The revocation cache: what a verifier must know that no token says (revocations, current clients,
// the database's time). Re-reads on use when it is stale; runs no timer.
import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import { readClients, type Client } from './clients.ts';
import type { OAuthServices } from './services.ts';
import type { KeyRing } from './signing-keys.ts';
import { prepared, sql } from '../../../db/index.ts';

/** Older than this: re-read in the background of the request. */
const STALE_MS = 1_000;
/** Older than this: no request passes before a re-read. Under 5 s in all. [ID2] */
const TOO_OLD_MS = 4_000;
/** How far back a re-read goes, for revocations whose transaction took long to commit. */
const OVERLAP_SECONDS = 60;

/** A token is valid from a minute before its issue, since clocks of processes differ. [OP3] */
export const SKEW_SECONDS = 60;

interface RevokedRow {
  readonly kind: string;
  readonly id: string;
  readonly expires: number;
}

/** The cache of one process. */
export class RevocationCache {
  readonly #db: OAuthServices['db'];
  readonly #keys: KeyRing;
  readonly #monotonic: () => number;
  /** Expiry (seconds since 1970) by `kind:id`. */
  readonly #revoked = new Map<string, number>();
  readonly #clients = new Map<string, Client | null>();
  #readAt = Number.NEGATIVE_INFINITY;
  /** The database's time at the moment `#clockAt`, and the latest time that was given. */
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
   * Seconds since 1970 by the database's clock, one clock for all processes. It never goes back, so
   * that no token made here is issued in the future. [OP3]
   */
  now(): number {
    this.#latest = Math.max(this.#latest, this.#reckoned());
    return this.#latest;
  }

  #reckoned(): number {
    return this.#dbSeconds + (this.#monotonic() - this.#clockAt) / 1000;
  }

  /** Undefined where the cache is fresh enough; else a promise of the re-read. */
  freshen(): Promise<void> | undefined {
    const age = this.#monotonic() - this.#readAt;
    if (age < STALE_MS) return undefined;
    const reading = this.refresh();
    if (age >= TOO_OLD_MS) return reading;
    // Nobody waits for this one; if it fails, the next request past the limit gets the failure.
    reading.catch(() => {});
    return undefined;
  }

  /** Reads everything as of now, not through a read that has already begun. */
  async refreshAnew(): Promise<void> {
    await this.#reading?.catch(() => {});
    await this.refresh();
  }

  /** Reads everything again; concurrent calls share one read. */
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
      this.#db.query<RevokedRow>(prepared('oauth_revoked')`
        select kind, id, extract(epoch from expires)::float8 as expires from revoked_token
        where at > to_timestamp(${since}) and expires > clock_timestamp()`),
      readClients(this.#db, asked),
      this.#keys.refresh(),
    ]);
    // Dated before the queries: what was revoked meanwhile may be missing from their results.
    this.#readAt = startedAt;
    for (const row of revoked) this.#revoked.set(`${row.kind}:${row.id}`, row.expires);
    for (const [key, expires] of this.#revoked) {
      if (expires <= this.#dbSeconds) this.#revoked.delete(key);
    }
    this.#takeClients(asked, clients);
  }

  /**
   * The result was true at some moment between query and arrival, so a time that agrees with that
   * is kept: a late result adds nothing.
   */
  async #readClock(): Promise<void> {
    const askedAt = this.#monotonic();
    const rows = await this.#db.query<{ seconds: number }>(prepared('oauth_clock')`
      select extract(epoch from clock_timestamp())::float8 as seconds`);
    const { seconds } = rows[0] as { seconds: number };
    const arrivedAt = this.#monotonic();
    const most = seconds + (arrivedAt - askedAt) / 1000;
    this.#dbSeconds = Math.min(Math.max(this.#reckoned(), seconds), most);
    this.#clockAt = arrivedAt;
    // A clock set back by more than tokens allow for is followed, since other processes use it too.
    if (this.#latest - this.#dbSeconds > SKEW_SECONDS) this.#latest = this.#dbSeconds;
  }

  #takeClients(asked: readonly string[], clients: readonly Client[]): void {
    const found = new Map(clients.map((client) => [client.clientId, client]));
    for (const id of asked) {
      const before = this.#clients.get(id) ?? null;
      const now = found.get(id);
      if (now === undefined) this.#clients.delete(id);
      // An unchanged client stays the same object: cached tokens hold on to it.
      else if (before === null || !isDeepStrictEqual(before, now)) this.#clients.set(id, now);
    }
  }

  /** True for a revoked token or family that has not expired. */
  isRevoked(kind: 'token' | 'family', id: string): boolean {
    return this.#revoked.has(`${kind}:${id}`);
  }

  /** Revokes until `expires` (seconds since 1970): here at once, elsewhere at the next re-read. */
  async revoke(kind: 'token' | 'family', id: string, expires: number): Promise<void> {
    await this.#db.execute(sql`
      insert into revoked_token (kind, id, expires) values (${kind}, ${id},
        to_timestamp(${expires}))
      on conflict (kind, id) do update set expires = greatest(
        revoked_token.expires, excluded.expires)`);
    this.#revoked.set(`${kind}:${id}`, expires);
  }

  /** A cached client. */
  knownClient(id: string): Client | null {
    return this.#clients.get(id) ?? null;
  }

  /** A client, read where it is not cached; null for an unknown one. */
  async client(id: string): Promise<Client | null> {
    const known = this.#clients.get(id);
    if (known !== undefined && known !== null) return known;
    // Listed first, so that a concurrent re-read includes it, and is then the newer one.
    this.#clients.set(id, null);
    const [client] = await readClients(this.#db, [id]);
    const newer = this.#clients.get(id) ?? null;
    if (newer !== null) return newer;
    if (client === undefined) this.#clients.delete(id);
    else this.#clients.set(id, client);
    return client ?? null;
  }
}
