// Counts every call to a simulator and takes the script that waits for it.
import { prepared, raw, type Database, type Queryable } from '../../../db/index.ts';
import type { Book } from './access.ts';

/** A provider call to be counted. */
export interface Call {
  readonly workspace: number;
  readonly key: string;
  readonly operation: string;
  /** Of whom: null if only the key is named; then the token of earlier calls under it counts. */
  readonly token: string | null;
}

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

/** SQL of a token's behaviour. */
const BEHAVIOURS: Readonly<Record<Book, string>> = {
  processor: `(select behaviour from processor_card
    where workspace = $1 and token = (select token from asker))`,
  vendor: '(select token from asker)',
  receiver: 'null::text',
};

/** Counts one call and takes its script. */
export async function countCall(db: Database, book: Book, call: Call): Promise<Turn> {
  const [turn] = await db.query<Turn>({
    name: `${book}_next_exchange`,
    text: `with asker as (
        select coalesce($4, (select token from ${book}_exchange
          where workspace = $1 and key = $2 order by first_at limit 1), '') as token
      ), asked as (
        insert into ${book}_exchange as e (workspace, key, operation, token)
        select $1, $2, $3, token from asker
        on conflict (workspace, key, operation)
        do update set times = e.times + 1, last_at = $now
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
        ${BEHAVIOURS[book]} as behaviour`,
    values: [call.workspace, call.key, call.operation, call.token],
  });
  if (turn === undefined) throw new Error('a call was not counted');
  return turn;
}

/** Queues scripts in their order; returns their numbers. */
export async function queueScript(
  db: Queryable,
  book: Book,
  workspace: number,
  lines: readonly ScriptLine[],
): Promise<readonly bigint[]> {
  const column = (name: keyof ScriptLine) => lines.map((line) => line[name]);
  const rows = await db.query<{ number: bigint }>({
    name: `${book}_queue_script`,
    text: `insert into ${book}_script (workspace, operation, token, exchange, remaining)
      select $1, operation, token, exchange, remaining
      from unnest($2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
        as line (operation, token, exchange, remaining, place) order by place
      returning number`,
    values: [workspace, ...(['operation', 'token', 'exchange', 'times'] as const).map(column)],
  });
  return rows.map(({ number }) => number);
}

/** How often each kind of call came under a key, in order of the first time. */
export function callsUnder(
  db: Queryable,
  book: Book,
  workspace: number,
  key: string,
): Promise<readonly object[]> {
  return db.query(prepared(`${book}_exchanges_of`)`
    select operation, times, first_at, last_at from ${raw(book)}_exchange
    where workspace = ${workspace} and key = ${key} order by first_at, operation`);
}
