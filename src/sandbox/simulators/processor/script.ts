// How a call goes without a script: by the behaviour of the card or account that it is about.
import type { Database } from '../../../db/index.ts';
import type { Turn } from '../store/calls.ts';
import { hiddenOnce } from '../store/playing.ts';
import { chargeOf } from './charges.ts';
import type { Question } from './effects.ts';
import { exchangeOf, type Exchange } from './exchanges.ts';
import type { ExchangeOperation } from './protocol.ts';
import { behaviourOf } from './test-accounts.ts';

/** A card that the processor never issued is declined, so that a payment with it ends. */
const FOREIGN_CARD: Exchange = {
  waitMs: 0,
  effect: 'decline',
  code: 'generic_error',
  reply: 'truth',
};

/** The card or account concerned; null if only a key is given. */
export async function tokenOf(db: Database, question: Question): Promise<string | null> {
  if (!('order' in question)) return null;
  if ('token' in question.order) return question.order.token;
  const { workspace, kind, target } = question.order;
  if (kind === 'payout') return target;
  return (await chargeOf(db, workspace, target))?.token ?? '';
}

/** How the call goes by itself; a retrieval always works. */
export function usualExchange(turn: Turn, operation: ExchangeOperation): Exchange {
  if (turn.behaviour === null && operation === 'authorize') return FOREIGN_CARD;
  const looks =
    operation === 'look' || operation === 'look_remittance' || operation === 'look_answer';
  if (turn.behaviour === null || looks) return exchangeOf('honest');
  return hiddenOnce(exchangeOf(behaviourOf(turn.behaviour)[operation] ?? 'honest'), turn);
}
