// What was agreed when an invoice was made: every fact of it once, with absent ones left out.
// Immutable; the record of the wire and the money plan are both derived from it. Amounts are minor
// units, as JSON integers below 2^53; ids inside are UUIDs, those of accounts as on the wire.
import type { Instant } from '../../kernel/time.ts';

interface Named {
  readonly reference_type?: string | undefined;
  readonly reference_id?: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** A seller's part of a line. */
export interface AgreedRecipient extends Named {
  /** Id of its subitem. */
  readonly id: string;
  readonly amount: number;
  readonly wallet: string;
  /** The ledger account that takes the credit while the seller may not accrue. [G-38] */
  readonly kept_back: string;
  readonly account_id: string;
  readonly method: string;
  /** A wallet of the integrator, where one was named. [G-32] */
  readonly source?: string | undefined;
  readonly fee?: AgreedFee | undefined;
}

/** What the integrator keeps out of a recipient's line. */
export interface AgreedFee {
  readonly id: string;
  readonly amount: number;
  readonly description?: string | undefined;
}

export interface AgreedLine extends Named {
  readonly id: string;
  readonly amount: number;
  readonly product_sku?: string | undefined;
  /** Subitem of the integrator's share: then the line is user_to_integrator, else user_to_user. */
  readonly share?: string | undefined;
  /** Of a line that pays nobody again: its transaction_type. */
  readonly type?: 'user_to_user' | 'user_to_integrator' | undefined;
  readonly recipients: readonly AgreedRecipient[];
}

/** One payment method's part. */
export interface AgreedMethod {
  /** The payment method. */
  readonly id: string;
  /** Id of its payment subitem, and of the attempt that asks a card for it. */
  readonly subitem: string;
  readonly amount: number;
  /** The wallet that is debited; absent for a card. */
  readonly wallet?: string | undefined;
  /** The processor's token of the card; absent for a wallet. */
  readonly token?: string | undefined;
}

/** Money that goes back to a method which was charged. */
export interface AgreedReturn {
  /** The method that takes it. */
  readonly id: string;
  /** Id of its refund subitem, and of the remittance that sends it. */
  readonly subitem: string;
  readonly amount: number;
  /** The wallet that is credited; absent where the processor sends it. */
  readonly wallet?: string | undefined;
  /** The key of the charge that it gives back; absent for a wallet. */
  readonly charge?: string | undefined;
}

/** What an invoice is for: a sale where absent; the others belong to an escrow or to a refund. */
export type InvoiceKind = 'escrow' | 'commit' | 'cancel' | 'refund';

export interface Agreement extends Named {
  readonly kind?: InvoiceKind | undefined;
  /** The escrow that an escrow, commit or cancel invoice belongs to. */
  readonly escrow?: string | undefined;
  /** The invoice whose charge goes back or is paid on. */
  readonly of?: string | undefined;
  /** The authorized invoice that it was made from. [G-45] */
  readonly authorized?: string | undefined;
  /** Of a cancel or refund invoice. */
  readonly returns?: readonly AgreedReturn[] | undefined;
  readonly account_id: string;
  readonly currency: string;
  readonly total: number;
  readonly created: Instant;
  readonly lines: readonly AgreedLine[];
  readonly methods: readonly AgreedMethod[];
}

const known = new WeakMap<object, Agreement>();

/** The agreement of a document row; parsed once for each row in memory. */
export function agreementOf(row: { readonly document: string }): Agreement {
  let agreement = known.get(row);
  if (agreement === undefined) known.set(row, (agreement = JSON.parse(row.document) as Agreement));
  return agreement;
}
