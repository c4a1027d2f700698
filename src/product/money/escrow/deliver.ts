// The command by which a seller says what was delivered. [G-95]
import { command } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { isReleased, milestoneNamed, moveEscrow, type Course } from './course.ts';
import { withCourse } from './dates.ts';
import {
  answerOf,
  loadEscrow,
  requireEscrow,
  requireHeld,
  type Escrow,
  type EscrowInput,
} from './decide.ts';
import { startedCourse } from './part.ts';
import { refusals as no } from './refusals.ts';

export interface DeliveryInput extends EscrowInput {
  /** Absent: all of it. */
  readonly milestone?: string | undefined;
  /** The account of a seller's session; null: the tenant says it. */
  readonly seller: string | null;
}

/** Records a delivery for the buyer to see. It moves no money and changes no date. */
export const deliverEscrow = command({
  name: 'deliver_escrow',
  batchable: true,
  load: (rows, { escrowId }: DeliveryInput) => loadEscrow(rows, escrowId),
  decide(decision, { integrator, milestone: named, seller }, loaded) {
    const escrow = requireEscrow(loaded);
    const sold = soldBy(escrow, seller);
    if (seller !== null && sold.length === 0) throw refuse(no.ESCROW_NOT_FOUND);
    requireHeld(escrow.row);
    const course = startedCourse(decision, escrow);
    const milestone = named === undefined ? undefined : pendingOf(course, named, sold);
    const { deliveries = [] } = course;
    const said = deliveries.some((one) => {
      return one.milestone === milestone && one.seller === (seller ?? undefined);
    });
    if (said) throw refuse(no.ESCROW_DELIVERED);
    const one = { at: decision.now, milestone, ...(seller !== null && { seller }) };
    const after = withCourse({ ...course, deliveries: [...deliveries, one] });
    moveEscrow(decision, escrow.row, 'deliver', 'ESCROWED', after);
    return answerOf(decision, escrow.id, integrator);
  },
});

/** The places of the line items that an account sells; null: of all. */
function soldBy({ saleTerms }: Escrow, seller: string | null): readonly number[] {
  return saleTerms.lines.flatMap(({ recipients }, at) => {
    return seller === null || recipients.some((one) => one.account_id === seller) ? [at] : [];
  });
}

/** The name of a milestone with something of these line items, not released. Throws a Refusal. */
function pendingOf(course: Course, named: string, sold: readonly number[]): string {
  const found = milestoneNamed(course, named);
  if (found?.lines.some(([at]) => sold.includes(at)) !== true) {
    throw refuse(no.ESCROW_MILESTONE_NOT_FOUND, { milestone: 'is no milestone of the escrow' });
  }
  if (isReleased(course, found.name)) throw refuse(no.ESCROW_MILESTONE_RELEASED);
  return found.name;
}
