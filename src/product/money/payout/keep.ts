// Holding a payout that waits, and letting it go: what somebody holds is neither sent nor checked
// again by the clock, and may still be cancelled. Pure. [G-88]
import { command, EngineFault, type Decision } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { addSeconds } from '../../../core/time.ts';
import { answer, knownPayout, loadPayout, type PayoutChoice } from './decide.ts';
import { payoutMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { isKept, payoutTable, type PayoutRow } from './tables.ts';

function moved(decision: Decision, id: string) {
  const row = decision.get(payoutTable, id);
  if (row === null) throw new EngineFault('a payout that was just moved is gone');
  return answer(200, row);
}

const isWaiting = ({ state }: PayoutRow): boolean =>
  state === 'FUNDS-IN-ESCROW' || state === 'FUNDS-IN-ESCROW-ON-HOLD';

/** Holds a payout that waits to be sent. */
export const keepPayout = command({
  name: 'keep_payout',
  batchable: true,
  load: (rows, choice: PayoutChoice) => loadPayout(rows, choice),
  decide(decision, _, payout) {
    const row = knownPayout(payout);
    if (!isWaiting(row) || isKept(row)) throw refuse(no.PAYOUT_NOT_HOLDABLE);
    const to = 'FUNDS-IN-ESCROW-ON-HOLD';
    decision.move(payoutMachine, payoutTable, row.id, 'keep', to, { due: null });
    return moved(decision, row.id);
  },
});

/** A held payout, with the seconds of review that any payout has; null: it is never sent alone. */
export interface PayoutRelease extends PayoutChoice {
  readonly holdSeconds: number | null;
}

/** Lets a held payout go: it is sent when its review is over, at once where that is so already. */
export const letPayoutGo = command({
  name: 'let_payout_go',
  batchable: true,
  load: (rows, choice: PayoutRelease) => loadPayout(rows, choice),
  decide(decision, { holdSeconds }, payout) {
    const row = knownPayout(payout);
    if (!isKept(row)) throw refuse(no.PAYOUT_NOT_HELD);
    const end = holdSeconds === null ? null : addSeconds(row.created, holdSeconds);
    const due = end !== null && end < decision.now ? decision.now : end;
    decision.move(payoutMachine, payoutTable, row.id, 'let_go', 'FUNDS-IN-ESCROW', { due });
    return moved(decision, row.id);
  },
});
