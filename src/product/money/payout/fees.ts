// What a payout costs, by provider. The interface requires a fee that is shown before, but not its
// amount; these are ours. Pure. [G-43]
import { feeOf } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import { refusals } from './refusals.ts';

/** Fractions of the amount, as decimals; a provider without a row takes no payouts. */
export const PAYOUT_FEES: Readonly<Record<string, string>> = {
  ach: '0.01',
  paypal: '0.05',
  bank: '0.01',
  payee: '0.01',
};

/** What the person pays and what the receiver gets, in minor units; their sum is the amount. */
export interface PayoutPrice {
  readonly fee: bigint;
  readonly net: bigint;
}

/** The price at a fraction, rounded half up. Throws a Refusal where nothing would be left. */
export function priceAt(fraction: string, amount: bigint): PayoutPrice {
  const fee = feeOf(amount, fraction);
  if (fee >= amount) {
    throw refuse(refusals.PAYOUT_TOO_SMALL, { amount: 'must be larger than the fee' });
  }
  return { fee, net: amount - fee };
}

/** The price of a payout to a provider. Throws a Refusal for a provider that takes no payouts. */
export function priceOf(provider: string, amount: bigint): PayoutPrice {
  const fraction = PAYOUT_FEES[provider];
  if (fraction === undefined) {
    throw refuse(refusals.PAYOUT_DESTINATION_NOT_ALLOWED, {
      destination_payment_method_id: 'must be a bank or PayPal-like account',
    });
  }
  return priceAt(fraction, amount);
}
