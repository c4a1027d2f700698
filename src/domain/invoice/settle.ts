// The command that learns an answer of the processor about one card part of an invoice. Notices,
// workers and the reconciler all come through here, so there is one way to learn an outcome.
import type { Command } from '../../engine/index.ts';
import type { AttemptAnswer } from '../wallet/index.ts';
import { sale, wantCredits } from './pay.ts';
import { learnPayment, wantAnswer } from './payment.ts';

/** Settles an invoice by one answer about one attempt; late and repeated answers change nothing. */
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
