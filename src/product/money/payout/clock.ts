// The command for a payout that is due: sends it when its review is over, checks again each hour
// while it may not be sent or available money does not cover it, gives the money back a week after
// it failed. [G-43, G-91]
import { command, type Decision } from '../../../engine/index.ts';
import { addSeconds } from '../../../core/time.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { rejectPayout } from './decide.ts';
import { eligibilityOf, loadEligibility } from './eligibility.ts';
import { payoutMachine } from './machine.ts';
import { loadMeans, sendPayout } from './sending.ts';
import { payoutTable, type PayoutRow } from './tables.ts';

/** Seconds until a payout on hold is checked again. */
const LOOK_AGAIN_SECONDS = 3_600;

/** A payout that is due, with the id that its outbound transfer would get. */
export interface DuePayout {
  readonly payoutId: string;
  readonly transferId: string;
}

/** Does what is due; nothing where it is no longer due. */
export const advancePayout = command({
  name: 'advance_payout',
  batchable: true,
  load(rows, { payoutId }: DuePayout) {
    const row = rows.read(payoutTable, payoutId);
    if (row === null) return null;
    rows.lock(payoutTable, payoutId);
    rows.lock(balanceTable, row.source_wallet_id);
    const person = loadEligibility(rows, row.account_id);
    return { row, person, means: loadMeans(rows, row) };
  },
  decide(decision, { transferId }, loaded) {
    if (loaded?.row.due && loaded.row.due <= decision.now) {
      const { row, means, person } = loaded;
      if (row.state === 'FAILED') rejectPayout(decision, row, 'lapse', 'SYSTEM-REJECTED');
      else release(decision, row, means, eligibilityOf(person, means.destination), transferId);
    }
    return { status: 200, payload: null };
  },
});

function release(
  decision: Decision,
  row: PayoutRow,
  means: ReturnType<typeof loadMeans>,
  seen: ReturnType<typeof eligibilityOf>,
  transferId: string,
): void {
  const open = !('code' in seen);
  const end = open ? sendPayout(decision, row, means, 'release', transferId, seen) : seen;
  if (!('code' in end)) return;
  const patch = { due: addSeconds(decision.now, LOOK_AGAIN_SECONDS) };
  const { id } = row;
  if (row.state === 'FUNDS-IN-ESCROW-ON-HOLD') {
    decision.update(payoutTable, id, patch);
    return;
  }
  const to = 'FUNDS-IN-ESCROW-ON-HOLD';
  const detail = { held_back_by: end.code };
  decision.move(payoutMachine, payoutTable, id, 'hold_back', to, patch, detail);
}
