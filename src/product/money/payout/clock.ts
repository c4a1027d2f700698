// The command for a payout that is due: sends it when its review is over, checks again each hour
// while it may not be sent, gives the money back a week after it failed. [G-43]
import { command, type Decision } from '../../../engine/index.ts';
import { addSeconds } from '../../../core/time.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { paymentMethodTable, type PaymentMethodRow } from '../wallet/index.ts';
import { rejectPayout } from './decide.ts';
import { eligibilityOf, loadEligibility } from './eligibility.ts';
import { payoutMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { sendPayout } from './sending.ts';
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
    const destination = rows.read(paymentMethodTable, row.destination_method_id);
    return { row, destination, person: loadEligibility(rows, row.account_id) };
  },
  decide(decision, { transferId }, loaded) {
    if (loaded?.row.due && loaded.row.due <= decision.now) {
      const { row, destination, person } = loaded;
      if (row.state === 'FAILED') rejectPayout(decision, row, 'lapse', 'SYSTEM-REJECTED');
      else release(decision, row, destination, eligibilityOf(person), transferId);
    }
    return { status: 200, payload: null };
  },
});

function release(
  decision: Decision,
  row: PayoutRow,
  destination: PaymentMethodRow | null,
  seen: ReturnType<typeof eligibilityOf>,
  transferId: string,
): void {
  const open = !('code' in seen);
  if (open && sendPayout(decision, row, destination, 'release', transferId, seen) !== null) return;
  const patch = { due: addSeconds(decision.now, LOOK_AGAIN_SECONDS) };
  const { id } = row;
  if (row.state === 'FUNDS-IN-ESCROW-ON-HOLD') {
    decision.update(payoutTable, id, patch);
    return;
  }
  const to = 'FUNDS-IN-ESCROW-ON-HOLD';
  const detail = { held_back_by: open ? no.PAYMENT_METHOD_NOT_ACTIVE.code : seen.code };
  decision.move(payoutMachine, payoutTable, id, 'hold_back', to, patch, detail);
}
