// How held money is divided: by line item, or in all and then shared among the line items. Pure.
import { allocate } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import { heldOf, refusals as escrow, type Escrow, type LineSums } from '../escrow/index.ts';
import { refusals as no } from './refusals.ts';
import type { Outcome } from './tables.ts';

/** Minor units for each. */
export interface Sums {
  readonly to_sellers: number;
  readonly to_buyer: number;
  readonly to_integrator: number;
}

/** A split as it is asked for. */
export type SplitWish =
  | Sums
  | { readonly line_items: readonly (Sums & { readonly line_item_id: string })[] };

/** How held money is divided, by line item. */
export interface Division {
  readonly sellers: LineSums;
  readonly integrator: LineSums;
  readonly buyer: LineSums;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

function linesOf(amounts: readonly number[]): LineSums {
  return amounts.flatMap((amount, at) => (amount > 0 ? [[at, amount] as const] : []));
}

/**
 * The division that is asked for; throws a Refusal unless it is all that is held. Sums for the
 * whole are shared among the line items by largest remainder: first what goes to sellers, in
 * proportion to what is held of each, then the buyer's, in proportion to the rest. What two sides
 * agree on leaves the integrator's own line items alone: nothing of them goes back. [G-96]
 */
export function divisionOf(held: Escrow, wish: SplitWish, by: 'tenant' | 'sides'): Division {
  const left = heldOf(held).lines;
  const own = left.map((amount, at) =>
    by === 'sides' && held.saleTerms.lines[at]?.recipients.length === 0 ? amount : 0,
  );
  if ('line_items' in wish) return byLine(held, left, own, wish.line_items);
  const { to_sellers, to_buyer, to_integrator } = wish;
  if (to_sellers + to_buyer + to_integrator !== sum(left)) {
    const said = `must sum to ${sum(left)} with the others`;
    throw refuse(no.DISAGREEMENT_SPLIT_WRONG, { to_sellers: said });
  }
  const most = sum(left) - sum(own);
  if (to_buyer > most) {
    throw refuse(no.DISAGREEMENT_OWN_LINE, { to_buyer: `must be at most ${most}` });
  }
  const share = (amount: number, among: readonly number[]) =>
    allocate(BigInt(amount), among.map(BigInt)).map(Number);
  const less = (from: readonly number[], parts: readonly number[]) =>
    from.map((amount, at) => amount - (parts[at] ?? 0));
  const ofOwn = share(Math.min(to_sellers, sum(own)), own);
  const shared = less(left, own);
  const ofShared = share(to_sellers - sum(ofOwn), shared);
  const sellers = left.map((_, at) => (ofOwn[at] ?? 0) + (ofShared[at] ?? 0));
  const buyer = share(to_buyer, less(shared, ofShared));
  const integrator = less(less(left, sellers), buyer);
  return {
    sellers: linesOf(sellers),
    integrator: linesOf(integrator),
    buyer: linesOf(buyer),
  };
}

function byLine(
  { saleTerms }: Escrow,
  left: readonly number[],
  own: readonly number[],
  wish: readonly (Sums & { readonly line_item_id: string })[],
): Division {
  const parts = new Map<number, Sums>();
  for (const [n, { line_item_id, ...sums }] of wish.entries()) {
    const path = `line_items[${n}]`;
    const at = saleTerms.lines.findIndex(({ id }) => id === line_item_id);
    if (at < 0) {
      const fields = { [`${path}.line_item_id`]: 'is no line item of the escrow' };
      throw refuse(escrow.ESCROW_LINE_NOT_FOUND, fields);
    }
    if (parts.has(at)) {
      const fields = { [`${path}.line_item_id`]: 'is listed before' };
      throw refuse(escrow.ESCROW_LINE_REPEATED, fields);
    }
    parts.set(at, sums);
  }
  const of = (field: keyof Sums) => left.map((_, at) => parts.get(at)?.[field] ?? 0);
  const [sellers, buyer, integrator] = [of('to_sellers'), of('to_buyer'), of('to_integrator')];
  const wrong = left.findIndex((amount, at) => {
    return sum([sellers[at] ?? 0, buyer[at] ?? 0, integrator[at] ?? 0]) !== amount;
  });
  if (wrong >= 0) {
    const id = saleTerms.lines[wrong]?.id ?? '';
    const said = `must sum to ${left[wrong] ?? 0} for ${id}`;
    throw refuse(no.DISAGREEMENT_SPLIT_WRONG, { line_items: said });
  }
  const kept = saleTerms.lines.find((_, at) => (own[at] ?? 0) > 0 && (buyer[at] ?? 0) > 0);
  if (kept !== undefined) {
    const said = `must give nothing of ${kept.id} to the buyer`;
    throw refuse(no.DISAGREEMENT_OWN_LINE, { line_items: said });
  }
  return {
    sellers: linesOf(sellers),
    integrator: linesOf(integrator),
    buyer: linesOf(buyer),
  };
}

/** All that is held, to one side. */
export function allTo(held: Escrow, outcome: Exclude<Outcome, 'none'>): Division {
  const all = heldOf(held).all();
  return { sellers: [], integrator: [], buyer: [], [outcome]: all };
}

/** What a division gives to each, in all. */
export function sumsOf({ sellers, buyer, integrator }: Division): Sums {
  const total = (lines: LineSums) => sum(lines.map(([, amount]) => amount));
  return { to_sellers: total(sellers), to_buyer: total(buyer), to_integrator: total(integrator) };
}
