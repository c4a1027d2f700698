// The sentence for each scope that needs consent, as the person reads it. Every scope that a
// session can hold and that concerns the person's data needs one here. [G-12]

/** By scope. A scope that is not listed shows nobody's data and acts for nobody. */
const SENTENCES: Readonly<Record<string, string>> = {
  read_invoice: 'View the order that you are asked to pay, and its status.',
  write_invoice: 'Pay the order that you confirm.',
  read_invoices: 'View your purchases, sales and payouts, and their status.',
  read_process_credits: 'View your payouts and their status.',
  write_process_credits: 'Create the payouts that you request, and cancel them.',
  read_payment_method: 'View and use your saved payment methods.',
  write_payment_method: 'Save, rename and remove payment methods for you.',
  read_kyc: 'View your identity verification and the data that you submitted for it.',
  read_kycs: 'View the status of your identity verification.',
  verify_kyc: 'Submit your details for identity verification.',
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
