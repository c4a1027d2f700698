// Request bodies, queries and the record of payouts: the one place where their wire fields are
// spelled. [G-43]
import { z } from 'zod';
import { displayAmount } from '../../../core/currency.ts';
import { accountId, derivedUuid } from '../../../core/ids.ts';
import { LINE_CAP, toWire } from '../../../core/money.ts';
import {
  currencyCode,
  numberText,
  optional,
  positiveAmount,
  strictObject,
  uuid,
  wireIdOf,
} from '../../../core/schema.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';
import { failureReason } from '../wallet/index.ts';
import type { PayoutPrice } from './fees.ts';
import { payoutMachine, type PayoutState } from './machine.ts';
import type { PayoutFacts } from './tables.ts';

const LIST_MAX = 100;
export const LIST_DEFAULT = 20;

/** Any text of this length passes; a malformed id is answered as unknown. */
const idInBody = z.string().max(36);

export const accountPath = strictObject({ account_id: wireIdOf('acct') });
export const payoutPath = strictObject({
  account_id: wireIdOf('acct'),
  payout_status_id: z.string(),
});

/** Body of POST /v2/{account_id}/payout. */
export const requestBody = strictObject({
  source_payment_method_id: idInBody,
  destination_payment_method_id: idInBody,
  amount: positiveAmount(),
  currency: currencyCode(),
});

export const listQuery = strictObject({
  limit: optional(numberText(1, LIST_MAX)),
  offset: optional(numberText(0, Number(LINE_CAP))),
});

export const quoteQuery = strictObject({
  amount: numberText(1, Number(LINE_CAP)),
  currency: currencyCode(),
  destination_payment_method_id: idInBody,
});

const price = {
  amount: z.int(),
  fee_amount: z.int(),
  net_amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  display_fee_amount: z.string(),
  display_net_amount: z.string(),
};

/** What a payout would cost. */
export const quoteRecord = strictObject({ destination_payment_method_id: uuid(), ...price });

/** A payout in answers and in payout-completed. */
export const payoutRecord = strictObject({
  payout_status_id: uuid(),
  credit_id: uuid(),
  account_id: z.string(),
  status: z.enum(payoutMachine.states),
  payout_flow: z.literal('STANDARD'),
  source_payment_method_id: uuid(),
  ...price,
  credit: strictObject({
    destination_payment_method_id: uuid(),
    amount: z.int(),
    currency: z.string(),
    display_amount: z.string(),
    status: z.enum(['CREATED', 'CANCELED', 'EXECUTED', 'EXECUTE-FAILED']),
  }),
  failure_code: z.string(),
  failure_reason: z.string(),
  created: z.string(),
  updated: z.string(),
}).meta({ title: 'Payout' });
export type PayoutRecord = z.output<typeof payoutRecord>;

/** The part of a payout that changes. */
export interface PayoutMoment {
  readonly state: PayoutState;
  readonly updated: Instant;
  readonly failure_code: string | null;
}

/** Renders the price of an amount in minor units. */
export function renderPrice(amount: bigint, { fee, net }: PayoutPrice, currency: string) {
  return {
    amount: toWire(amount),
    fee_amount: toWire(fee),
    net_amount: toWire(net),
    currency,
    display_amount: displayAmount(amount, currency),
    display_fee_amount: displayAmount(fee, currency),
    display_net_amount: displayAmount(net, currency),
  };
}

const CREDIT_STATUS: Readonly<Partial<Record<PayoutState, PayoutRecord['credit']['status']>>> = {
  SUCCESS: 'EXECUTED',
  FAILED: 'EXECUTE-FAILED',
  'SUPPORT-REJECT-TRANSFER-INITIATED': 'CANCELED',
  'SUPPORT-REJECTED': 'CANCELED',
  'SYSTEM-REJECTED': 'CANCELED',
};

/** The payout record at one moment. Without a failure its code and reason are ''. */
export function renderPayout(facts: PayoutFacts, moment: PayoutMoment): PayoutRecord {
  const { id, account_id, amount, fee_amount, currency } = facts;
  const net = amount - fee_amount;
  return {
    payout_status_id: id,
    credit_id: derivedUuid(`payout/${id}/credit`),
    account_id: accountId(account_id),
    status: moment.state,
    payout_flow: 'STANDARD',
    source_payment_method_id: facts.source_method_id,
    ...renderPrice(amount, { fee: fee_amount, net }, currency),
    credit: {
      destination_payment_method_id: facts.destination_method_id,
      amount: toWire(net),
      currency,
      display_amount: displayAmount(net, currency),
      status: CREDIT_STATUS[moment.state] ?? 'CREATED',
    },
    failure_code: moment.failure_code ?? '',
    failure_reason: reasonOf(moment.failure_code),
    created: invoiceTime(facts.created),
    updated: invoiceTime(moment.updated),
  };
}

/** Banks give no reason that could be passed on; the catalogue's own sentence would say less. */
function reasonOf(code: string | null): string {
  if (code === null) return '';
  if (code !== 'generic_error') return failureReason(code);
  return 'The receiving account did not take the money, or sent it back.';
}
