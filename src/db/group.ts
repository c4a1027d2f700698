// Sends several statements in one packet and reads their answers at one Sync; the driver alone
// would send a Sync, and wait, for each. It also tracks which statements are prepared on each
// connection. An error thrown from a handler here costs the connection (client.ts).
import pg from 'pg';
import { ConnectionLost } from './client.ts';
import { asksTime, CLOCK, dated } from './dated.ts';
import { TYPES, type Parser, type Types } from './client-config.ts';
import type { Statement, Transaction } from './statement.ts';

/** The result of one statement. */
export interface Result {
  readonly rows: Record<string, unknown>[];
  readonly rowCount: number;
}

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Columns of a statement's rows, once the server has described them. */
interface Shape {
  readonly blank: Record<string, null>;
  readonly names: readonly string[];
  readonly parsers: readonly Parser[];
}

/** A statement as prepared on one connection. */
interface Prepared {
  readonly text: string;
  shape: Shape | null;
}

type Value = string | Buffer | null;

interface Sent {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly Value[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The part of the driver's connection that is used here. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { name: string; text: string }): void;
  bind(config: { statement: string; values: readonly Value[] }): void;
  describe(message: { type: 'P' }): void;
  execute(config: null): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

const preparedOn = new WeakMap<Wire, Map<string, Prepared>>();

const DriverQuery = pg.Query as unknown as new (config: object) => object;
const NOTHING = {};

/** Statements sent together, for a client's `query`. After one fails the rest fail too. */
export class Group extends DriverQuery {
  readonly #types: Types;
  readonly #statements: Sent[] = [];
  readonly #prepared: Prepared[] = [];
  /** Names that this group is the first to use on its connection. */
  readonly #fresh: string[] = [];
  /**
   * Answers so far. They are resolved only when the server is ready again: only then is it certain
   * that none is missing or surplus, which would shift the rows of all later statements.
   */
  readonly #results: Result[] = [];
  #rows: Record<string, unknown>[] = [];
  #settled = false;

  constructor(types: Types) {
    super(NOTHING);
    this.#types = types;
  }

  get empty(): boolean {
    return this.#statements.length === 0;
  }

  /** Adds a statement. Its values are texts, numbers, booleans, null, or bytes in binary form. */
  add({ name, text, values = [] }: Statement): Promise<Result> {
    const plain = values.map(plainValue);
    return new Promise((resolve, reject) => {
      this.#statements.push({ name, text, values: plain, resolve, reject });
    });
  }

  /** Called by the driver when this group is to be sent. */
  submit(wire: Wire): Error | null {
    let known = preparedOn.get(wire);
    if (known === undefined) preparedOn.set(wire, (known = new Map()));
    for (const { name = '', text } of this.#statements) {
      const other = known.get(name);
      if (other !== undefined && other.text !== text) {
        return new Error(`two statements are named ${name}`);
      }
    }
    wire.stream.cork();
    for (const statement of this.#statements) this.#send(wire, known, statement);
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  #send(wire: Wire, known: Map<string, Prepared>, statement: Sent): void {
    const { name = '', text, values } = statement;
    let prepared = known.get(name);
    const fresh = prepared === undefined;
    if (prepared === undefined) {
      prepared = { text, shape: null };
      if (name !== '') {
        known.set(name, prepared);
        this.#fresh.push(name);
        // A failed group may have left it prepared; closing an unknown name does no harm.
        wire.close({ type: 'S', name });
      }
      wire.parse({ name, text });
    }
    this.#prepared.push(prepared);
    wire.bind({ statement: name, values });
    if (fresh) wire.describe({ type: 'P' });
    wire.execute(null);
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    const prepared = this.#prepared[this.#results.length];
    if (prepared === undefined) throw new Error('the database described what nobody asked');
    const names = fields.map((field) => field.name);
    prepared.shape = {
      blank: Object.fromEntries(names.map((name) => [name, null])),
      names,
      parsers: fields.map(({ dataTypeID }) => this.#types.getTypeParser(dataTypeID, 'text')),
    };
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const shape = this.#prepared[this.#results.length]?.shape;
    if (shape?.names.length !== fields.length) {
      throw new Error('the database sent rows that it did not describe');
    }
    const row: Record<string, unknown> = { ...shape.blank };
    for (let column = 0; column < fields.length; column += 1) {
      const text = fields[column] as string | null;
      if (text === null) continue;
      const parse = shape.parsers[column] as Parser;
      row[shape.names[column] as string] = parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const rows = this.#rows;
    this.#rows = [];
    const rowCount = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    if (this.#results.length === this.#statements.length) {
      throw new Error('the database answered what nobody asked');
    }
    this.#results.push({ rows, rowCount });
  }

  /** The server skips everything after the failed statement. */
  handleError(error: unknown, wire: Wire): void {
    const known = preparedOn.get(wire);
    for (const name of this.#fresh) known?.delete(name);
    if (error instanceof pg.DatabaseError) this.#settle(error);
    else this.fail(error);
  }

  handleReadyForQuery(): void {
    if (this.#settled) return;
    if (this.#results.length === this.#statements.length) {
      this.#settle(null);
      return;
    }
    // The driver has already let go of this group and would not report the lost connection to it.
    const lost = new ConnectionLost('the database answered fewer statements than were sent');
    this.fail(lost);
    throw lost;
  }

  /** Fails the whole group. */
  fail(error: unknown): void {
    this.#results.length = 0;
    this.#settle(error);
  }

  #settle(error: unknown): void {
    this.#settled = true;
    for (const [at, { resolve, reject }] of this.#statements.entries()) {
      const result = this.#results[at];
      if (result === undefined) reject(error);
      else resolve(result);
    }
  }
}

function plainValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (value instanceof Buffer) return value;
  if (typeof value === 'object') throw new TypeError('a value of a group is no plain value');
  return String(value);
}

/** The driver returns an array if one statement gets several answers. */
export function rowsOf<R>({ rows }: { readonly rows?: unknown[] }): R[] {
  if (rows === undefined) throw new ConnectionLost('the database answered more than was asked');
  return rows as R[];
}

export function toStatement(statement: Statement | string): Statement {
  return typeof statement === 'string' ? { text: statement } : statement;
}

export function toQuery(statement: Statement | string): pg.QueryConfig {
  if (typeof statement === 'string') return { text: statement };
  const query: pg.QueryConfig = { text: statement.text };
  if (statement.name !== undefined) query.name = statement.name;
  if (statement.values !== undefined) query.values = statement.values as unknown[];
  return query;
}

/** The statements of one connection; those within `together` are sent as one group. */
export function transactionOn(client: pg.PoolClient): Transaction {
  let gathering: Group | null = null;
  type Answer = Promise<Pick<pg.QueryResult, 'rows' | 'rowCount'>>;
  const runDated = async (statement: Statement | string): Answer => {
    const { rows } = await client.query<{ now: string }>(toQuery(CLOCK));
    return client.query(toQuery(dated(statement, rows[0]?.now)));
  };
  const run = (statement: Statement | string): Answer => {
    if (gathering !== null) return gathering.add(toStatement(statement));
    return asksTime(statement) ? runDated(statement) : client.query(toQuery(statement));
  };
  return {
    together(work) {
      const group = new Group(TYPES);
      gathering = group;
      try {
        return work();
      } finally {
        gathering = null;
        if (!group.empty) client.query(group as unknown as pg.Submittable);
      }
    },
    async query<R>(statement: Statement | string): Promise<R[]> {
      return rowsOf(await run(statement));
    },
    async execute(statement: Statement | string): Promise<number> {
      return (await run(statement)).rowCount ?? 0;
    },
  };
}
