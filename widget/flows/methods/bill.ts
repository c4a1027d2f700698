// What a page says it will charge. [public-facts 4.3]
import type { FlowConfig } from '../../protocol.ts';
import type { Bill } from './choice.ts';

/** The bill in `transactionDetails`; null if the page gave none. */
export function billOf({ transactionDetails }: FlowConfig): Bill | null {
  const { transaction_amount: total, currency } = transactionDetails ?? {};
  return total === undefined || currency === undefined ? null : { total, currency };
}
