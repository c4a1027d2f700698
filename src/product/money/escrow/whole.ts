// An escrow as people of its tenant see it: all that its parties see, whose money it is, and what
// keeps it from moving. Minor units.
import type { Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { allocationOf, saleTermsOf } from '../invoice/index.ts';
import { courseOf, disputesOf, takenOf } from './course.ts';
import type { EscrowState } from './machine.ts';
import { viewFor, type EscrowView, type SeenPart } from './party.ts';
import { readSeenEscrow } from './read.ts';
import { movementInvoice } from './schema.ts';

/** An escrow, whole. */
export interface WholeEscrow extends Omit<EscrowView, 'role'> {
  readonly state: EscrowState;
  readonly currency: string;
  /** UUIDs of the buyer's account and of the sellers'. */
  readonly accounts: readonly string[];
  /** What was moved, with the invoice of each. */
  readonly parts: readonly (SeenPart & { readonly invoice: string })[];
  /** What disputes took. */
  readonly taken: number;
  /** A dispute at the bank goes before a disagreement of buyer and seller. [G-93, G-96] */
  readonly frozen: 'dispute' | 'disagreement' | null;
  /** The dates that were set, by the fields in which they are set. */
  readonly dates: Readonly<Record<'release_at' | 'return_at' | 'holding_ends', Instant | null>>;
}

/** The escrow with a UUID; null for an unknown one. */
export async function readWhole(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<WholeEscrow | null> {
  const row = await readSeenEscrow(db, workspace, id);
  const terms = row && saleTermsOf(row);
  const view = row && terms && viewFor(terms.account_id, row, terms);
  if (!view) return null;
  const { state, course: planned } = row;
  const { currency, buyer, credits } = allocationOf(row);
  const { open } = disputesOf(row);
  const taken = takenOf(row);
  const course = courseOf({ course: planned });
  return {
    ...view,
    ...{ state, currency, taken },
    parts: view.parts.map((part, n, { length }) => {
      return { ...part, invoice: movementInvoice(id, state, n, length) };
    }),
    held: view.held - (state === 'ESCROWED' ? taken : 0),
    returned: view.returned - (state === 'CANCELLED' ? taken : 0),
    accounts: [...new Set([buyer, ...credits.map(({ owner }) => owner)])],
    frozen: row.time_left === null ? null : open > 0 ? 'dispute' : 'disagreement',
    dates: {
      release_at: course?.release?.at ?? null,
      return_at: course?.return?.at ?? null,
      holding_ends: course?.limit?.at ?? null,
    },
  };
}
