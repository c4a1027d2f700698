// The command that records the processor's answer about one part of a refund. A refused part is the
// integrator's money again and can be refunded again. [M12]
import { EngineFault, type Command, type Decision } from '../../../engine/index.ts';
import { systemAccount } from '../../../ledger/index.ts';
import { learnReturn, loadReturn } from '../invoice/index.ts';
import { transfersOfResource, type TransferAnswer } from '../wallet/index.ts';
import { refundMachine } from './machine.ts';
import { invoiceRequestOf, refusedOf } from './render.ts';
import { refundByReturn, refundTable, type RefundRow } from './tables.ts';
import { saveRefunded, refundedIn, readRefunded } from './refunded-row.ts';
import { counted, taxIn } from './refunded.ts';

/** Settles a refund by one answer about one part; late and repeated answers change nothing. */
export const settleRefund: Command<TransferAnswer> = {
  name: 'settle_refund',
  batchable: true,
  highPriority: true,
  load(rows, answer) {
    const invoiceId = loadReturn(rows, answer);
    if (invoiceId === null) return;
    for (const refund of rows.find(refundByReturn, invoiceId)) {
      rows.lock(refundTable, refund.id);
      readRefunded(rows, refund.invoice_id);
    }
  },
  decide(decision, answer) {
    const end = learnReturn(decision, answer, false);
    if (end === null) return { status: 200, payload: null };
    const [refund] = decision.find(refundByReturn, end.invoiceId);
    if (refund === undefined) throw new EngineFault('a refund invoice has no refund');
    if (end.standing === 'success') {
      decision.move(refundMachine, refundTable, refund.id, 'succeed', 'REFUND-SUCCESS');
    } else {
      fail(decision, refund, end.unsent);
    }
    return { status: 200, payload: null };
  },
};

function fail(decision: Decision, refund: RefundRow, unsent: bigint): void {
  const { id, invoice_id, refund_invoice_id, currency, amount } = refund;
  const declined = decision
    .find(transfersOfResource, refund_invoice_id)
    .filter((one) => one.state === 'declined');
  const refused = declined.map((one) => one.payment_method_id);
  const failure_code = declined[0]?.failure_code ?? 'processing_error';
  const detail = { failure_code, refused };
  const kept = refusedOf(invoiceRequestOf(refund), refused);
  const tax = BigInt(taxIn(kept));
  const left = counted(refundedIn(decision, invoice_id), kept, -1);
  saveRefunded(decision, invoice_id, null, left);
  const patch = { counted: amount - unsent };
  const to = 'REFUND-FAILED';
  const version = decision.move(refundMachine, refundTable, id, 'fail', to, patch, detail);
  decision.post(id, version, [
    systemAccount(decision.lineage, 'refund_pending', currency, -unsent),
    systemAccount(decision.lineage, 'integrator_share', currency, unsent - tax),
    systemAccount(decision.lineage, 'tax_collected', currency, tax),
  ]);
}
