// Counts every call to a simulator and takes the script that waits for it.
import type { Database, Queryable } from '../../../db/index.ts';
import type { Book } from './access.ts';

/** One counted call. */
export interface Turn {
  /** How often this was called under the key, this time included. */
  readonly times: number;
  /** The token's behaviour; null for an unknown token. */
  readonly behaviour: string | null;
  /** The outcome that a script sets. */
  readonly scripted: string | null;
}

/** The outcome of the next `times` calls of one kind, for one token or ('') any. */
export interface ScriptLine {
  readonly operation: string;
  readonly exchange: string;
  readonly times: number;
  readonly token: string;
}

/** One kind of call and how often it came. */
export interface ExchangeCount {
  readonly operation: string;
  readonly times: number;
  readonly first_at: string;
  readonly last_at: string;
}

/** The calls of one simulator. */
export interface Turns {
  /**
   * Counts one call. With `token` null (only a key is named) the token of earlier calls under it
   * counts.
   */
  next(
    db: Database,
    workspace: number,
    key: string,
    operation: string,
    token: string | null,
  ): Promise<Turn>;
  /** Queues scripts in their order; returns their numbers. */
  queue(
    db: Queryable,
    workspace: number,
    ...lines: readonly ScriptLine[]
  ): Promise<readonly bigint[]>;
  /** How often each kind of call came under a key, in order of the first time. */
  counts(db: Database, workspace: number, key: string): Promise<readonly ExchangeCount[]>;
}

/** `behaviour`: an SQL expression over $1, the workspace, and `(select token from asker)`. */
export function turnsOf(book: Book, behaviour: string): Turns {
  const next = `with asker as (
      select coalesce($4, (select token from ${book}_exchange
        where workspace = $1 and key = $2 order by first_at limit 1), '') as token
    ), asked as (
      insert into ${book}_exchange as e (workspace, key, operation, token)
      select $1, $2, $3, token from asker
      on conflict (workspace, key, operation)
      do update set times = e.times + 1, last_at = clock_timestamp()
      returning times
    ), due as (
      select number from ${book}_script
      where workspace = $1 and operation = $3 and remaining > 0
        and (token = '' or token = (select token from asker))
      order by number limit 1 for update
    ), taken as (
      update ${book}_script set remaining = remaining - 1
      where workspace = $1 and number = (select number from due)
      returning exchange
    )
    select (select times from asked) as times, (select exchange from taken) as scripted,
      ${behaviour} as behaviour`;
  return {
    async next(db, workspace, key, operation, token) {
      const values = [workspace, key, operation, token];
      const rows = await db.query<Turn>({ name: `${book}_next_exchange`, text: next, values });
      if (rows[0] === undefined) throw new Error('an exchange was not counted');
      return rows[0];
    },
    async queue(db, workspace, ...lines) {
      const rows = await db.query<{ number: bigint }>({
        name: `${book}_queue_script`,
        text: `insert into ${book}_script (workspace, operation, token, exchange, remaining)
          select $1, operation, token, exchange, remaining
          from unnest($2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
            as line (operation, token, exchange, remaining, place) order by place
          returning number`,
        values: [
          workspace,
          lines.map((line) => line.operation),
          lines.map((line) => line.token),
          lines.map((line) => line.exchange),
          lines.map((line) => line.times),
        ],
      });
      return rows.map(({ number }) => number);
    },
    counts: (db, workspace, key) =>
      db.query<ExchangeCount>({
        name: `${book}_exchanges_of`,
        text: `select operation, times, first_at, last_at from ${book}_exchange
          where workspace = $1 and key = $2 order by first_at, operation`,
        values: [workspace, key],
      }),
  };
}
