// The clock's command for an escrow that is due: one thing at a time, a warning or what it warned
// of. [G-42, G-95]
import { command, type Decision } from '../../../engine/index.ts';
import { addSeconds } from '../../../core/time.ts';
import { loadCredits } from '../invoice/index.ts';
import { load } from './cancel.ts';
import { warningSeconds } from './clock.ts';
import { courseOf, moveEscrow, stamped, type Course } from './course.ts';
import { afterWarning, nextDue, withCourse, withoutDate, type DateOf } from './dates.ts';
import { requireEscrow, type Escrow } from './decide.ts';
import { heldOf, moveAll, movePart } from './part.ts';
import { within } from './release.ts';
import { escrowTable } from './tables.ts';

/** Warns of what is next for an escrow, or does it. */
export const endOverdueEscrow = command({
  name: 'end_overdue_escrow',
  load(rows, { escrowId }: { readonly escrowId: string }) {
    const escrow = load(rows, { escrowId });
    // Only with a course of its own may its time end with a release.
    if (escrow?.row?.course) loadCredits(rows, escrow.allocation);
    return escrow;
  },
  decide(decision, _, loaded) {
    const escrow = requireEscrow(loaded);
    const { due, warned, hold_seconds } = escrow.row;
    const nothing = { status: 200, payload: null };
    if (due === null || due > decision.now) return nothing;
    const course = courseOf(escrow.row);
    if (course !== null) follow(decision, escrow, course);
    else if (warned) moveAll(decision, escrow, 'return', 'limit');
    else {
      const next = addSeconds(decision.now, warningSeconds(hold_seconds));
      moveEscrow(decision, escrow.row, 'warn', 'ESCROWED', { warned: true, due: next });
    }
    return nothing;
  },
});

/** Does what is next in a course. */
function follow(decision: Decision, escrow: Escrow, course: Course): void {
  const due = nextDue(course);
  if (due === null || due.at > decision.now) return;
  const { of } = due;
  if (!due.act) {
    const patch = withCourse(afterWarning(course, of));
    if (of !== 'limit') moveEscrow(decision, escrow.row, 'near', 'ESCROWED', patch);
    else moveEscrow(decision, escrow.row, 'warn', 'ESCROWED', { ...patch, warned: true });
  } else if (of === 'limit') {
    moveAll(decision, escrow, course.outcome === 'commit' ? 'release' : 'return', 'limit');
  } else if (typeof of === 'string') moveAll(decision, escrow, of, 'date');
  else releaseMilestone(decision, escrow, course, of);
}

/** Releases what is left of a milestone. Where nothing is, its date passes without a movement. */
function releaseMilestone(decision: Decision, escrow: Escrow, course: Course, of: DateOf): void {
  const milestone = course.milestones.find((_, at) => at === of);
  const lines = within(milestone?.lines ?? [], heldOf(escrow));
  if (lines.length > 0) {
    movePart(decision, escrow, { on: 'release', lines, milestone: milestone?.name }, 'date');
    return;
  }
  const patch = withCourse(withoutDate(course, of));
  decision.update(escrowTable, escrow.id, stamped(escrow.row, patch));
}
