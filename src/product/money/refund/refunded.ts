// The arithmetic of refunds on one invoice: what is left of a charge, and how a request takes from
// it. Nothing is returned twice, by line item, by method or in sum. Pure; amounts are minor units.
// [M12]
import { allocate } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import { taxWithin, type SaleTerms, type Allocation, type ReturnPart } from '../invoice/index.ts';
import { refusals as no } from './refusals.ts';

/** What was returned of one payment subitem's charge. */
export interface MethodRefunded {
  readonly refunded: number;
  readonly charged_back: number;
}

/** What was or is about to be returned: by line item, and by payment subitem. */
export interface RefundedAmounts {
  readonly lines: Readonly<Record<string, number>>;
  readonly methods: Readonly<Record<string, MethodRefunded>>;
  /** What of the line items is tax. [G-89] */
  readonly taxes: Readonly<Record<string, number>>;
}

export const EMPTY: RefundedAmounts = { lines: {}, methods: {}, taxes: {} };
const UNTOUCHED: MethodRefunded = { refunded: 0, charged_back: 0 };

/** What one refund returns. */
export interface Returned {
  readonly amount: number;
  /** Only parts above zero. */
  readonly parts: readonly ReturnPart[];
  /** By line item id; only amounts above zero. */
  readonly lines: Readonly<Record<string, number>>;
  /** What of that is tax, likewise. [G-89] */
  readonly taxes: Readonly<Record<string, number>>;
}

/** A part of a line item, as requested. */
export interface LineItemRequest {
  readonly id: string;
  readonly amount: number;
  /** Payment methods by priority; empty means the invoice's order. */
  readonly methods: readonly string[];
}

/** What is left of each charge. Where it was both refunded and charged back, nothing is left. */
function partsLeft({ charges }: Allocation, refundedAmounts: RefundedAmounts): ReturnPart[] {
  return charges.map(({ id, method, wallet, amount }) => {
    const { refunded, charged_back } = refundedAmounts.methods[id] ?? UNTOUCHED;
    return { charge: id, method, wallet, amount: Math.max(0, amount - refunded - charged_back) };
  });
}

/** All that is left of each method, shared among line items in proportion to what is left. */
export function allLeft(
  saleTerms: SaleTerms,
  allocation: Allocation,
  refundedAmounts: RefundedAmounts,
): Returned {
  const parts = partsLeft(allocation, refundedAmounts).filter((part) => part.amount > 0);
  const amount = sumOf(parts);
  const left = Object.fromEntries(
    saleTerms.lines.map((line) => [line.id, line.amount - (refundedAmounts.lines[line.id] ?? 0)]),
  );
  const lines = shared(amount, left);
  return { amount, parts, lines, taxes: taxesWithin(saleTerms, refundedAmounts, lines) };
}

/** A part of one line item, taken from the methods in order. Throws a Refusal. */
export function partOfLine(
  saleTerms: SaleTerms,
  allocation: Allocation,
  refundedAmounts: RefundedAmounts,
  request: LineItemRequest,
): Returned {
  const { id, amount } = request;
  const line = saleTerms.lines.find((one) => one.id === id);
  if (line === undefined) throw refuse(no.LINE_ITEM_NOT_FOUND);
  const all = partsLeft(allocation, refundedAmounts);
  const named = namedParts(all, request.methods);
  if (amount > line.amount - (refundedAmounts.lines[id] ?? 0) || amount > sumOf(all)) {
    throw refuse(no.REFUND_TOO_LARGE, { amount: 'exceeds the amount left to refund' });
  }
  if (amount > sumOf(named)) {
    throw refuse(no.REFUND_METHOD_EXCEEDED, {
      payment_methods: 'do not cover the amount',
    });
  }
  let open = amount;
  const parts = named.map((part) => {
    const taken = Math.min(open, part.amount);
    open -= taken;
    return { ...part, amount: taken };
  });
  const lines = { [id]: amount };
  const taxes = taxesWithin(saleTerms, refundedAmounts, lines);
  return { amount, parts: parts.filter((part) => part.amount > 0), lines, taxes };
}

/** What of the amounts to return is tax, by line item. */
function taxesWithin(
  saleTerms: SaleTerms,
  refunded: RefundedAmounts,
  lines: Returned['lines'],
): Returned['taxes'] {
  const taxes = saleTerms.lines.map((line) => {
    const before = { amount: refunded.lines[line.id] ?? 0, tax: refunded.taxes[line.id] ?? 0 };
    return [line.id, taxWithin(line, lines[line.id] ?? 0, before)] as const;
  });
  return Object.fromEntries(taxes.filter(([, tax]) => tax > 0));
}

/** The tax that a refund returns. */
export function taxIn({ taxes }: Pick<Returned, 'taxes'>): number {
  return Object.values(taxes).reduce((sum, tax) => sum + tax, 0);
}

function namedParts(all: readonly ReturnPart[], methods: readonly string[]): readonly ReturnPart[] {
  if (methods.length === 0) return all;
  if (new Set(methods).size !== methods.length) {
    throw refuse(no.PAYMENT_METHOD_REPEATED, {
      payment_methods: 'must list each payment method only once',
    });
  }
  return methods.map((method, at) => {
    const part = all.find((one) => one.method === method);
    if (part === undefined) {
      const path = `payment_methods[${at}]`;
      throw refuse(no.PAYMENT_METHOD_NOT_USED, { [path]: 'was not charged for this invoice' });
    }
    return part;
  });
}

/** Shares an amount among line items in proportion to their weights; zero shares are left out. */
export function shared(
  amount: number,
  weights: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const ids = Object.keys(weights);
  const shares = allocate(
    BigInt(amount),
    ids.map((id) => BigInt(weights[id] ?? 0)),
  );
  const named = ids.map((id, at) => [id, Number(shares[at] ?? 0n)] as const);
  return Object.fromEntries(named.filter(([, share]) => share > 0));
}

/** Adds a refund to the refunded amounts; `sign` -1 removes it. */
export function counted(
  refundedAmounts: RefundedAmounts,
  back: Returned,
  sign: 1 | -1,
): RefundedAmounts {
  const sums = (of: 'lines' | 'taxes'): RefundedAmounts['lines'] => {
    const after = { ...refundedAmounts[of] };
    for (const [id, amount] of Object.entries(back[of])) {
      after[id] = (after[id] ?? 0) + sign * amount;
    }
    return after;
  };
  const methods = { ...refundedAmounts.methods };
  for (const { charge, amount } of back.parts) {
    const before = methods[charge] ?? UNTOUCHED;
    methods[charge] = { ...before, refunded: before.refunded + sign * amount };
  }
  return { lines: sums('lines'), methods, taxes: sums('taxes') };
}

/** Adds a reversal of one charge to the refunded amounts. */
export function chargedBack(
  refundedAmounts: RefundedAmounts,
  charge: string,
  amount: number,
): RefundedAmounts {
  const before = refundedAmounts.methods[charge] ?? UNTOUCHED;
  const after = { ...before, charged_back: before.charged_back + amount };
  return { ...refundedAmounts, methods: { ...refundedAmounts.methods, [charge]: after } };
}

/** True where a counted refund would return what the buyer's bank has taken already. */
export function wouldPayTwice(
  allocation: Allocation,
  refundedAmounts: RefundedAmounts,
  parts: readonly ReturnPart[],
): boolean {
  return parts.some(({ charge }) => {
    const { refunded, charged_back } = refundedAmounts.methods[charge] ?? UNTOUCHED;
    const amount = allocation.charges.find((one) => one.id === charge)?.amount ?? 0;
    return amount - refunded - charged_back < 0;
  });
}

export function sumOf(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((sum, part) => sum + part.amount, 0);
}
