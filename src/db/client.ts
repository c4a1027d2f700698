// A driver connection that cannot hang and cannot crash the process. The `pg` driver has no limit
// for an answer, and an error thrown while it parses ends the process; here either one closes this
// connection only and fails its statements with ConnectionLost.
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Duplex } from 'node:stream';

/** The connection was given up: it fell silent or broke the protocol. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Options beyond the driver's own. */
export interface ClientOptions extends pg.ClientConfig {
  /** Milliseconds without an answer before the connection is given up; absent: no limit. */
  readonly answerMs?: number;
  /** Called with the SQLSTATE of each error the server reports. */
  readonly told?: (state: string) => void;
  /** Holds the password: read at each connect, so that a new one needs no restart. */
  readonly passwordFile?: string;
  /** Run-time settings, made once connected: a pooler between would not pass them on before. */
  readonly session?: Readonly<Record<string, string>>;
  /** True: a standby is refused, and nothing is read before what is there is durable. */
  readonly primary?: boolean;
  /** Finds the URL whose host and port take the place of those given. */
  readonly locate?: () => Promise<string>;
}

type Connected = (error: Error | null) => void;

/** The part of the driver's connection that is used here. */
interface Wire {
  readonly stream: Duplex;
  attachListeners(stream: Duplex): void;
  on(event: 'errorMessage', listener: (message: { code?: string }) => void): void;
  on(event: 'commandComplete' | 'emptyQuery' | 'readyForQuery', listener: () => void): void;
}

/** Milliseconds that a server has to take a connection, while this process runs. */
export const CONNECT_MS = 2_000;

/**
 * The first statement of a connection. Its commit waits for the synchronous standby if there is
 * one, and with it for all that was committed before: after a crash, a primary shows what it alone
 * has. PostgreSQL 17 and later know `transaction_timeout`.
 */
const OPEN = `select pg_is_in_recovery() as standby,
  array(select set_config(name, value, false) from json_each_text($1) as s(name, value)
    where name <> 'transaction_timeout' or current_setting('server_version_num')::int >= 170000),
  case when $2::boolean and not pg_is_in_recovery()
    then pg_logical_emit_message(true, 'holdfast', '') end`;

const STANDBY = 'DATABASE_URL leads to a standby, which takes no writes';

const SWEEP_MS = 250;

const watched = new Set<Client>();
let sweeping: NodeJS.Timeout | null = null;
let sweptAt = 0;

/** A driver client with an answer timeout and a protocol check. */
export class Client extends pg.Client {
  readonly #answerMs: number;
  readonly #options: ClientOptions;
  /** Answers so far, of statements and of groups. */
  #answers = 0;
  #seen = 0;
  /** When the last answer was seen, and how long one has been awaited since. */
  #heardAt = performance.now();
  #waitedMs = 0;
  #leaving = false;
  #opening = false;

  constructor(options: ClientOptions = {}) {
    super({
      ...options,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const { passwordFile: file } = options;
    // As an option the driver would put what the URL says, nothing, in its place.
    if (file !== undefined) Object.assign(this, { password: () => readPassword(file) });
    this.#answerMs = options.answerMs ?? Number.POSITIVE_INFINITY;
    this.#options = options;
    const wire = this.#wire();
    const attach = wire.attachListeners.bind(wire);
    wire.attachListeners = (stream) => {
      attach(stream);
      guard(stream);
    };
    this.#listen(wire, options.told);
    // After such an error the driver keeps the socket open though the connection is unusable.
    this.on('error', () => this.#wire().stream.destroy());
    this.once('end', () => watched.delete(this));
  }

  /** Checks the end of each answer before the driver handles it. */
  #listen(wire: Wire, told: ClientOptions['told']): void {
    // True at first, because the first ready message ends the login.
    let complete = true;
    const answered = (): void => {
      this.#answers += 1;
      complete = true;
    };
    wire.on('commandComplete', answered);
    wire.on('emptyQuery', answered);
    wire.on('errorMessage', ({ code }) => {
      // The driver reports bytes that are no message in this way.
      if (code === undefined) throw new Error('the database sent no message that is known');
      complete = true;
      told?.(code);
    });
    wire.on('readyForQuery', () => {
      if (!complete) throw new Error('the database is ready without an answer');
      this.#answers += 1;
      complete = false;
    });
  }

  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<this> | void {
    const opened = this.#open();
    if (callback === undefined) return opened;
    opened.then(() => callback(null), callback);
  }

  async #open(): Promise<this> {
    const { locate, primary = false, session = {} } = this.#options;
    if (locate !== undefined) {
      const { hostname, port } = new URL(await locate());
      Object.assign(this, { host: hostname, port: Number(port || 5432) });
    }
    this.#opening = true;
    watch(this);
    try {
      await super.connect();
    } catch (error) {
      watched.delete(this);
      throw error;
    }
    this.#opening = false;
    try {
      const values = [JSON.stringify(session), primary];
      const { rows } = await this.query<{ standby: boolean }>(OPEN, values);
      if (primary && rows[0]?.standby === true) throw new ConnectionLost(STANDBY);
      return this;
    } catch (error) {
      this.lose('the connection could not be set up');
      throw error;
    }
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.#leaving = true;
    return callback === undefined ? super.end() : super.end(callback);
  }

  /** Adds the time without an answer; past the limit the connection is closed. */
  sweep(now: number, passed: number): void {
    if (this.#answers !== this.#seen) {
      this.#seen = this.#answers;
      this.#heardAt = now;
      this.#waitedMs = 0;
    } else if (this.#opening || this.#waits || this.#leaving) {
      this.#waitedMs += passed;
    }
    if (this.#opening) {
      const late = `the database took no connection within ${CONNECT_MS} ms`;
      if (this.#waitedMs > CONNECT_MS) this.lose(late);
      return;
    }
    if (this.#waitedMs <= this.#answerMs) return;
    this.lose(`the database did not answer within ${this.#answerMs} ms`);
    // Idle connections not heard from since would each cost someone the same wait.
    for (const other of watched) other.#loseIdle(now - this.#waitedMs);
  }

  #loseIdle(since: number): void {
    if (this.#heardAt >= since + 2 * SWEEP_MS || this.getTransactionStatus() !== 'I') return;
    if (!this.#waits) this.lose('another connection to the database fell silent');
  }

  /** True while something sent has no answer. */
  get #waits(): boolean {
    return (this as unknown as { readonly readyForQuery?: boolean }).readyForQuery === false;
  }

  /** Gives the connection up. */
  lose(why: string): void {
    watched.delete(this);
    this.#wire().stream.destroy(new ConnectionLost(why));
  }

  #wire(): Wire {
    return (this as unknown as { readonly connection: Wire }).connection;
  }
}

async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new ConnectionLost(`The file with the database's password cannot be read: ${file}`, {
      cause,
    });
  }
}

/** Whatever is thrown while an answer is parsed closes only this connection. */
function guard(stream: Duplex): void {
  const read = stream.listeners('data').at(-1) as (bytes: Buffer) => void;
  stream.off('data', read);
  stream.on('data', (bytes: Buffer) => {
    try {
      read(bytes);
    } catch (cause) {
      stream.destroy(new ConnectionLost('the database sent what makes no sense here', { cause }));
    }
  });
}

/** One timer for all connections; it does not keep the process alive. */
function watch(client: Client): void {
  watched.add(client);
  if (sweeping !== null) return;
  sweptAt = performance.now();
  sweeping = setInterval(sweepAll, SWEEP_MS).unref();
}

function sweepAll(): void {
  const now = performance.now();
  // After a stall of this process answers may be there unread, so a stall counts little.
  const passed = Math.min(now - sweptAt, 2 * SWEEP_MS);
  sweptAt = now;
  for (const client of watched) client.sweep(now, passed);
  if (watched.size > 0 || sweeping === null) return;
  clearInterval(sweeping);
  sweeping = null;
}
