// Answers for how the next exchange goes: a script that waits for it first, else the card's own
// behaviour, which leaves doubt the first time only, so that asking again learns the truth. Counts
// every exchange. Knows nothing of what an exchange does to the book.
import type { Database } from '../../db/index.ts';
import type { Exchange } from './exchanges.ts';
import { exchangeOf, leavesDoubt } from './exchanges.ts';
import type { ExchangeOperation } from './protocol.ts';
import type { CardBehaviour } from './test-cards.ts';
import { behaviourOf } from './test-accounts.ts';

interface Turn {
  readonly times: number;
  readonly behaviour: string | null;
  readonly scripted: string | null;
}

/** A card that the processor never issued is declined, so that a payment with it ends. */
const FOREIGN_CARD: Exchange = {
  waitMs: 0,
  effect: 'decline',
  code: 'generic_error',
  reply: 'truth',
};

/**
 * Counts one exchange and says how it goes. `token` is null when the caller only looks: then it is
 * the card of the earlier exchanges under the key.
 */
export async function nextExchange(
  db: Database,
  world: number,
  key: string,
  operation: ExchangeOperation,
  token: string | null,
): Promise<Exchange> {
  const rows = await db.query<Turn>({
    name: 'processor_next_exchange',
    text: `with card as (
        select coalesce($4, (select token from processor_exchange
          where world = $1 and key = $2 order by first_at limit 1), '') as token
      ), asked as (
        insert into processor_exchange as e (world, key, operation, token)
        select $1, $2, $3, token from card
        on conflict (world, key, operation)
        do update set times = e.times + 1, last_at = clock_timestamp()
        returning times
      ), due as (
        select number from processor_script
        where world = $1 and operation = $3 and remaining > 0
          and (token = '' or token = (select token from card))
        order by number limit 1 for update
      ), taken as (
        update processor_script set remaining = remaining - 1
        where world = $1 and number = (select number from due)
        returning exchange
      )
      select (select times from asked) as times, (select exchange from taken) as scripted,
        (select behaviour from processor_card
          where world = $1 and token = (select token from card)) as behaviour`,
    values: [world, key, operation, token],
  });
  const turn = rows[0];
  if (turn === undefined) throw new Error('an exchange was not counted');
  if (turn.scripted !== null) return exchangeOf(turn.scripted);
  if (turn.behaviour === null) {
    return operation === 'authorize' ? FOREIGN_CARD : exchangeOf('honest');
  }
  return cardExchange(behaviourOf(turn.behaviour), operation, turn.times);
}

function cardExchange(
  behaviour: CardBehaviour,
  operation: ExchangeOperation,
  times: number,
): Exchange {
  const looks = operation === 'look' || operation === 'look_remittance';
  const exchange = exchangeOf(looks ? 'honest' : (behaviour[operation] ?? 'honest'));
  return times > 1 && leavesDoubt(exchange) ? exchangeOf('honest') : exchange;
}

/** How the next `times` exchanges of one kind go, for one card or ('') for any. */
export interface ScriptEntry {
  readonly operation: ExchangeOperation;
  readonly exchange: string;
  readonly times: number;
  readonly token: string;
}

/** Queues entries, in their order. */
export async function queueScript(
  db: Database,
  world: number,
  ...entries: readonly ScriptEntry[]
): Promise<void> {
  await db.execute({
    name: 'processor_queue_script',
    text: `insert into processor_script (world, operation, token, exchange, remaining)
      select $1, operation, token, exchange, remaining
      from unnest($2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
        as entry (operation, token, exchange, remaining, place) order by place`,
    values: [
      world,
      entries.map((entry) => entry.operation),
      entries.map((entry) => entry.token),
      entries.map((entry) => entry.exchange),
      entries.map((entry) => entry.times),
    ],
  });
}

/** How often each question was asked under a key, in the order of the first time. */
export async function exchangesOf(
  db: Database,
  world: number,
  key: string,
): Promise<readonly ExchangeCount[]> {
  return db.query<ExchangeCount>({
    name: 'processor_exchanges_of',
    text: `select operation, times, first_at, last_at from processor_exchange
      where world = $1 and key = $2 order by first_at, operation`,
    values: [world, key],
  });
}

/** One question and how often it was asked. */
export interface ExchangeCount {
  readonly operation: ExchangeOperation;
  readonly times: number;
  readonly first_at: string;
  readonly last_at: string;
}
