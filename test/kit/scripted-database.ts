// A database for tests of the engine alone: it answers by the names of the engine's statements,
// remembers their order, and does at a statement what the test says.
import type { Database, Statement, Transaction } from '../../src/db/index.ts';

/** What a statement is known by: its name, or its text. */
export function nameOf(statement: Statement | string): string {
  return typeof statement === 'string' ? statement : (statement.name ?? statement.text);
}

type Answer = readonly unknown[] | Promise<readonly unknown[]>;

export class ScriptedDatabase {
  /** Names of statements in the order in which they were sent; `write` for what is written. */
  readonly sent: string[] = [];
  readonly written: Statement[] = [];
  /** Connections that were given back as broken. */
  broken = 0;
  open = 0;
  mostOpen = 0;
  /** Called at each statement; what it gives is the answer, an error that it throws as well. */
  at: (name: string, statement: Statement) => Answer | undefined = () => undefined;

  /** As the pool that the engine is given. */
  get pool(): Database {
    return {
      query: (statement: Statement | string) => this.#answer(statement),
      connection: async () => this.#connection(),
    } as unknown as Database;
  }

  #connection(): Transaction & { release(broken?: boolean): void } {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    return {
      together: (work) => work(),
      query: <R>(statement: Statement | string) => this.#answer(statement) as Promise<R[]>,
      execute: async (statement) => (await this.#answer(statement)).length,
      release: (broken) => {
        this.open -= 1;
        if (broken === true) this.broken += 1;
      },
    };
  }

  async #answer(given: Statement | string): Promise<unknown[]> {
    const statement = typeof given === 'string' ? { text: given } : given;
    const isWrite = /assert_counts/.test(statement.text);
    const name = isWrite ? 'write' : nameOf(statement);
    this.sent.push(name);
    if (isWrite) this.written.push(statement);
    return [...((await this.at(name, statement)) ?? [])];
  }
}
