// Chooses how the next call goes: by a waiting script, else by the card's own behaviour, which
// hides the outcome only the first time, so that a repetition learns the truth.
import type { Database, Queryable } from '../../../db/index.ts';
import { turnsOf, type ScriptLine } from '../store/calls.ts';
import type { Exchange } from './exchanges.ts';
import { exchangeOf, leavesDoubt } from './exchanges.ts';
import type { ExchangeOperation } from './protocol.ts';
import type { CardBehaviour } from './test-cards.ts';
import { behaviourOf } from './test-accounts.ts';

const TURNS = turnsOf(
  'processor',
  `(select behaviour from processor_card
    where workspace = $1 and token = (select token from asker))`,
);

/** A card that the processor never issued is declined, so that a payment with it ends. */
const FOREIGN_CARD: Exchange = {
  waitMs: 0,
  effect: 'decline',
  code: 'generic_error',
  reply: 'truth',
};

/**
 * Counts one call and returns how it goes. With `token` null (only retrieved) the card of earlier
 * calls under the key counts.
 */
export async function nextExchange(
  db: Database,
  workspace: number,
  key: string,
  operation: ExchangeOperation,
  token: string | null,
): Promise<Exchange> {
  const turn = await TURNS.next(db, workspace, key, operation, token);
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

/** The outcome of the next `times` calls of one kind, for one card or ('') any. */
export interface ScriptEntry extends ScriptLine {
  readonly operation: ExchangeOperation;
}

/** Queues entries in their order. */
export const queueScript: (
  db: Queryable,
  workspace: number,
  ...entries: readonly ScriptEntry[]
) => Promise<readonly bigint[]> = TURNS.queue;

/** How often each kind of call came under a key, in order of the first time. */
export const exchangesOf = TURNS.counts;
