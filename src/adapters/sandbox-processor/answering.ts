// Answers for one exchange from question to answer: how it goes, its effect in the book, and what
// the caller gets to see of it. Knows nothing of routes, keys of worlds and the rows behind.
import type { Database } from '../../db/index.ts';
import type { Entropy } from '../../kernel/entropy.ts';
import type { Answer } from '../../kernel/operation.ts';
import type { Charge, Order } from './charges.ts';
import { authorize, capture, chargeOf, declineCapture, reverse } from './charges.ts';
import type { Exchange } from './exchanges.ts';
import { SILENCE_MS } from './exchanges.ts';
import type { ChargeAnswer, ChargeOperation } from './protocol.ts';
import { nextExchange } from './script.ts';

/** What an exchange runs on. */
export interface ExchangeServices {
  readonly db: Database;
  readonly entropy: Entropy;
  /** Resolves after so many milliseconds, or at once when the server stops. */
  delay(ms: number): Promise<void>;
}

/** What is asked: with an order, or (`look`) about a key only. */
export type Question =
  | { readonly operation: Exclude<ChargeOperation, 'look'>; readonly order: Order }
  | { readonly operation: 'look'; readonly world: number; readonly key: string };

/** Answers a question as the script, the card and the book say. */
export async function answerQuestion(
  services: ExchangeServices,
  question: Question,
): Promise<Answer> {
  const { world, key } = question.operation === 'look' ? question : question.order;
  const token = question.operation === 'look' ? null : question.order.token;
  const exchange = await nextExchange(services.db, world, key, question.operation, token);
  if (exchange.waitMs > 0) await services.delay(exchange.waitMs);
  const truth = exchange.effect === 'none' ? null : await effect(services, question, exchange);
  switch (exchange.reply) {
    case 'truth':
      return { status: 200, bare: truth };
    case 'garbled':
      return { status: 200, bare: { state: 'perhaps', key } };
    case 'fault':
      return { status: 500, bare: { error: 'fault' } };
    case 'busy':
      return { status: 429, bare: { error: 'busy' }, headers: { 'retry-after': '1' } };
    case 'silence':
      await services.delay(SILENCE_MS);
      return { status: 504, bare: { error: 'silence' } };
  }
}

async function effect(
  { db, entropy }: ExchangeServices,
  question: Question,
  exchange: Exchange,
): Promise<ChargeAnswer> {
  if (question.operation === 'look') {
    const charge = await chargeOf(db, question.world, question.key);
    return charge === null ? { state: 'absent', key: question.key } : answerOf(charge);
  }
  const { order } = question;
  const reference = `ch_${entropy.uuid().replaceAll('-', '')}`;
  const code = exchange.effect === 'decline' ? (exchange.code ?? 'generic_error') : null;
  if (question.operation === 'authorize') {
    const charge = await authorize(db, order, reference, code);
    // The key was given up before: the late authorisation is refused, and nothing is reserved.
    return charge.barred ? declined(charge, 'generic_error') : answerOf(charge);
  }
  if (question.operation === 'reverse') return answerOf(await reverse(db, order, reference));
  if (code !== null) return answerOf(await declineCapture(db, order, code));
  return answerOf(await capture(db, order, distortionOf(exchange, order)));
}

function distortionOf(exchange: Exchange, order: Order): Parameters<typeof capture>[2] {
  const other = order.currency === 'EUR' ? 'USD' : 'EUR';
  return {
    less: exchange.effect === 'one_less' ? 1n : 0n,
    currency: exchange.effect === 'other_currency' ? other : null,
  };
}

function declined(charge: Charge, code: string): ChargeAnswer {
  return { state: 'declined', key: charge.key, reference: charge.reference, code };
}

/** A row of the book as the wire shows it: after a capture, what was really taken. */
function answerOf(charge: Charge): ChargeAnswer {
  if (charge.state === 'declined') return declined(charge, charge.failure_code ?? '');
  return {
    state: charge.state,
    key: charge.key,
    reference: charge.reference,
    amount: String(charge.captured_amount ?? charge.amount),
    currency: charge.captured_currency ?? charge.currency,
  };
}
