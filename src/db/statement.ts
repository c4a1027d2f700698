// What runs statements, and with which options, apart from the driver behind it.

/** A statement; a named one is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  /** `$now` is the database's time, read before it; not for what is sent `together`. */
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Something that runs statements: a pool or one transaction. */
export interface Queryable {
  /** Runs one statement and returns its rows. */
  query<R>(statement: Statement | string): Promise<R[]>;
}

/** One open transaction; its connection is exclusive until it ends. */
export interface Transaction extends Queryable {
  /**
   * Sends every statement that `work` issues in one packet; they run in order. If one fails in a
   * transaction, the rest fail as well.
   */
  together<T>(work: () => T): T;
  /** Runs one statement and returns the number of rows it touched. */
  execute(statement: Statement | string): Promise<number>;
}

/** How a pool is made. */
export interface DatabaseOptions {
  /** May name several hosts. */
  readonly url: string;
  /** True: a standby is refused, and nothing is read before what is there is durable. */
  readonly primary?: boolean;
  /** Most connections. */
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** Run-time settings of each connection, such as `{ enable_seqscan: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Milliseconds to wait for a free connection; then a fault. */
  readonly waitMs?: number;
  /** Milliseconds without an answer before a connection is given up; absent: no limit. */
  readonly answerMs?: number;
  /** Milliseconds that a transaction may take, where the server knows such a limit. */
  readonly transactionMs?: number;
  /** An idle connection of that age is closed; absent: no limit. */
  readonly ageMinutes?: number;
  /** Called with the SQLSTATE of each error the server reports. */
  readonly told?: (state: string) => void;
}
