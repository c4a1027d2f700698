// The refusals of invoices, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';
import { accountNotFoundInBody, refusals as account } from '../../people/account/index.ts';
import { refusals as wallet } from '../wallet/index.ts';

const input = { status: 400, act: 'caller', retry: false } as const;

const own = defineRefusals({
  INVOICE_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such invoice.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  AUTHORIZED_INVOICE_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such authorized invoice.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  AUTHORIZED_INVOICE_KIND_MISMATCH: {
    ...input,
    sentence: 'The authorization is for an escrow and cannot create an invoice, or the reverse.',
    cites: 'G-45',
  },
  CURRENCY_MIXED: {
    ...input,
    sentence: 'All line items and recipients of an invoice must have the same currency.',
    cites: 'G-30',
  },
  INVOICE_TOTAL_TOO_LARGE: {
    ...input,
    sentence: 'The total of the line items exceeds the maximum amount of an invoice.',
    cites: 'G-30',
  },
  RECIPIENTS_NOT_ALLOWED: {
    ...input,
    sentence: 'A user_to_integrator line item must not have recipients.',
    cites: 'seed: POST /v2/invoice',
  },
  RECIPIENTS_REQUIRED: {
    ...input,
    sentence: 'A user_to_user line item requires at least one recipient.',
    cites: 'G-46',
  },
  LINE_AMOUNT_MISMATCH: {
    ...input,
    sentence: "The amount of a line item must equal the sum of its recipients' amounts and fees.",
    cites: 'G-30',
  },
  RECIPIENT_FEE_AMBIGUOUS: {
    ...input,
    sentence: 'The fee of a recipient must be a percentage or an amount, not both.',
    cites: 'G-46',
  },
  WALLET_CURRENCY_MISMATCH: {
    ...input,
    sentence: 'The currency of a wallet does not match the currency of its line item.',
    cites: 'G-30',
  },
  SOURCE_WALLET_NOT_ALLOWED: {
    ...input,
    sentence: 'The source wallet of a recipient must be a wallet of the integrator.',
    cites: 'G-32',
  },
  SELF_PAYMENT: {
    ...input,
    sentence: 'A buyer cannot pay into their own wallet.',
    cites: 'G-32',
  },
  PAYMENT_METHOD_REQUIRED: {
    ...input,
    sentence: 'An invoice with a positive total requires a payment method.',
    cites: 'G-31',
  },
  PAYMENT_METHOD_REPEATED: {
    ...input,
    sentence: 'Each payment method can be listed only once.',
    cites: 'G-31',
  },
  PAYMENT_METHOD_CURRENCY_MISMATCH: {
    ...input,
    sentence: 'A payment method does not support this currency.',
    cites: 'G-31',
  },
  PAYMENT_AMOUNT_REQUIRED: {
    ...input,
    sentence:
      'With several payment methods, each needs an amount; 0 means that it pays the remainder.',
    cites: 'G-31',
  },
  PAYMENT_REMAINDER_AMBIGUOUS: {
    ...input,
    sentence:
      'With several payment methods, exactly one must have the amount 0 to pay the remainder.',
    cites: 'seed: Limits',
  },
  PAYMENT_AMOUNTS_MISMATCH: {
    ...input,
    sentence: 'The amounts of the payment methods do not match the total.',
    cites: 'G-31',
  },
  AUTHORIZED_INVOICE_USED: {
    ...input,
    sentence: 'This authorized invoice has been paid, or a payment is in progress.',
    cites: 'G-45',
  },
  AUTHORIZED_INVOICE_EXPIRED: {
    status: 410,
    sentence: 'The authorized invoice has expired.',
    act: 'caller',
    retry: false,
    cites: 'G-45',
  },
  AUTHORIZED_INVOICE_LIMIT: {
    status: 400,
    sentence: 'This payment was started too many times. Ask the seller for a new link.',
    act: 'user',
    retry: false,
    cites: 'G-45',
  },
  INVOICE_SUPERSEDED: {
    ...input,
    sentence: 'The invoice was replaced by a newer one from the same authorized invoice.',
    cites: 'G-45',
  },
  INVOICE_BELONGS_TO_ESCROW: {
    ...input,
    sentence: 'The invoice belongs to an escrow. Pay, commit or cancel the escrow instead.',
    cites: 'G-35',
  },
  INVOICE_NOT_OPEN: {
    ...input,
    sentence: 'The invoice is not open: it is being paid, was paid or has failed.',
    cites: 'G-33',
  },
});

/** All of them, with those of the modules that an invoice builds on. */
export const invoiceRefusals = {
  ...own,
  AUTHORIZED_INVOICE_UNKNOWN: { ...own.AUTHORIZED_INVOICE_NOT_FOUND, status: 400 },
  ACCOUNT_NOT_FOUND: accountNotFoundInBody,
  ACCOUNT_BLOCKED: account.ACCOUNT_BLOCKED,
  CURRENCY_NOT_ENABLED: wallet.CURRENCY_NOT_ENABLED,
  WALLET_NOT_FOUND: { ...wallet.WALLET_NOT_FOUND, status: 400 },
  PAYMENT_METHOD_NOT_FOUND: wallet.PAYMENT_METHOD_NOT_FOUND,
  PAYMENT_METHOD_NOT_ACTIVE: wallet.PAYMENT_METHOD_NOT_ACTIVE,
};
