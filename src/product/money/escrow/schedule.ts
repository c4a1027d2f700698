// The command that changes dates of an escrow. [G-95]
import { command } from '../../../engine/index.ts';
import { moveEscrow } from './course.ts';
import { withCourse } from './dates.ts';
import {
  answerOf,
  loadEscrow,
  requireEscrow,
  requireHeld,
  type EscrowInput,
} from './decide.ts';
import { startedCourse } from './part.ts';
import { rescheduled, type ScheduleWish } from './plan.ts';

export interface ScheduleInput extends EscrowInput {
  readonly wish: ScheduleWish;
}

/** Changes dates of an escrow that holds money. */
export const scheduleEscrow = command({
  name: 'schedule_escrow',
  batchable: true,
  load: (rows, { escrowId }: ScheduleInput) => loadEscrow(rows, escrowId),
  decide(decision, { integrator, wish }, loaded) {
    const escrow = requireEscrow(loaded);
    requireHeld(escrow.row);
    const course = startedCourse(decision, escrow);
    const until = course.limit?.at ?? decision.now;
    const after = rescheduled(course, wish, { now: decision.now, until });
    // What changes no date is no step, and nobody is told of it.
    if (after !== course) {
      moveEscrow(decision, escrow.row, 'reschedule', 'ESCROWED', withCourse(after));
    }
    return answerOf(decision, escrow.id, integrator);
  },
});
