// Connections, transactions and statements of PostgreSQL. Only src/db imports the driver;
// everything else goes through here.
import pg from 'pg';
import { Client } from './client.ts';
import { clientConfig, TYPES } from './client-config.ts';
import { asksTime } from './dated.ts';
import { Group, rowsOf, toQuery, toStatement, transactionOn } from './group.ts';
import type { DatabaseOptions, Queryable, Statement, Transaction } from './statement.ts';

export { arrayValue, scalarSlot, scalarText, slotText } from './arrays.ts';
export { CONNECT_MS } from './client.ts';
export { PASSWORD_FILE, verifiesServer } from './client-config.ts';
export { brokenConstraint, isDisabled, isDisconnected, sqlState } from './errors.ts';
export { isTrouble, isUnreachable } from './errors.ts';
export { finishUpgrade, isFinished, UNFINISHED } from './finish.ts';
export { turnGenerations } from './generations.ts';
export { BEATING, Heartbeat } from './heartbeat.ts';
export { hostsOf } from './hosts.ts';
export { inTime, onceAMinute, type Transacting } from './in-time.ts';
export { listen, type Listening, type Told } from './listener.ts';
export { readRow } from './read-row.ts';
export { dropReader, makeReader, type Reader } from './reader.ts';
export { grantRights, roleFacts } from './rights.ts';
export { prepared, raw, sql } from './sql.ts';
export { ALONE, archiveOf, crowded, isSynchronous, refusePooled } from './suitability.ts';
export { roomOf, Unsuitable } from './suitability.ts';
export type { DatabaseOptions, Queryable, Statement, Transaction } from './statement.ts';

/** A pool of connections to one database. */
export class Database implements Queryable {
  readonly #pool: pg.Pool;

  constructor(options: DatabaseOptions) {
    const { transactionMs: ms } = options;
    this.#pool = new pg.Pool({
      ...clientConfig(options, ms === undefined ? {} : { transaction_timeout: `${ms}ms` }),
      Client,
      max: options.max,
      connectionTimeoutMillis: options.waitMs ?? 10_000,
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: (options.ageMinutes ?? 0) * 60,
    });
    // The pool replaces an idle connection that dies; without a listener its error would end the
    // process.
    this.#pool.on('error', () => {});
    // The pool removes its own listener while a connection is checked out.
    this.#pool.on('connect', (client) => void client.on('error', () => {}));
  }

  async query<R>(statement: Statement | string): Promise<R[]> {
    if (asksTime(statement)) return this.ownTransaction((tx) => tx.query<R>(statement));
    return rowsOf(await this.#pool.query(toQuery(statement)));
  }

  /** Runs one statement and returns the number of rows it touched. */
  async execute(statement: Statement | string): Promise<number> {
    if (asksTime(statement)) return this.ownTransaction((tx) => tx.execute(statement));
    const result = await this.#pool.query(toQuery(statement));
    return result.rowCount ?? 0;
  }

  /**
   * Runs `work` in a transaction: COMMIT when it resolves, ROLLBACK when it throws. A broken
   * connection is closed, never returned to the pool.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, begin = 'begin'): Promise<T> {
    return this.ownTransaction(async (tx) => {
      await tx.execute(begin);
      const result = await work(tx);
      await tx.execute('commit');
      return result;
    });
  }

  /**
   * As `transaction`, but `work` itself sends BEGIN with its first statements and COMMIT with its
   * last ones, which saves two round trips.
   */
  async ownTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken = false;
    try {
      return await work(transactionOn(client));
    } catch (error) {
      try {
        await client.query('rollback');
      } catch {
        broken = true;
      }
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A connection for session locks or the engine; the caller must `release` it. */
  async connection(): Promise<Transaction & { release(broken?: boolean): void }> {
    const client = await this.#pool.connect();
    return { ...transactionOn(client), release: (broken = false) => client.release(broken) };
  }

  /** Its connections now, and how many callers wait for one. */
  get use(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { busy: totalCount - idle, idle, waiting };
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/**
 * One connection for many small concurrent reads: statements of the same event-loop turn go out in
 * one packet. A broken connection is replaced at the next read.
 */
export class SharedReads implements Queryable {
  readonly #options: DatabaseOptions;
  #client: Promise<Client> | null = null;
  #oldAt = 0;
  #gathering: Group | null = null;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  async query<R>(statement: Statement | string): Promise<R[]> {
    return (await this.#gather().add(toStatement(statement))).rows as R[];
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    const client = await this.#client?.catch(() => null);
    await client?.end();
  }

  #connected(): Promise<Client> {
    if (performance.now() >= this.#oldAt) this.#renew();
    this.#client ??= this.#connect();
    return this.#client;
  }

  /** Replaces a connection past its age limit; the old one ends once it has answered. */
  #renew(): void {
    const minutes = this.#options.ageMinutes || Number.POSITIVE_INFINITY;
    this.#oldAt = performance.now() + minutes * 60_000;
    const old = this.#client;
    this.#client = null;
    old?.then((client) => client.end()).catch(() => {});
  }

  #connect(): Promise<Client> {
    const client = new Client(clientConfig(this.#options));
    const connecting = client.connect().then(
      () => client,
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    const forget = (): void => {
      if (this.#client === connecting) this.#client = null;
    };
    client.on('error', forget);
    client.on('end', forget);
    return connecting;
  }

  /** The group that is sent at the end of this event-loop turn. */
  #gather(): Group {
    if (this.#gathering !== null) return this.#gathering;
    const group = new Group(TYPES);
    this.#gathering = group;
    process.nextTick(() => {
      this.#gathering = null;
      this.#connected().then(
        (client) => client.query(group as unknown as pg.Submittable),
        (error: unknown) => group.fail(error),
      );
    });
    return group;
  }
}
