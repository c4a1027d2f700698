// What a page said that it will charge. Pure. [public-facts 4.3]
import type { FlowConfig } from '../../protocol.ts';
import type { Bill } from './choice.ts';

/** The bill of `transactionDetails`; null: the page did not say. */
export function billOf({ transactionDetails }: FlowConfig): Bill | null {
  const { transaction_amount: total, currency } = transactionDetails ?? {};
  return total === undefined || currency === undefined ? null : { total, currency };
}
