// What a Stripe-shaped account sends to the bank of whoever runs it: all that is available, as one
// transfer; and what its own books say it holds.
import type { Account } from './account.ts';
import { newId } from './objects.ts';

/** Minor units of a currency at the processor, by its own books. */
export interface Held {
  readonly pending: number;
  readonly available: number;
}

/** What the account holds; `available` is what may be sent to the bank. */
export function heldAt(account: Account, currency: string): Held {
  const sums = { pending: 0, available: 0 };
  for (const { net, available_on, ...of } of account.transactions) {
    if (of.currency !== currency) continue;
    sums[available_on <= account.now() ? 'available' : 'pending'] += net;
  }
  return sums;
}

/** Sends what is available to the bank; null where there is nothing. */
export function payOut(
  account: Account,
  currency: string,
): { readonly id: string; readonly amount: number } | null {
  const { available: amount } = heldAt(account, currency);
  if (amount <= 0) return null;
  const id = newId('po');
  account.move(['payout', 'payout'], { amount: -amount, currency, source: id });
  // It leaves at once, unlike what buyers pay.
  const row = account.transactions.pop();
  if (row !== undefined) account.transactions.push({ ...row, available_on: row.created });
  const { live: livemode } = account;
  account.tell('payout.created', { id, object: 'payout', amount, currency, livemode });
  return { id, amount };
}
