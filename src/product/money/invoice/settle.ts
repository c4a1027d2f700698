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
  highPriority: true,
  load(rows, answer) {
    const known = wantAnswer(rows, answer);
    if (known !== null) wantCredits(rows, known.allocation);
  },
  decide(decision, answer) {
    learnPayment(decision, answer, sale);
    return { status: 200, payload: null };
  },
};
