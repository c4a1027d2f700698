// One call from request to answer: how it goes, and what the caller gets to see of its effect.
import type { Database } from '../../../db/index.ts';
import type { Answer } from '../../../core/operation.ts';
import { play } from '../store/playing.ts';
import { chargeOf } from './charges.ts';
import type { Question, Seen } from './effects.ts';
import { effectOf } from './effects.ts';
import type { SandboxProcessorServices } from './endpoint.ts';
import { LATE_MS } from './exchanges.ts';
import { happenLater } from './outside.ts';
import { nextExchange } from './script.ts';

/** Answers a call as the script, the card and the record say. */
export async function answerQuestion(
  { db, random, delay, urls }: SandboxProcessorServices,
  question: Question,
): Promise<Answer> {
  const { workspace, key } = 'order' in question ? question.order : question;
  const token = await tokenOf(db, question);
  const exchange = await nextExchange(db, workspace, key, question.operation, token);
  const { later } = exchange;
  return play({ db, delay, workspace }, {
    key,
    exchange,
    async effect() {
      const reference = `ch_${random.uuid().replaceAll('-', '')}`;
      const seen = await effectOf({ db, urls }, question, exchange, reference);
      if (later !== undefined) await happenLater(db, workspace, key, later, LATE_MS);
      return seen;
    },
    denial: (seen) => denied(key, seen),
  });
}

/** The card or account concerned; null if only a key is given. */
async function tokenOf(db: Database, question: Question): Promise<string | null> {
  if (!('order' in question)) return null;
  if ('token' in question.order) return question.order.token;
  const { workspace, kind, target } = question.order;
  if (kind === 'payout') return target;
  return (await chargeOf(db, workspace, target))?.token ?? '';
}

/** A false decline. */
function denied(key: string, seen: object | null): Seen {
  const { reference = key } = (seen ?? {}) as { readonly reference?: string };
  return { state: 'declined', key, reference, code: 'card_declined' };
}
