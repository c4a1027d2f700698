// The deadline of a response: the clock warns before it, once, and notes when it has passed without
// one. A response that was submitted is no longer waited for. Pure. [G-93]
import { command } from '../../../engine/index.ts';
import { addSeconds, millisOf, type Instant } from '../../../core/time.ts';
import { disputeMachine } from './machine.ts';
import { answersOfDispute, disputeTable } from './tables.ts';

/** Seconds between the warning and the deadline; half of what is left where that is less. */
const LEAD = 3 * 86_400;

/** When the warning is sent; null where there is no deadline. */
export function warningOf(now: Instant, dueBy: Instant | null): Instant | null {
  if (dueBy === null) return null;
  const left = Math.max(0, Math.floor((millisOf(dueBy) - millisOf(now)) / 1_000));
  return addSeconds(dueBy, -Math.min(LEAD, Math.floor(left / 2)));
}

/** Warns of a deadline that is near, and notes one that has passed. */
export const watchDispute = command({
  name: 'watch_dispute',
  batchable: true,
  load(rows, { id }: { readonly id: string }) {
    const known = rows.read(disputeTable, id);
    if (known !== null) rows.find(answersOfDispute, id);
    return known === null ? null : rows.lock(disputeTable, id);
  },
  decide(decision, _, row) {
    const done = { status: 200, payload: null };
    if (!row?.due || row.due > decision.now || row.due_by === null) return done;
    const { id, due_by } = row;
    const passed = due_by <= decision.now;
    const due = passed ? null : due_by;
    const answers = decision.find(answersOfDispute, id);
    if (answers.some(({ state }) => state !== 'declined')) {
      decision.update(disputeTable, id, { due });
    } else {
      const on = passed ? 'lapse' : 'warn';
      decision.move(disputeMachine, disputeTable, id, on, 'needs_response', { due });
    }
    return done;
  },
});
