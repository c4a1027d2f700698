// The money plan of an invoice: who is charged, who is paid. Derived from the agreement; all that a
// payment's decision needs. Amounts are minor units.
import { agreementOf } from './agreement.ts';

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

/** Who is charged and who is paid. The charges, and the credits with the integrator's, sum to total. */
export interface Plan {
  readonly currency: string;
  readonly total: number;
  readonly charges: readonly ChargePart[];
  readonly credits: readonly CreditPart[];
  /** Own lines and fees. */
  readonly integrator: number;
}

const plans = new WeakMap<object, Plan>();

/** The plan of a document row, made once for each row in memory; zero parts are left out. */
export function planOf(row: { readonly document: string }): Plan {
  let plan = plans.get(row);
  if (plan === undefined) plans.set(row, (plan = makePlan(row)));
  return plan;
}

function makePlan(row: { readonly document: string }): Plan {
  const { currency, total, lines, methods } = agreementOf(row);
  const charges: ChargePart[] = [];
  for (const { id, subitem, amount, wallet = '', token = '' } of methods) {
    if (amount > 0) charges.push({ id: subitem, method: id, wallet, token, amount });
  }
  const credits: CreditPart[] = [];
  let integrator = 0;
  for (const line of lines) {
    if (line.share !== undefined) integrator += line.amount;
    for (const { wallet, kept_back: keptBack, amount, fee } of line.recipients) {
      integrator += fee?.amount ?? 0;
      if (amount > 0) credits.push({ wallet, keptBack, amount });
    }
  }
  return { currency, total, charges, credits, integrator };
}
