// What is left of an escrow after its parts, to the cent: of each line item's tax, integrator's
// share, recipients and fees, and of each charge. A part is shared among what is left, by largest
// remainder: so no share is ever below zero or beyond what was agreed, the shares of a part sum to
// it, and all parts sum to the whole. Pure; minor units. [G-94]
import { allocate } from '../../../core/money.ts';
import {
  allocationIn,
  type AgreedLineItem,
  type Allocation,
  type SaleTerms,
} from '../invoice/index.ts';
import type { LineSums, Part } from './course.ts';

/** What a line item consists of: its tax, the integrator's share, each recipient and their fee. */
type Pieces = readonly number[];

interface Shares {
  /** By place of the line item. */
  readonly lines: readonly Pieces[];
  /** By place of the charge. */
  readonly charges: readonly number[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

function piecesOf({ amount, tax, share, recipients }: AgreedLineItem): Pieces {
  const ofTax = tax?.amount ?? 0;
  const paid = recipients.flatMap((one) => [one.amount, one.fee?.amount ?? 0]);
  return [ofTax, share === undefined ? 0 : amount - ofTax, ...paid];
}

/** The line item with these pieces instead of its own. */
function lineOf(line: AgreedLineItem, pieces: Pieces): AgreedLineItem {
  const [tax = 0, , ...paid] = pieces;
  return {
    ...line,
    amount: sum(pieces),
    tax: line.tax && { ...line.tax, amount: tax },
    recipients: line.recipients.map((recipient, at) => ({
      ...recipient,
      amount: paid[2 * at] ?? 0,
      fee: recipient.fee && { ...recipient.fee, amount: paid[2 * at + 1] ?? 0 },
    })),
  };
}

function share(amount: number, among: readonly number[]): readonly number[] {
  return allocate(BigInt(amount), among.map(BigInt)).map(Number);
}

const less = (all: readonly number[], taken: readonly number[]): number[] =>
  all.map((one, at) => one - (taken[at] ?? 0));
const plus = (all: readonly number[], more: readonly number[]): number[] =>
  all.map((one, at) => one + (more[at] ?? 0));

/** What an escrow agreed and what its parts took of it so far. */
export class Held {
  readonly #terms: SaleTerms;
  readonly #allocation: Allocation;
  #left: Shares;
  #released: Shares;

  constructor(terms: SaleTerms, allocation: Allocation, parts: readonly Part[]) {
    this.#terms = terms;
    this.#allocation = allocation;
    const charges = allocation.charges.map(({ amount }) => amount);
    this.#left = { lines: terms.lines.map(piecesOf), charges };
    this.#released = {
      lines: this.#left.lines.map((pieces) => pieces.map(() => 0)),
      charges: charges.map(() => 0),
    };
    for (const part of parts) this.take(part);
  }

  /** What is left of each line item. */
  get lines(): readonly number[] {
    return this.#left.lines.map(sum);
  }

  /** What is left of each charge, as far as no dispute took it. */
  get charges(): readonly number[] {
    return this.#left.charges;
  }

  get total(): number {
    return sum(this.lines);
  }

  /** All that is left, or all of one line item and less. */
  all(): LineSums {
    return this.lines.flatMap((left, at) => (left > 0 ? [[at, left] as const] : []));
  }

  /** Takes a part, which must not exceed what is left; gives its terms and its share by charge. */
  take({ on, lines }: Pick<Part, 'on' | 'lines'>): {
    readonly terms: SaleTerms;
    readonly charges: readonly number[];
  } {
    const asked = new Map(lines);
    const taken: Shares = {
      lines: this.#left.lines.map((pieces, at) => share(asked.get(at) ?? 0, pieces)),
      charges: share(sum([...asked.values()]), this.#left.charges),
    };
    this.#left = {
      lines: this.#left.lines.map((pieces, at) => less(pieces, taken.lines[at] ?? [])),
      charges: less(this.#left.charges, taken.charges),
    };
    if (on === 'release') {
      this.#released = {
        lines: this.#released.lines.map((pieces, at) => plus(pieces, taken.lines[at] ?? [])),
        charges: plus(this.#released.charges, taken.charges),
      };
    }
    const terms = this.#termsOf(taken);
    const named = terms.lines.filter((_, at) => asked.has(at));
    return { terms: { ...terms, lines: named }, charges: taken.charges };
  }

  /**
   * The sale as far as it was released: its terms, and what of each charge that is. `taken` is what
   * disputes took of each charge.
   */
  released(taken: Readonly<Record<string, number>>): {
    readonly terms: SaleTerms;
    readonly allocation: Allocation;
  } {
    const terms = this.#termsOf(this.#released);
    const charges = this.#allocation.charges.map((charge, at) => {
      const amount = (this.#released.charges[at] ?? 0) + (taken[charge.id] ?? 0);
      return { ...charge, amount };
    });
    return { terms, allocation: { ...allocationIn(terms), charges } };
  }

  #termsOf({ lines }: Shares): SaleTerms {
    const { lines: agreed } = this.#terms;
    return {
      ...this.#terms,
      lines: agreed.map((line, at) => lineOf(line, lines[at] ?? [])),
      total: sum(lines.map(sum)),
    };
  }
}
