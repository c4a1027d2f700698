// How a person pays who accepts what is proposed: by wallet if it is enough, else by the first
// other method.
import type { PaymentMethod } from './generated.ts';

/** One element of `payment_methods`; amount 0 takes the rest. [seed: POST /v2/invoice] */
export interface PaymentPart {
  readonly payment_method_id: string;
  readonly amount: number;
}

/** What is to be paid, in minor units. */
export interface Bill {
  readonly total: number;
  readonly currency: string;
}

/** The same proposal as the pages make. Throws if the account has nothing to pay with. */
export function chosenParts(
  methods: readonly PaymentMethod[],
  bill: Bill | null,
  wallets: boolean,
): readonly PaymentPart[] {
  if (bill?.total === 0) return [];
  const usable = methods.filter(
    ({ pm_state, processing_currency: currency }) =>
      pm_state === 'ACTIVE' && (bill === null || currency === bill.currency),
  );
  const wallet = usable.find(
    (one) => one.provider === 'wallet' && Number(one.wallet_balance) >= (bill?.total ?? Infinity),
  );
  const other = usable.find(({ provider }) => provider !== 'wallet');
  const chosen = wallets ? (wallet ?? other) : other;
  if (chosen === undefined) throw new Error('the account has no method that can pay; add one');
  return [{ payment_method_id: chosen.id, amount: 0 }];
}
