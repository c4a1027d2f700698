// The money plan of an invoice: who is charged, who is paid. Small, immutable, and all that a
// payment's decision needs of the document. Amounts are minor units; as JSON they are integers
// below 2^53.

/** One payment method's part. */
export interface ChargePart {
  /** Id of its payment subitem, and of the attempt that asks a card for it. */
  readonly id: string;
  readonly method: string;
  /** The wallet that is debited; '' for a card. */
  readonly wallet: string;
  /** The processor's token of the card; '' for a wallet. */
  readonly token: string;
  readonly amount: number;
}

/** One seller's credit. */
export interface CreditPart {
  readonly wallet: string;
  /** The ledger account that takes the credit while the seller may not accrue. [G-38] */
  readonly keptBack: string;
  readonly amount: number;
}

/**
 * Who is charged and who is paid. The charges, and the credits with the integrator's, sum to total.
 */
export interface Plan {
  readonly currency: string;
  readonly total: number;
  readonly charges: readonly ChargePart[];
  readonly credits: readonly CreditPart[];
  /** Own lines and fees. */
  readonly integrator: number;
}

const parsed = new WeakMap<object, Plan>();

/** The plan of a document row; parsed once for each row in memory. */
export function planOf(row: { readonly plan: string }): Plan {
  let plan = parsed.get(row);
  if (plan === undefined) parsed.set(row, (plan = JSON.parse(row.plan) as Plan));
  return plan;
}
