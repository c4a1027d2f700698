// What of an account's earnings it cannot spend: in reserve against disputes, or owed for lost ones,
// as the platform sends it and in words. [G-93]
import { dateText } from './records.ts';

export interface Reserves {
  readonly reserves: readonly {
    readonly display_amount: string;
    readonly releases: readonly { readonly due: string }[];
  }[];
}

export interface Debts {
  readonly debts: readonly {
    readonly debt_id: string;
    readonly display_amount: string;
    readonly status: string;
    readonly created: string;
  }[];
}

/** A line of the note: what it is, how much, and what becomes of it. */
export interface HeldLine {
  readonly name: string;
  readonly amount: string;
  readonly why: string;
}

/** The lines of an account; none where it may spend all it earned. */
export function heldLines({ reserves }: Reserves, { debts }: Debts): readonly HeldLine[] {
  const reserved = reserves.map(({ display_amount: amount, releases }) => {
    const last = releases.at(-1)?.due ?? '';
    const until = last === '' ? '' : `, at the latest on ${dateText(last)}`;
    const why = `Kept against disputes of your sales and released step by step${until}.`;
    return { name: 'In reserve', amount, why };
  });
  const owed = debts
    .filter(({ status }) => status === 'open')
    .map(({ display_amount: amount, created }) => {
      const why = `For a dispute that was lost on ${dateText(created)}. Your next sales repay it.`;
      return { name: 'You owe', amount, why };
    });
  return [...reserved, ...owed];
}
