// What a payout costs: one row for each provider that can be paid out to. Pure. The interface says
// that a fee is computed and shown before, not how much it is; these are ours. [G-43]
import { feeOf } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import { refusals } from './refusals.ts';

/** Fractions of the amount, as decimals; a provider without a row cannot be paid out to. */
export const PAYOUT_FEES: Readonly<Record<string, string>> = {
  ach: '0.01',
  paypal: '0.05',
};

/** What the person pays and what the receiver gets, in minor units; together the amount. */
export interface PayoutPrice {
  readonly fee: bigint;
  readonly net: bigint;
}

/** The price at a fraction, rounded half up. Refuses an amount of which nothing would be left. */
export function priceAt(fraction: string, amount: bigint): PayoutPrice {
  const fee = feeOf(amount, fraction);
  if (fee >= amount) {
    throw refuse(refusals.PAYOUT_TOO_SMALL, { amount: 'is no more than the fee' });
  }
  return { fee, net: amount - fee };
}

/** The price of a payout to a provider; refuses one that cannot be paid out to. */
export function priceOf(provider: string, amount: bigint): PayoutPrice {
  const fraction = PAYOUT_FEES[provider];
  if (fraction === undefined) {
    throw refuse(refusals.PAYOUT_DESTINATION_NOT_ALLOWED, {
      destination_payment_method_id: 'is neither a bank nor a PayPal-like account',
    });
  }
  return priceAt(fraction, amount);
}
