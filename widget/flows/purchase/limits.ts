// Up to which amount a kind of method can be used. [public-facts 4.3]
import { minorDigits } from '../kit/money-text.ts';
import type { Bill, PaymentMethod } from '../methods/choice.ts';

/** Most whole currency units of one card payment. */
const CARD_LIMIT = 10_000;

/** True if a method of this provider can pay that much; without a bill all can. */
export function withinLimit(provider: string, bill: Bill | null): boolean {
  if (bill === null || provider !== 'card') return true;
  return bill.total <= CARD_LIMIT * 10 ** minorDigits(bill.currency);
}

/** Methods other than the wallet that can pay it. */
export function purchaseMethods(methods: readonly PaymentMethod[], bill: Bill | null) {
  return methods.filter(
    ({ provider }) => provider !== 'wallet' && withinLimit(provider, bill),
  );
}
