// Answers for how the next exchange goes: a script that waits for it first, else the card's own
// behaviour, which leaves doubt the first time only, so that asking again learns the truth. Knows
// nothing of what an exchange does to the book.
import type { Database, Queryable } from '../../db/index.ts';
import { turnsOf, type ScriptLine } from '../sandbox-book/turns.ts';
import type { Exchange } from './exchanges.ts';
import { exchangeOf, leavesDoubt } from './exchanges.ts';
import type { ExchangeOperation } from './protocol.ts';
import type { CardBehaviour } from './test-cards.ts';
import { behaviourOf } from './test-accounts.ts';

const TURNS = turnsOf(
  'processor',
  `(select behaviour from processor_card
    where world = $1 and token = (select token from asker))`,
);

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
  const turn = await TURNS.next(db, world, key, operation, token);
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
export interface ScriptEntry extends ScriptLine {
  readonly operation: ExchangeOperation;
}

/** Queues entries, in their order. */
export const queueScript: (
  db: Queryable,
  world: number,
  ...entries: readonly ScriptEntry[]
) => Promise<readonly bigint[]> = TURNS.queue;

/** How often each question was asked under a key, in the order of the first time. */
export const exchangesOf = TURNS.counts;
