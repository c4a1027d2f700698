// Disagreements about escrows in the model: what they freeze, and what their end moves. [G-96]
import { allocate } from '../../src/core/money.ts';
import { disagreementOf } from '../../src/product/money/disagreement/index.ts';
import { follow, isOpen } from './model-disputes.ts';
import { leftOf, movePart, sum, type Held } from './model-parts.ts';
import { done, nothing, refused, type Escrow, type Expected, type Model } from './model.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;

/** Minor units to sellers, to the buyer and to the integrator. */
export type Sums = readonly [sellers: bigint, buyer: bigint, integrator: bigint];

/** Sums for the whole, or by place of the line item; -1 is a line item of nobody's. */
export type Split =
  | { readonly whole: Sums }
  | { readonly lines: readonly (readonly [place: number, sums: Sums])[] };

/** Minor units by place of the line item. */
type Division = Readonly<Record<'paid' | 'back' | 'own', readonly bigint[]>>;

/** Buyer and seller of an escrow disagree. Moments are milliseconds after 1970. */
export interface Disagreement {
  readonly outcome: 'buyer' | 'sellers' | 'none';
  readonly dueBy: number;
  due: number | null;
  state: 'open' | 'resolved' | 'closed';
  pieces: number;
  proposal: { readonly id: string; readonly buyers: boolean; readonly split: Split } | null;
}

/** Opens one. */
export function disagree(
  model: Model,
  held: Held,
  days: number,
  outcome: Disagreement['outcome'],
): Expected {
  const { escrow } = held;
  if (escrow.disagreement !== null) return refused('DISAGREEMENT_EXISTS');
  if (escrow.state !== 'ESCROWED') return refused('ESCROW_NOT_ESCROWED');
  const dueBy = model.now + days * DAY;
  const due = dueBy - Math.min(WEEK, Math.floor((days * DAY) / 2));
  escrow.disagreement = { outcome, dueBy, due, state: 'open', pieces: 0, proposal: null };
  model.announce('disagreement-opened', disagreementOf(escrow.id));
  follow(model, held);
  return done;
}

/** Why nothing can be said about a disagreement, or null. */
export function shut({ disagreement }: Escrow): Expected | null {
  if (disagreement === null) return refused('DISAGREEMENT_NOT_FOUND');
  return disagreement.state === 'open' ? null : refused('DISAGREEMENT_NOT_OPEN');
}

/** How a split divides what is held, or why not; by agreement nobody's line items do not change. */
export function divided(held: Held, split: Split, bySides: boolean): Division | string {
  const left = leftOf(held);
  const isOurs = (at: number): boolean => bySides && held.lines[at]?.to.length === 0;
  if ('whole' in split) {
    const [sellers, buyer] = split.whole;
    if (sum(split.whole) !== sum(left)) return 'DISAGREEMENT_SPLIT_WRONG';
    const ours = left.map((one, at) => (isOurs(at) ? one : 0n));
    const theirs = left.map((one, at) => (isOurs(at) ? 0n : one));
    if (buyer > sum(theirs)) return 'DISAGREEMENT_OWN_LINE';
    const first = sellers < sum(ours) ? sellers : sum(ours);
    const kept = allocate(first, ours);
    const sold = allocate(sellers - first, theirs);
    const back = allocate(buyer, theirs.map((one, at) => one - (sold[at] ?? 0n)));
    const paid = kept.map((one, at) => one + (sold[at] ?? 0n));
    return { paid, back, own: left.map((one, at) => one - (paid[at] ?? 0n) - (back[at] ?? 0n)) };
  }
  const known = new Map<number, Sums>();
  for (const [at, sums] of split.lines) {
    if (at < 0) return 'ESCROW_LINE_NOT_FOUND';
    if (known.has(at)) return 'ESCROW_LINE_REPEATED';
    known.set(at, sums);
  }
  const all = left.map((_, at) => known.get(at) ?? ([0n, 0n, 0n] as const));
  if (all.some((sums, at) => sum(sums) !== left[at])) return 'DISAGREEMENT_SPLIT_WRONG';
  if (all.some(([, one], at) => one > 0n && isOurs(at))) return 'DISAGREEMENT_OWN_LINE';
  return { paid: all.map(([one]) => one), back: all.map(([, one]) => one),
    own: all.map(([, , one]) => one) };
}

/** Ends a disagreement by dividing what is held. */
export function settle(model: Model, held: Held, split: Split, bySides = false): Expected {
  const { escrow } = held;
  const { disagreement } = escrow;
  const division = divided(held, split, bySides);
  if (typeof division === 'string') return refused(division);
  const frozen = model.reversals.some(({ charge, dispute }) => {
    return charge.of.escrow === escrow && dispute.froze && isOpen(dispute);
  });
  if (disagreement === null || frozen) return refused('ESCROW_DISPUTED');
  disagreement.state = 'resolved';
  disagreement.due = null;
  disagreement.proposal = null;
  follow(model, held);
  const { paid, back, own } = division;
  for (const [on, all] of [['release', paid], ['keep', own], ['return', back]] as const) {
    const lines = [...all.entries()].filter(([, amount]) => amount > 0n);
    if (lines.length > 0) movePart(model, held, on, lines);
  }
  model.announce('disagreement-ended', disagreementOf(escrow.id));
  return done;
}

/** A lost dispute has ended the escrow. */
export function closeWith(model: Model, { id, disagreement }: Escrow): void {
  if (disagreement?.state !== 'open') return;
  disagreement.state = 'closed';
  disagreement.due = null;
  disagreement.proposal = null;
  model.announce('disagreement-ended', disagreementOf(id));
}

/** The clock looks at a disagreement. */
export function watchIt(model: Model, held: Held): Expected {
  const { escrow } = held;
  const { disagreement: one } = escrow;
  if (one?.due == null || one.due > model.now) return nothing;
  const total = sum(leftOf(held));
  if (one.dueBy > model.now) {
    one.due = one.dueBy;
    model.announce('disagreement-due', disagreementOf(escrow.id));
  } else if (one.outcome === 'none') one.due = null;
  else {
    const to: Sums = one.outcome === 'sellers' ? [total, 0n, 0n] : [0n, total, 0n];
    if (settle(model, held, { whole: to }).is === 'refused') one.due = model.now + DAY;
  }
  return done;
}
