// An escrow as one of its parties sees it: the buyer all of it, a seller what they are to be paid.
// Pure; minor units. [G-43, G-94, G-95]
import type { Instant } from '../../../core/time.ts';
import { allocationIn, type SaleTerms } from '../invoice/index.ts';
import { courseOf, isReleased, type Course, type Part } from './course.ts';
import { datesOf, limitOf } from './dates.ts';
import { within } from './release.ts';
import { Held } from './shares.ts';
import type { EscrowRow } from './tables.ts';

/** What of an escrow its parties are shown. */
export type SeenEscrow = Pick<
  EscrowRow,
  | ('state' | 'due' | 'warned' | 'hold_seconds' | 'time_left' | 'course' | 'disputes')
  | 'created'
> & {
  /** The id of its invoice, and the document. */
  readonly id: string;
  readonly document: string;
};

/** A movement, with what it is to the party. */
export interface SeenPart {
  readonly on: Part['on'];
  readonly at: Instant;
  readonly amount: number;
  readonly milestone?: string | undefined;
}

export interface SeenMilestone {
  readonly name: string;
  readonly amount: number;
  readonly released: boolean;
  readonly at?: Instant | undefined;
  readonly delivered?: Instant | undefined;
}

/** What happens by itself, if nobody does anything before. */
export interface Next {
  readonly on: 'release' | 'return';
  readonly at: Instant;
  readonly amount: number;
  readonly milestone?: string | undefined;
}

export interface EscrowView {
  readonly role: 'buyer' | 'seller';
  readonly total: number;
  readonly released: number;
  readonly returned: number;
  /** What the integrator alone got of it. */
  readonly kept: number;
  readonly held: number;
  readonly lines: readonly {
    readonly id: string;
    readonly description: string;
    readonly amount: number;
    readonly held: number;
  }[];
  readonly milestones: readonly SeenMilestone[];
  readonly parts: readonly SeenPart[];
  /** What happens by itself, in its order; the first is what comes next. */
  readonly coming: readonly Next[];
  /** When all of it was said to be delivered; null: not yet. */
  readonly delivered: Instant | null;
}

/** What an account of the sale sees; null where it is no party to it. */
export function viewFor(
  account: string,
  row: SeenEscrow,
  terms: SaleTerms,
): EscrowView | null {
  const role = terms.account_id === account ? 'buyer' : 'seller';
  const amountIn = ({ lines }: SaleTerms): number => {
    if (role === 'buyer') return lines.reduce((sum, line) => sum + line.amount, 0);
    const own = lines.flatMap(({ recipients }) => recipients.filter(isOwn));
    return own.reduce((sum, { amount }) => sum + amount, 0);
  };
  const isOwn = ({ account_id }: { readonly account_id: string }) => account_id === account;
  const ownLines = terms.lines.filter(({ recipients }) => {
    return role === 'buyer' || recipients.some(isOwn);
  });
  if (ownLines.length === 0) return null;
  const course = courseOf(row);
  const total = amountIn(terms);
  const left = new Held(terms, allocationIn(terms), []);
  const parts = (course?.parts ?? []).map((part): SeenPart => {
    const { on, at, milestone } = part;
    return { on, at, amount: amountIn(left.take(part).terms), milestone };
  });
  const moved = { release: 0, return: 0, keep: 0 };
  for (const { on, amount } of parts) moved[on] += amount;
  const rest = total - moved.release - moved.return - moved.keep;
  const open = row.state === 'ESCROWED';
  const heldBy = open ? left.lines : left.lines.map(() => 0);
  const ended = !open && row.state !== 'OPEN';
  const milestones = milestonesOf(course, left, parts, amountIn).filter(({ released }) => {
    return released || !ended;
  });
  const held = open ? rest : 0;
  return {
    ...{ role, total, held, parts, milestones },
    released: moved.release + (row.state === 'COMMITTED' ? rest : 0),
    returned: moved.return + (row.state === 'CANCELLED' ? rest : 0),
    kept: moved.keep,
    lines: ownLines.map((line) => ({
      id: line.id,
      description: line.description ?? line.product_sku ?? '',
      amount: amountIn({ ...terms, lines: [line] }),
      held: role === 'buyer' ? (heldBy[terms.lines.indexOf(line)] ?? 0) : 0,
    })),
    coming: comingOf(row, course, milestones, held),
    delivered: deliveredAt(course, undefined) ?? null,
  };
}

function deliveredAt(course: Course | null, milestone: string | undefined): Instant | undefined {
  return course?.deliveries?.find((one) => one.milestone === milestone)?.at;
}

/** Milestones with something for the party; of what is pending, as much as is left of it. */
function milestonesOf(
  course: Course | null,
  left: Held,
  parts: readonly SeenPart[],
  amountIn: (terms: SaleTerms) => number,
): readonly SeenMilestone[] {
  if (course === null) return [];
  // What ends the escrow before leaves a milestone no date of its own.
  const end = (course.release ?? course.return)?.at;
  return course.milestones
    .map(({ name, lines, date }): SeenMilestone => {
      const released = isReleased(course, name);
      const part = { on: 'release', lines: within(lines, left) } as const;
      const amount = released
        ? (parts.find(({ milestone }) => milestone === name)?.amount ?? 0)
        : amountIn(left.take(part).terms);
      return {
        ...{ name, amount, released },
        ...(!released && {
          at: date && end && date.at > end ? undefined : date?.at,
          delivered: deliveredAt(course, name),
        }),
      };
    })
    .filter(({ amount }) => amount > 0);
}

function comingOf(
  row: SeenEscrow,
  course: Course | null,
  milestones: readonly SeenMilestone[],
  held: number,
): readonly Next[] {
  if (row.state !== 'ESCROWED' || row.due === null || held === 0) return [];
  if (course === null) return [{ on: 'return', at: limitOf(row, row.due).at, amount: held }];
  const coming: Next[] = [];
  let left = held;
  for (const [of, { at }] of datesOf(course).toSorted(([, a], [, b]) => (a.at < b.at ? -1 : 1))) {
    const found = milestones.find(({ name }) => name === course.milestones[Number(of)]?.name);
    if (typeof of !== 'number') {
      const on = of !== 'limit' ? of : course.outcome === 'commit' ? 'release' : 'return';
      return left > 0 ? [...coming, { on, at, amount: left }] : coming;
    }
    if (found) coming.push({ on: 'release', at, amount: found.amount, milestone: found.name });
    left -= found?.amount ?? 0;
  }
  return coming;
}
