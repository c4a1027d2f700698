// Answers for one exchange from question to answer: how it goes, and what the caller gets to see of
// what it did. Knows nothing of routes, keys of worlds and the rows behind.
import type { Database } from '../../db/index.ts';
import type { Entropy } from '../../kernel/entropy.ts';
import type { Answer } from '../../kernel/operation.ts';
import { chargeOf } from './charges.ts';
import type { Question, Seen } from './effects.ts';
import { effectOf } from './effects.ts';
import { LATE_MS, SILENCE_MS } from './exchanges.ts';
import { happenLater } from './outside.ts';
import { nextExchange } from './script.ts';

/** What an exchange runs on. */
export interface ExchangeServices {
  readonly db: Database;
  readonly entropy: Entropy;
  /** Resolves after so many milliseconds, or at once when the server stops. */
  delay(ms: number): Promise<void>;
}

/** Answers a question as the script, the card and the book say. */
export async function answerQuestion(
  services: ExchangeServices,
  question: Question,
): Promise<Answer> {
  const { db, entropy, delay } = services;
  const { world, key } = 'order' in question ? question.order : question;
  const token = await tokenOf(db, question);
  const exchange = await nextExchange(db, world, key, question.operation, token);
  if (exchange.waitMs > 0) await delay(exchange.waitMs);
  const reference = `ch_${entropy.uuid().replaceAll('-', '')}`;
  const seen =
    exchange.effect === 'none' ? null : await effectOf(db, question, exchange, reference);
  if (exchange.later !== undefined) await happenLater(db, world, key, exchange.later, LATE_MS);
  if (exchange.holdMs !== undefined) await delay(exchange.holdMs);
  switch (exchange.reply) {
    case 'truth':
      return { status: 200, bare: seen };
    case 'denial':
      return { status: 200, bare: denied(key, seen) };
    case 'garbled':
      return { status: 200, bare: { state: 'perhaps', key } };
    case 'fault':
      return { status: 500, bare: { error: 'fault' } };
    case 'busy':
      return { status: 429, bare: { error: 'busy' }, headers: { 'retry-after': '1' } };
    case 'silence':
      await delay(SILENCE_MS);
      return { status: 504, bare: { error: 'silence' } };
  }
}

/** The card or account that is asked about; null where only a key is known. */
async function tokenOf(db: Database, question: Question): Promise<string | null> {
  if (!('order' in question)) return null;
  if ('token' in question.order) return question.order.token;
  const { world, kind, target } = question.order;
  if (kind === 'payout') return target;
  return (await chargeOf(db, world, target))?.token ?? '';
}

/** A no that is not true. */
function denied(key: string, seen: Seen | null): Seen {
  const reference = seen !== null && 'reference' in seen ? seen.reference : key;
  return { state: 'declined', key, reference, code: 'card_declined' };
}
