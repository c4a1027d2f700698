// What an escrow has sold: what was released of it, which is what can be refunded and disputed.
// [G-94]
import type { Allocation, SaleTerms } from '../invoice/index.ts';
import { courseOf, disputesOf } from './course.ts';
import { Held } from './shares.ts';

/** What of an escrow's row tells what was released; state of any lifecycle that it has. */
export interface SoldRow {
  readonly state: string;
  readonly course: string | null;
  readonly disputes: string | null;
}

export interface Sold {
  readonly saleTerms: SaleTerms;
  /** Its charges are what of each was released, with what disputes took beside it. */
  readonly allocation: Allocation;
}

/**
 * The sale of an invoice as far as it was paid to sellers: of one without escrow as it is, of an
 * escrow what was released. Null where nothing was.
 */
export function soldOf(whole: Sold, escrow: SoldRow | null): Sold | null {
  if (escrow === null) return whole;
  const course = courseOf(escrow);
  if (course === null) return escrow.state === 'COMMITTED' ? whole : null;
  const { saleTerms, allocation } = whole;
  const held = new Held(saleTerms, allocation, course.parts);
  const { terms, ...released } = held.released(disputesOf(escrow).taken);
  return terms.total === 0 ? null : { saleTerms: terms, ...released };
}
