// The command that records the processor's answer about one card payment of an invoice. Provider
// webhooks, workers and the reconciler all use it, so there is one way to learn an outcome.
import type { Command } from '../../../engine/index.ts';
import type { AttemptAnswer } from '../wallet/index.ts';
import { sale, wantCredits } from './pay.ts';
import { learnPayment, wantAnswer } from './payment.ts';

/**
 * Settles an invoice by one answer about one payment attempt; late and repeated answers change
 * nothing.
 */
export const settleInvoice: Command<AttemptAnswer> = {
  name: 'settle_invoice',
  batchable: true,
  critical: true,
  needs(want, answer) {
    const known = wantAnswer(want, answer);
    if (known !== null) wantCredits(want, known.plan);
  },
  decide(decision, answer) {
    learnPayment(decision, answer, sale);
    return { status: 200, payload: null };
  },
};
