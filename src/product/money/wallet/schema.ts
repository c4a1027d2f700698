// Records of payment methods, deposits and wallets: the one place where their wire fields are
// spelled.
import { z } from 'zod';
import { displayAmount } from '../../../core/currency.ts';
import { accountId } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { invoiceTime, methodTime } from '../../../core/time.ts';
import { depositMachine } from './machine.ts';
import { METHOD_STATES, PROVIDERS, type DepositRow, type PaymentMethodRow } from './tables.ts';

/** [seed: Payment method state] */
export const methodState = z.enum(METHOD_STATES);

/** [seed: Payment method record, G-47] */
export const paymentMethodRecord = z.strictObject({
  id: z.string(),
  account_id: z.string(),
  method_class: z.string(),
  display_string: z.string(),
  provider: z.enum(PROVIDERS),
  psp_reference: z.string(),
  psp_hash_code: z.string(),
  processing_currency: z.string(),
  pm_state: methodState,
  integrator: z.string(),
  created: z.string(),
  updated: z.string(),
  wallet_balance: z.string(),
  payment_method_id: z.string(),
  provider_data: z.union([
    z.strictObject({ wallet_id: z.string(), wallet_balance: z.string(), balance: z.int() }),
    z.strictObject({}),
  ]),
  expires: z.string().optional().meta({
    description: 'The last month in which a card is valid, `YYYY-MM`; absent: not known.',
  }),
  is_default: z.literal(true).optional().meta({
    description: 'Its owner made it the default; absent: no.',
  }),
  kept: z.literal(false).optional().meta({
    description: 'Entered for one checkout, not kept: it pays that sale only; absent: kept.',
  }),
});
export type PaymentMethodRecord = z.output<typeof paymentMethodRecord>;

/**
 * Renders a payment method. `balance` is in minor units; ignored for a card. `isDefault`: the
 * account's default.
 */
export function paymentMethod(
  row: PaymentMethodRow,
  balance: bigint,
  integrator: string,
  isDefault = false,
): PaymentMethodRecord {
  const amount = row.wallet_id === null ? '0' : String(balance);
  return {
    id: row.id,
    account_id: accountId(row.account_id),
    method_class: row.method_class,
    display_string: row.display_string,
    provider: row.provider as PaymentMethodRecord['provider'],
    psp_reference: row.wallet_id ?? row.processor_token,
    psp_hash_code: '',
    processing_currency: row.currency,
    pm_state: row.pm_state as PaymentMethodRecord['pm_state'],
    integrator,
    created: methodTime(row.created),
    updated: methodTime(row.updated),
    wallet_balance: amount,
    payment_method_id: row.id,
    provider_data:
      row.wallet_id === null
        ? {}
        : { wallet_id: row.wallet_id, wallet_balance: amount, balance: toWire(balance) },
    ...(row.expires !== null && { expires: row.expires }),
    ...(isDefault && { is_default: true }),
    ...(row.only_for !== null && { kept: false }),
  };
}

/** Deposit record; also the message of deposit-completed. [G-49] */
export const depositRecord = z.strictObject({
  deposit_id: z.string(),
  account_id: z.string(),
  state: z.enum(depositMachine.states),
  deposit_payment_method_id: z.string(),
  deposit_provider: z.enum(['card', 'bank', 'sandbox']),
  destination_wallet_id: z.string(),
  request_amount: z.int(),
  request_currency: z.string(),
  received_amount: z.int(),
  received_currency: z.string(),
  fee_amount: z.int(),
  fee_currency: z.string(),
  failure_code: z.string(),
  created: z.string(),
  updated: z.string(),
});
export type DepositRecord = z.output<typeof depositRecord>;

/** The deposit in answers: adds where the buyer confirms while that is pending. [G-39] */
export const currentDepositRecord = depositRecord.extend({
  authentication_url: z.string().optional(),
  authentication_framed: z.literal(false).optional().meta({
    description: 'False: that page refuses to be framed; open it in a window of its own.',
  }),
}).meta({ title: 'Deposit' });

function providerOf(row: DepositRow): DepositRecord['deposit_provider'] {
  if (row.incoming_transfer_id !== null) return 'bank';
  return row.payment_method_id === null ? 'sandbox' : 'card';
}

/** The deposit record of a row. Absent texts and ids are ''. */
export function deposit(row: DepositRow): DepositRecord {
  const { currency } = row;
  return {
    deposit_id: row.id,
    account_id: row.account_id === null ? '' : accountId(row.account_id),
    state: row.state,
    deposit_payment_method_id: row.payment_method_id ?? '',
    deposit_provider: providerOf(row),
    destination_wallet_id: row.wallet_id,
    request_amount: toWire(row.amount),
    request_currency: currency,
    received_amount: row.state === 'success' ? toWire(row.amount) : 0,
    received_currency: currency,
    fee_amount: 0,
    fee_currency: currency,
    failure_code: row.failure_code ?? '',
    created: invoiceTime(row.created),
    updated: invoiceTime(row.updated),
  };
}

const money = z
  .strictObject({ balance: z.int(), display: z.string() })
  .meta({ title: 'BalanceAmount' });

/**
 * Balances of an account by currency. `kept_back` waits for verification, or is in reserve against
 * disputes: `reserve` says how much of it, absent for nothing. [G-38, G-93]
 */
export const balancesRecord = z.strictObject({
  account_id: z.string(),
  balances: z.record(
    z.string(),
    z
      .strictObject({
        spendable: money,
        spendable_balance: money,
        kept_back: money,
        reserve: money.optional(),
      })
      .meta({ title: 'Balance' }),
  ),
});

/** An amount in minor units with its display form; `digits` are the workspace's. */
export function moneyShown(
  amount: bigint,
  currency: string,
  digits: number,
): z.output<typeof money> {
  return { balance: toWire(amount), display: displayAmount(amount, currency, digits) };
}

export const walletRecord = z.strictObject({
  wallet_id: z.string(),
  account_id: z.string(),
  description: z.string(),
  currency: z.string(),
  current_balance: z.int(),
  active: z.boolean(),
  tags: z.array(z.unknown()),
});
