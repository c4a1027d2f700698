// The refusals of refunds, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';
import { refusals as invoice } from '../invoice/index.ts';

const own = defineRefusals({
  REFUND_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such refund.'),
  LINE_ITEM_NOT_FOUND: no(400, 'caller', 'G-11',
    'The line item does not exist, or its invoice cannot be refunded.'),
  INVOICE_NOT_REFUNDABLE: no(400, 'caller', 'G-43',
    'Only a paid invoice can be refunded; a refund itself cannot.'),
  INVOICE_NOTHING_TO_REFUND: no(400, 'caller', 'G-43',
    'Nothing was charged for the invoice, so there is nothing to refund.'),
  INVOICE_ALREADY_REFUNDED: no(400, 'caller', 'M12',
    'The full amount has been refunded or charged back, or its refund is in progress.'),
  PAYMENT_METHOD_NOT_USED: no(400, 'caller', 'G-43',
    'The payment method was not charged for this invoice.'),
  REFUND_TOO_LARGE: no(400, 'caller', 'M12',
    'The amount exceeds what can still be refunded of the line item or the charge.'),
  REFUND_METHOD_EXCEEDED: no(400, 'caller', 'M12',
    'The amount exceeds what can still be refunded to the listed payment methods.'),
  REFUND_NOT_WAITING: no(400, 'caller', 'G-43',
    'Only a refund that is waiting for funds can be withdrawn.'),
});

/** For an invoice named by the path. */
export const invoiceNotFound = invoice.INVOICE_NOT_FOUND;

/** All of them, with those of invoices. */
export const refusals = {
  ...own,
  INVOICE_NOT_FOUND: { ...invoice.INVOICE_NOT_FOUND, status: 400 },
  INVOICE_BELONGS_TO_ESCROW: invoice.INVOICE_BELONGS_TO_ESCROW,
  PAYMENT_METHOD_REPEATED: invoice.PAYMENT_METHOD_REPEATED,
};
