// Answers for whose turn it is at a foreign system of the sandbox: counts every exchange, and takes
// the script that waits for it. Knows nothing of what an exchange does to a book.
import type { Database, Queryable } from '../../db/index.ts';
import type { Book } from './access.ts';

/** One exchange that was counted. */
export interface Turn {
  /** How often this was asked under the key, this time included. */
  readonly times: number;
  /** What the token behaves like; null for a token that the book does not know. */
  readonly behaviour: string | null;
  /** The exchange that a script wants. */
  readonly scripted: string | null;
}

/** How the next `times` exchanges of one kind go, for one token or ('') for any. */
export interface ScriptLine {
  readonly operation: string;
  readonly exchange: string;
  readonly times: number;
  readonly token: string;
}

/** One question and how often it was asked. */
export interface ExchangeCount {
  readonly operation: string;
  readonly times: number;
  readonly first_at: string;
  readonly last_at: string;
}

/** The turns of one book. */
export interface Turns {
  /**
   * Counts one exchange. `token` is null when the caller only names a key: then it is the token of
   * the earlier exchanges under it.
   */
  next(
    db: Database,
    world: number,
    key: string,
    operation: string,
    token: string | null,
  ): Promise<Turn>;
  /** Queues lines, in their order; gives the numbers under which they wait. */
  queue(db: Queryable, world: number, ...lines: readonly ScriptLine[]): Promise<readonly bigint[]>;
  /** How often each question was asked under a key, in the order of the first time. */
  counts(db: Database, world: number, key: string): Promise<readonly ExchangeCount[]>;
}

/** `behaviour`: an expression over $1, the world, and `(select token from asker)`. */
export function turnsOf(book: Book, behaviour: string): Turns {
  const next = `with asker as (
      select coalesce($4, (select token from ${book}_exchange
        where world = $1 and key = $2 order by first_at limit 1), '') as token
    ), asked as (
      insert into ${book}_exchange as e (world, key, operation, token)
      select $1, $2, $3, token from asker
      on conflict (world, key, operation)
      do update set times = e.times + 1, last_at = clock_timestamp()
      returning times
    ), due as (
      select number from ${book}_script
      where world = $1 and operation = $3 and remaining > 0
        and (token = '' or token = (select token from asker))
      order by number limit 1 for update
    ), taken as (
      update ${book}_script set remaining = remaining - 1
      where world = $1 and number = (select number from due)
      returning exchange
    )
    select (select times from asked) as times, (select exchange from taken) as scripted,
      ${behaviour} as behaviour`;
  return {
    async next(db, world, key, operation, token) {
      const values = [world, key, operation, token];
      const rows = await db.query<Turn>({ name: `${book}_next_exchange`, text: next, values });
      if (rows[0] === undefined) throw new Error('an exchange was not counted');
      return rows[0];
    },
    async queue(db, world, ...lines) {
      const rows = await db.query<{ number: bigint }>({
        name: `${book}_queue_script`,
        text: `insert into ${book}_script (world, operation, token, exchange, remaining)
          select $1, operation, token, exchange, remaining
          from unnest($2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
            as line (operation, token, exchange, remaining, place) order by place
          returning number`,
        values: [
          world,
          lines.map((line) => line.operation),
          lines.map((line) => line.token),
          lines.map((line) => line.exchange),
          lines.map((line) => line.times),
        ],
      });
      return rows.map(({ number }) => number);
    },
    counts: (db, world, key) =>
      db.query<ExchangeCount>({
        name: `${book}_exchanges_of`,
        text: `select operation, times, first_at, last_at from ${book}_exchange
          where world = $1 and key = $2 order by first_at, operation`,
        values: [world, key],
      }),
  };
}
