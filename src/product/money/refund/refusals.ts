// The refusals of refunds, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';
import { refusals as invoice } from '../invoice/index.ts';

const input = { status: 400, act: 'caller', retry: false } as const;

const own = defineRefusals({
  REFUND_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such refund.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  LINE_ITEM_NOT_FOUND: {
    ...input,
    sentence: 'The line item does not exist, or its invoice cannot be refunded.',
    cites: 'G-11',
  },
  INVOICE_NOT_REFUNDABLE: {
    ...input,
    sentence: 'Only a paid invoice can be refunded; a refund itself cannot.',
    cites: 'G-43',
  },
  INVOICE_NOTHING_TO_REFUND: {
    ...input,
    sentence: 'Nothing was charged for the invoice, so there is nothing to refund.',
    cites: 'G-43',
  },
  INVOICE_ALREADY_REFUNDED: {
    ...input,
    sentence: 'The full amount has been refunded or charged back, or its refund is in progress.',
    cites: 'M12',
  },
  PAYMENT_METHOD_NOT_USED: {
    ...input,
    sentence: 'The payment method was not charged for this invoice.',
    cites: 'G-43',
  },
  REFUND_TOO_LARGE: {
    ...input,
    sentence: 'The amount exceeds what can still be refunded of the line item or the charge.',
    cites: 'M12',
  },
  REFUND_METHOD_EXCEEDED: {
    ...input,
    sentence: 'The amount exceeds what can still be refunded to the listed payment methods.',
    cites: 'M12',
  },
  REFUND_NOT_WAITING: {
    ...input,
    sentence: 'Only a refund that is waiting for funds can be withdrawn.',
    cites: 'G-43',
  },
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
