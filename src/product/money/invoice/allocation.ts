// The money allocation of an invoice: who is charged and who is paid. It is derived from the terms,
// and is all that the decision about a payment needs. Amounts are minor units.
import { uuidOfWireId } from '../../../core/ids.ts';
import type { ReserveTerms } from '../../context.ts';
import type { SaleTerms } from './sale-terms.ts';
import { saleTermsOf, type StoredTerms } from './stored-terms.ts';

/** The amount that one payment method is charged. */
export interface ChargePart {
  /** The id of its payment subitem; for a card also that of its payment attempt. */
  readonly id: string;
  readonly method: string;
  /** The wallet that is debited; '' for a card. */
  readonly wallet: string;
  /** The processor's token of the card; '' for a wallet. */
  readonly token: string;
  readonly amount: number;
}

/** The credit of one seller. */
export interface CreditPart {
  readonly owner: string;
  readonly wallet: string;
  /**
   * The restricted ledger account that takes the credit while the seller is not eligible for it.
   * [G-38]
   */
  readonly restricted: string;
  readonly amount: number;
}

/**
 * Who is charged and who is paid. The charges sum to the total; so do the credits, the
 * integrator's part and the tax.
 */
export interface Allocation {
  /** The buyer's account. */
  readonly buyer: string;
  readonly currency: string;
  readonly total: number;
  readonly charges: readonly ChargePart[];
  readonly credits: readonly CreditPart[];
  /** The integrator's own line items and fees. */
  readonly integrator: number;
  /** The tax of all line items. [G-89] */
  readonly tax: number;
  /** What of the credits is restricted; absent: nothing. [G-93] */
  readonly reserve?: ReserveTerms | undefined;
}

const plans = new WeakMap<object, Allocation>();

/** The allocation of a document row, made once for each row in memory, without zero parts. */
export function allocationOf(row: StoredTerms): Allocation {
  let allocation = plans.get(row);
  if (allocation === undefined) plans.set(row, (allocation = allocationIn(saleTermsOf(row))));
  return allocation;
}

/** The allocation of terms, without zero parts. */
export function allocationIn(terms: SaleTerms): Allocation {
  const { account_id, currency, total, lines, methods, reserve } = terms;
  const charges: ChargePart[] = [];
  for (const { id, subitem, amount, wallet = '', token = '' } of methods) {
    if (amount > 0) charges.push({ id: subitem, method: id, wallet, token, amount });
  }
  const credits: CreditPart[] = [];
  let integrator = 0;
  let tax = 0;
  for (const line of lines) {
    const ofLine = line.tax?.amount ?? 0;
    tax += ofLine;
    if (line.share !== undefined) integrator += line.amount - ofLine;
    for (const { account_id: seller, wallet, kept_back, amount, fee } of line.recipients) {
      integrator += fee?.amount ?? 0;
      const part = { owner: uuidOf(seller), wallet, restricted: kept_back, amount };
      if (amount > 0) credits.push(part);
    }
  }
  const buyer = uuidOf(account_id);
  return { buyer, currency, total, charges, credits, integrator, tax, reserve };
}

function uuidOf(accountId: string): string {
  const id = uuidOfWireId('acct', accountId);
  if (id === null) throw new Error('an agreement names an account that is none');
  return id;
}
