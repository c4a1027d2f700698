// The tax of a line item, as the caller states it: included in the stated amount or added to it.
// Nothing here knows a rate. Pure; amounts are minor units. [G-89]
import { displayAmount } from '../../../core/currency.ts';
import { proportionOf } from '../../../core/money.ts';
import type { AgreedLineItem } from './sale-terms.ts';
import type { LineBody, TaxRecord, TaxSums } from './schema.ts';

/** What the buyer pays for a line item of a request: its amount, and tax that is added to it. */
export function grossOf({ amount, tax }: Pick<LineBody, 'amount' | 'tax'>): number {
  return tax === undefined || tax.inclusive === true ? amount : amount + tax.amount;
}

/** The amount of a line item as it was stated: without tax that was added to it. */
export function statedAmount({ amount, tax }: Pick<AgreedLineItem, 'amount' | 'tax'>): number {
  return tax === undefined || tax.inclusive ? amount : amount - tax.amount;
}

/** A tax as records show it. */
export function shownTax(
  { amount, inclusive = false, description = '' }: NonNullable<LineBody['tax']>,
  currency: string,
): TaxRecord {
  return { amount, display_amount: displayAmount(amount, currency), inclusive, description };
}

/** The total without tax and the tax of line items; nothing where none of them states a tax. */
export function taxSums(
  lines: readonly { readonly tax?: { readonly amount: number } | undefined }[],
  total: number,
  currency: string,
): TaxSums {
  if (lines.every((line) => line.tax === undefined)) return {};
  const tax = lines.reduce((sum, line) => sum + (line.tax?.amount ?? 0), 0);
  const sum = (total_amount: number) => {
    return { total_amount, currency, display_amount: displayAmount(total_amount, currency) };
  };
  return { subtotal: sum(total - tax), tax: sum(tax) };
}

/** What was returned of a line item, and what of that was tax. */
export interface ReturnedOfLine {
  readonly amount: number;
  readonly tax: number;
}

const NOTHING: ReturnedOfLine = { amount: 0, tax: 0 };

/**
 * What of `amount`, returned of a line item after `before`, is tax: as much as makes all that was
 * returned hold the tax's proportion, rounded half up. It is never more than what is left of the
 * tax or of the amount, and returning the rest returns the rest of the tax.
 */
export function taxWithin(
  line: Pick<AgreedLineItem, 'amount' | 'tax'>,
  amount: number,
  before: ReturnedOfLine = NOTHING,
): number {
  const tax = line.tax?.amount ?? 0;
  const left = tax - before.tax;
  const netLeft = line.amount - before.amount - left;
  const due = proportionOf(tax, before.amount + amount, line.amount) - before.tax;
  return Math.min(Math.max(due, amount - netLeft, 0), amount, left);
}
