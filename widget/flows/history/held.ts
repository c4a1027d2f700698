// What of an account's earnings it cannot spend: in reserve against disputes, or owed for lost ones,
// as the platform sends it and in words. [G-93]
import { dateText } from '../kit/date.ts';
import { t } from '../texts.ts';

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
    const why =
      last === ''
        ? t('history.reserve_why')
        : t('history.reserve_why_until', { date: dateText(last) });
    return { name: t('history.reserve'), amount, why };
  });
  const owed = debts
    .filter(({ status }) => status === 'open')
    .map(({ display_amount: amount, created }) => {
      const why = t('history.owed_why', { date: dateText(created) });
      return { name: t('history.owed'), amount, why };
    });
  return [...reserved, ...owed];
}
