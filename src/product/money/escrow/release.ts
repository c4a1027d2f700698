// The commands that pay held money out or return a part of it: commit, release, return. The whole
// goes back by cancel.ts. [G-94]
import { command, type Command, type ReadSet } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { loadCredits } from '../invoice/index.ts';
import { load as loadReturning } from './cancel.ts';
import { courseOf, isReleased, milestoneNamed, type LineSums, type Part } from './course.ts';
import {
  answerOf,
  loadEscrow,
  requireEscrow,
  requireHeld,
  type Escrow,
  type EscrowInput,
} from './decide.ts';
import { heldOf, moveAll, movePart } from './part.ts';
import { refusals as no } from './refusals.ts';
import type { Held } from './shares.ts';

/** Movements of one escrow at most; commit and cancel are possible after them. */
export const MOST_PARTS = 100;

/** What is to be moved: of line items by id (no amount: all that is left), or a milestone. */
export type Wish =
  | { readonly milestone: string }
  | {
      readonly line_items: readonly {
        readonly line_item_id: string;
        readonly amount?: number | undefined;
      }[];
    };

export interface PartInput extends EscrowInput {
  readonly wish: Wish;
  /** The account of a buyer's session; null: the tenant asks. */
  readonly buyer?: string | null;
}

/** Locks the escrow and the wallets that a release credits. */
export function loadReleasing(rows: ReadSet, { escrowId }: Pick<EscrowInput, 'escrowId'>) {
  const escrow = loadEscrow(rows, escrowId);
  if (escrow !== null) loadCredits(rows, escrow.allocation);
  return escrow;
}

/** Pays sellers and integrator all that is held. [seed: POST /v2/escrow/{escrow_id}/commit] */
export const commitEscrow = command({
  name: 'commit_escrow',
  batchable: true,
  highPriority: true,
  load: (rows, input: EscrowInput) => loadReleasing(rows, input),
  decide(decision, { integrator }, loaded) {
    const escrow = requireEscrow(loaded);
    requireHeld(escrow.row);
    moveAll(decision, escrow, 'release');
    return answerOf(decision, escrow.id, integrator);
  },
});

function moving(
  name: string,
  on: 'release' | 'return',
  load: typeof loadReleasing,
): Command<PartInput> {
  return command({
    name,
    batchable: true,
    highPriority: true,
    load,
    decide(decision, { integrator, wish, buyer = null }: PartInput, loaded) {
      const escrow = requireEscrow(loaded);
      if (buyer !== null && escrow.saleTerms.account_id !== buyer) {
        throw refuse(no.ESCROW_NOT_FOUND);
      }
      requireHeld(escrow.row);
      if ((courseOf(escrow.row)?.parts.length ?? 0) >= MOST_PARTS) {
        throw refuse(no.ESCROW_PARTS_LIMIT);
      }
      const part = partOf(escrow, on, wish);
      const whole = escrow.row.course === null && amountOf(part) === escrow.allocation.total;
      if (whole) moveAll(decision, escrow, on);
      else movePart(decision, escrow, part);
      return answerOf(decision, escrow.id, integrator);
    },
  });
}

/** Pays sellers and integrator a part of what is held. */
export const releaseEscrow = moving('release_escrow', 'release', loadReleasing);
/** Returns a part of what is held to the buyer. */
export const returnEscrow = moving('return_escrow', 'return', loadReturning);

function amountOf({ lines }: Pick<Part, 'lines'>): number {
  return lines.reduce((sum, [, amount]) => sum + amount, 0);
}

function partOf(escrow: Escrow, on: 'release' | 'return', wish: Wish): Omit<Part, 'at'> {
  const held = heldOf(escrow);
  if (!('milestone' in wish)) return { on, lines: linesOf(escrow, held, wish.line_items) };
  const course = courseOf(escrow.row);
  const found = course === null ? undefined : milestoneNamed(course, wish.milestone);
  if (course === null || found === undefined) {
    throw refuse(no.ESCROW_MILESTONE_NOT_FOUND, { milestone: 'is no milestone of the escrow' });
  }
  if (isReleased(course, found.name)) throw refuse(no.ESCROW_MILESTONE_RELEASED);
  const lines = within(found.lines, held);
  if (lines.length === 0) throw refuse(no.ESCROW_PART_TOO_LARGE);
  return { on, lines, milestone: found.name };
}

/** As much of the lines as is left. */
export function within(lines: LineSums, held: Held): LineSums {
  return lines
    .map(([at, amount]) => [at, Math.min(amount, held.lines[at] ?? 0)] as const)
    .filter(([, amount]) => amount > 0);
}

function linesOf(
  { saleTerms }: Escrow,
  held: Held,
  wish: Extract<Wish, { readonly line_items: unknown }>['line_items'],
): LineSums {
  const seen = new Set<number>();
  return wish.map(({ line_item_id, amount }, n) => {
    const path = `line_items[${n}]`;
    const at = saleTerms.lines.findIndex(({ id }) => id === line_item_id);
    if (at < 0) {
      throw refuse(no.ESCROW_LINE_NOT_FOUND, {
        [`${path}.line_item_id`]: 'is no line item of the escrow',
      });
    }
    if (seen.has(at)) {
      throw refuse(no.ESCROW_LINE_REPEATED, { [`${path}.line_item_id`]: 'is listed before' });
    }
    seen.add(at);
    const left = held.lines[at] ?? 0;
    const asked = amount ?? left;
    if (asked > left || asked === 0) {
      throw refuse(no.ESCROW_PART_TOO_LARGE, {
        [`${path}.amount`]: 'exceeds what is held of the line item',
      });
    }
    return [at, asked] as const;
  });
}
