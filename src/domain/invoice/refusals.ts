// The refusals of invoices, in order of precedence.
import { defineRefusals } from '../../kernel/refusal.ts';
import { accountNotFoundInBody, refusals as account } from '../account/index.ts';
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
    sentence: 'An escrow was authorized and an invoice is asked for, or the other way round.',
    cites: 'G-45',
  },
  CURRENCY_MIXED: {
    ...input,
    sentence: 'All lines and recipients of an invoice have one currency.',
    cites: 'G-30',
  },
  INVOICE_TOTAL_TOO_LARGE: {
    ...input,
    sentence: 'The total of the lines is larger than an invoice can carry.',
    cites: 'G-30',
  },
  RECIPIENTS_NOT_ALLOWED: {
    ...input,
    sentence: 'A user_to_integrator line has no recipients.',
    cites: 'seed: POST /v2/invoice',
  },
  RECIPIENTS_REQUIRED: {
    ...input,
    sentence: 'A user_to_user line needs at least one recipient.',
    cites: 'G-46',
  },
  LINE_AMOUNT_MISMATCH: {
    ...input,
    sentence: "A line's amount is the sum of its recipients' amounts and their fees.",
    cites: 'G-30',
  },
  RECIPIENT_FEE_AMBIGUOUS: {
    ...input,
    sentence: 'A recipient states its fee as a percentage or as an amount, not both.',
    cites: 'G-46',
  },
  WALLET_CURRENCY_MISMATCH: {
    ...input,
    sentence: 'A wallet has another currency than its line.',
    cites: 'G-30',
  },
  SOURCE_WALLET_NOT_ALLOWED: {
    ...input,
    sentence: 'Recipients are paid out of a wallet of the integrator, never out of a user\'s.',
    cites: 'G-32',
  },
  SELF_PAYMENT: {
    ...input,
    sentence: 'A buyer cannot pay into their own wallet.',
    cites: 'G-32',
  },
  PAYMENT_METHOD_REQUIRED: {
    ...input,
    sentence: 'An invoice with a positive total needs a payment method.',
    cites: 'G-31',
  },
  PAYMENT_METHOD_REPEATED: {
    ...input,
    sentence: 'Each payment method is named once.',
    cites: 'G-31',
  },
  PAYMENT_METHOD_CURRENCY_MISMATCH: {
    ...input,
    sentence: 'A payment method cannot pay in this currency.',
    cites: 'G-31',
  },
  PAYMENT_AMOUNT_REQUIRED: {
    ...input,
    sentence: 'With several payment methods each one states its amount; the remainder is 0.',
    cites: 'G-31',
  },
  PAYMENT_REMAINDER_AMBIGUOUS: {
    ...input,
    sentence: 'Exactly one of several payment methods has the amount 0 and takes the remainder.',
    cites: 'seed: Limits',
  },
  PAYMENT_AMOUNTS_MISMATCH: {
    ...input,
    sentence: 'The amounts of the payment methods do not fit the total.',
    cites: 'G-31',
  },
  AUTHORIZED_INVOICE_USED: {
    ...input,
    sentence: 'What was authorized is being paid, or was.',
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
    sentence: 'This payment was begun too many times; ask the seller for a new link.',
    act: 'user',
    retry: false,
    cites: 'G-45',
  },
  INVOICE_SUPERSEDED: {
    ...input,
    sentence: 'The invoice was replaced by a later one, made from the same authorized invoice.',
    cites: 'G-45',
  },
  INVOICE_BELONGS_TO_ESCROW: {
    ...input,
    sentence: 'The invoice is part of an escrow, which is paid, committed and cancelled as one.',
    cites: 'G-35',
  },
  INVOICE_NOT_OPEN: {
    ...input,
    sentence: 'The invoice is not open: it was paid or failed before.',
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
