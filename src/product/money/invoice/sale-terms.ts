// The terms of a sale, fixed when its invoice is created; the wire record and the money allocation
// are derived from them. Absent facts are left out. Amounts are minor units, whole numbers below
// 2^53; ids are UUIDs, except account ids, which keep their wire form. How they are stored is in
// stored-terms.ts.
import type { Instant } from '../../../core/time.ts';
import type { ReserveTerms } from '../../context.ts';
import type { StatedLine, StatedName } from './stated.ts';

export const TRANSACTION_TYPES = ['user_to_user', 'user_to_integrator'] as const;

/** A seller's part of a line item. */
export interface AgreedRecipient extends StatedName {
  /** The id of its subitem. */
  readonly id: string;
  readonly amount: number;
  readonly wallet: string;
  /**
   * The restricted ledger account that takes the credit while the seller is not eligible for it.
   * [G-38]
   */
  readonly kept_back: string;
  readonly account_id: string;
  readonly method: string;
  /** A wallet of the integrator, where the request named one. [G-32] */
  readonly source?: string | undefined;
  readonly fee?: AgreedFee | undefined;
}

/** The integrator's fee, taken out of the line item beside the recipient's amount. */
export interface AgreedFee {
  readonly id: string;
  readonly amount: number;
  readonly description?: string | undefined;
}

/** The tax in the amount of a line item. [G-89] */
export interface AgreedTax {
  /** The id of its subitem; absent on an invoice that returns a charge. */
  readonly id?: string | undefined;
  readonly amount: number;
  /** True: the amount that was stated held it; false: it was added to that. */
  readonly inclusive: boolean;
  readonly description?: string | undefined;
}

export interface AgreedLineItem extends StatedLine {
  readonly id: string;
  /** What the buyer pays for it, tax included. */
  readonly amount: number;
  readonly tax?: AgreedTax | undefined;
  /** The subitem of the integrator's share; set on a user_to_integrator line item. */
  readonly share?: string | undefined;
  /**
   * The transaction_type of a line item without recipients of its own, as on a cancel or refund
   * invoice.
   */
  readonly type?: (typeof TRANSACTION_TYPES)[number] | undefined;
  readonly recipients: readonly AgreedRecipient[];
}

/** The amount that one payment method pays. */
export interface AgreedMethod {
  readonly id: string;
  /** The id of its payment subitem; for a card also that of its payment attempt. */
  readonly subitem: string;
  readonly amount: number;
  /** The wallet that is debited; absent for a card. */
  readonly wallet?: string | undefined;
  /** The processor's token of the card; absent for a wallet. */
  readonly token?: string | undefined;
}

/** An amount that goes back to a method which was charged. */
export interface AgreedReturn {
  /** The payment method that receives it. */
  readonly id: string;
  /**
   * The id of its refund subitem; also of the outbound transfer, where the processor sends the
   * money.
   */
  readonly subitem: string;
  readonly amount: number;
  /** The wallet that is credited; absent where the processor sends the money. */
  readonly wallet?: string | undefined;
  /** The id of the charge that is refunded; absent for a wallet. */
  readonly charge?: string | undefined;
}

/** Absent for a sale; the other kinds belong to an escrow or to a refund. */
export type InvoiceKind = 'escrow' | 'commit' | 'cancel' | 'refund';

export interface SaleTerms extends StatedName {
  readonly kind?: InvoiceKind | undefined;
  /** The escrow of an escrow, commit or cancel invoice. */
  readonly escrow?: string | undefined;
  /** The invoice whose charge is refunded (cancel, refund) or paid out (commit). */
  readonly of?: string | undefined;
  /** The authorized invoice that it was created from. [G-45] */
  readonly authorized?: string | undefined;
  /** What of the sellers' earnings is restricted, as the tenant had set it. [G-93] */
  readonly reserve?: ReserveTerms | undefined;
  /** Only on a cancel or refund invoice. */
  readonly returns?: readonly AgreedReturn[] | undefined;
  readonly account_id: string;
  readonly currency: string;
  readonly total: number;
  readonly created: Instant;
  readonly lines: readonly AgreedLineItem[];
  readonly methods: readonly AgreedMethod[];
}
