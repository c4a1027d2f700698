// What a page says it will charge. [public-facts 4.3]
import type { FlowConfig } from '../../protocol.ts';
import { moneyText } from '../kit/money-text.ts';
import type { Bill } from './choice.ts';
import { t } from '../texts.ts';

/** The bill in `transactionDetails`; null if the page gave none. */
export function billOf({ transactionDetails }: FlowConfig): Bill | null {
  const { transaction_amount: total, currency } = transactionDetails ?? {};
  return total === undefined || currency === undefined ? null : { total, currency };
}

/** What the methods are chosen for. */
export function leadOf({ total, currency }: Bill): string {
  return t('methods.title_for', { amount: moneyText(total, currency) });
}
