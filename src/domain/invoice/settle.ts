// The command that learns an answer of the processor about one card part of an invoice. Notices,
// workers and the reconciler all come through here, so there is one way to learn an outcome.
import { EngineFault, type Command } from '../../engine/index.ts';
import {
  applyAnswer,
  attemptsOfResource,
  attemptTable,
  type AttemptAnswer,
} from '../wallet/index.ts';
import { accruesIn, failInvoice, succeedInvoice, wantBalances } from './pay.ts';
import { planOf } from './plan.ts';
import { releaseWalletParts, settleFromHolding } from './postings.ts';
import { invoiceDocumentTable, invoiceTable } from './tables.ts';

/** Settles an invoice by one answer about one attempt; late and repeated answers change nothing. */
export const settleInvoice: Command<AttemptAnswer> = {
  name: 'settle_invoice',
  batchable: true,
  critical: true,
  needs(want, { attemptId }) {
    const attempt = want.read(attemptTable, attemptId);
    if (!attempt) return;
    const siblings = want.find(attemptsOfResource, attempt.resource_id);
    const document = want.read(invoiceDocumentTable, attempt.resource_id);
    if (!document || siblings === undefined) return;
    for (const sibling of siblings) want.lock(attemptTable, sibling.id);
    want.lock(invoiceTable, attempt.resource_id);
    wantBalances(want, planOf(document));
  },
  decide(decision, answer) {
    const attempt = decision.get(attemptTable, answer.attemptId);
    const document =
      attempt === null ? null : decision.get(invoiceDocumentTable, attempt.resource_id);
    const invoice = attempt === null ? null : decision.get(invoiceTable, attempt.resource_id);
    if (document === null || invoice === null) throw new EngineFault('an attempt has no invoice');
    const progress = applyAnswer(decision, answer);
    const plan = planOf(document);
    if (invoice.state === 'processing' && progress.kind === 'succeeded') {
      const lines = settleFromHolding(decision.world, plan, accruesIn(decision));
      succeedInvoice(decision, invoice.id, lines);
    } else if (invoice.state === 'processing' && progress.kind === 'failed') {
      const version = failInvoice(decision, invoice.id, progress.code);
      decision.post(invoice.id, version, releaseWalletParts(decision.world, plan));
    }
    return { status: 200, payload: null };
  },
};
