// The sentence for each scope that needs consent, as the person reads it. Every scope that a
// session can hold and that concerns the person's data needs one here. [G-12]

/** By scope. A scope that is not listed shows nobody's data and acts for nobody. */
const SENTENCES: Readonly<Record<string, string>> = {
  read_invoice: 'See this order and its payment status.',
  write_invoice: 'Charge you for the order that you confirm.',
  read_invoices: 'See your purchases, sales and payouts, and their status.',
  read_process_credits: 'See your payouts and their status.',
  write_process_credits: 'Send and cancel payouts that you request.',
  read_payment_method: 'See and use your saved payment methods.',
  write_payment_method: 'Save, rename and remove payment methods for you.',
  read_kyc: 'See whether your identity was verified, and the data you submitted for it.',
  read_kycs: 'See the status of your identity verification.',
  deliver_escrow: 'Tell buyers that you delivered what you sold.',
  release_escrow: 'Release money that is held for your purchases to their sellers.',
  verify_kyc: 'Submit your details to verify your identity.',
  write_disagreements:
    'Open a disagreement about an order whose money is held, and speak for you in it.',
};

export interface AskedScope {
  readonly scope: string;
  readonly sentence: string;
}

/** Those of the scopes that need consent, each once, in byte order. */
export function askedOf(scopes: readonly string[]): AskedScope[] {
  return [...new Set(scopes)].toSorted().flatMap((scope) => {
    const sentence = Object.hasOwn(SENTENCES, scope) ? SENTENCES[scope] : undefined;
    return sentence === undefined ? [] : [{ scope, sentence }];
  });
}
