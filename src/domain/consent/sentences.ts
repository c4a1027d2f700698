// The sentence for each scope that needs consent, as the person reads it. Every scope that a
// session can hold and that concerns the person's data needs one here. [G-12]

/** By scope. A scope that is not listed shows nobody's data and acts for nobody. */
const SENTENCES: Readonly<Record<string, string>> = {
  read_invoice: 'See the order that you are asked to pay, and what became of it.',
  write_invoice: 'Pay the order that you confirm.',
  read_invoices: 'See what you bought, sold and had paid out, and what became of it.',
  read_process_credits: 'See your payouts, and what became of them.',
  write_process_credits: 'Pay out money that you ask for, and take a payout back.',
  read_payment_method: 'See and use the payment methods you saved.',
  write_payment_method: 'Save, rename and remove payment methods for you.',
  read_kyc: 'See whether your identity was verified, and what you handed in for it.',
  read_kycs: 'See where the verification of your identity stands.',
  verify_kyc: 'Hand in your details to have your identity verified.',
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
