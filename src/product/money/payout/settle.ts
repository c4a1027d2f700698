// The command that records the processor's answer about a payout's outbound transfer. Workers,
// webhooks of the processor and reconciliation all use it. Each success is booked once. Pure.
import { EngineFault, type Command, type Decision } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { addSeconds } from '../../../core/time.ts';
import {
  applyTransfer,
  refusals as wallet,
  transfersOfResource,
  transferTable,
  type TransferAnswer,
  type TransferRow,
} from '../wallet/index.ts';
import { addFunds, endHold, lockFunds, lockHold, moveHold } from '../treasury/index.ts';
import { payoutMachine } from './machine.ts';
import { payOut, takeBackPayout } from './postings.ts';
import { payoutTable, type PayoutRow } from './tables.ts';

/** Seconds after which the money of a failed payout is given back automatically: a week. */
export const FAILED_SECONDS = 7 * 86_400;

/** The code of a bank's return, for which banks give no reason that could be passed on. [G-39] */
const RETURNED = 'generic_error';

/** Settles a payout by one answer; late and repeated answers change nothing. */
export const settlePayout: Command<TransferAnswer> = {
  name: 'settle_payout',
  batchable: true,
  highPriority: true,
  load(rows, { transferId }) {
    const sent = rows.read(transferTable, transferId);
    if (!sent) return;
    rows.lock(transferTable, transferId);
    // All that was sent for this payout before.
    const all = rows.find(transfersOfResource, sent.resource_id);
    for (const one of all) rows.lock(transferTable, one.id);
    lockHold(rows, transferId);
    if (sent.rail === 'file') lockFunds(rows, 'bank', sent.currency);
    rows.read(payoutTable, sent.resource_id);
    rows.lock(payoutTable, sent.resource_id);
  },
  decide(decision, answer) {
    const sent = decision.get(transferTable, answer.transferId);
    const row = sent === null ? null : decision.get(payoutTable, sent.resource_id);
    if (sent === null || row === null) throw new EngineFault('a transfer has no payout');
    requireDecidable(row, answer);
    const progress = applyTransfer(decision, answer, false);
    switch (progress.kind) {
      case 'paid':
        succeed(decision, row, sent);
        break;
      case 'declined':
        endHold(decision, answer.transferId, 'released');
        fail(decision, row, sent, 'declined', progress.code);
        break;
      case 'returned':
        fail(decision, row, sent, 'returned', RETURNED);
        break;
      default:
        if (sent.state === 'parked') follow(decision, row, answer);
        else holdBack(decision, row);
    }
    return { status: 200, payload: null };
  },
};

/**
 * Throws a Refusal for a manual decision that would send or count the money twice: the payout must
 * still wait for this transfer, or have failed while the money left after all.
 */
function requireDecidable(row: PayoutRow, { transferId, outcome }: TransferAnswer): void {
  const waits = row.state === 'CREDIT-TRANSFER-INITIATED' && row.transfer_id === transferId;
  if (outcome.state === 'retry_decided' && !waits) throw refuse(wallet.PARKED_TOO_LATE);
  if (outcome.state === 'accept_decided' && !waits && row.state !== 'FAILED') {
    throw refuse(wallet.PARKED_TOO_LATE);
  }
}

/** True where an outbound transfer of this payout is in manual review. */
function anyParked(decision: Decision, { id }: PayoutRow): boolean {
  return decision.find(transfersOfResource, id).some((one) => one.state === 'parked');
}

/** Stops the clock: what may already have left is neither sent again nor given back. */
function holdBack(decision: Decision, row: PayoutRow): void {
  if (row.state !== 'FAILED' || row.due === null || !anyParked(decision, row)) return;
  decision.update(payoutTable, row.id, { due: null });
}

/** After a manual retry the payout waits for the new transfer. */
function follow(
  decision: Decision,
  row: PayoutRow,
  { transferId, outcome }: TransferAnswer,
): void {
  if (outcome.state !== 'retry_decided') return;
  moveHold(decision, transferId, outcome.newId);
  decision.update(payoutTable, row.id, { transfer_id: outcome.newId });
}

function succeed(decision: Decision, row: PayoutRow, sent: TransferRow): void {
  const { id } = row;
  const on = row.state === 'FAILED' ? 'found_paid' : 'paid';
  const patch = { transfer_id: sent.id, failure_code: null, due: null };
  const version = decision.move(payoutMachine, payoutTable, id, on, 'SUCCESS', patch);
  decision.post(id, version, payOut(decision.lineage, row, sent.rail));
  if (sent.rail === 'processor') return;
  // Our bank's statement is what said so: the money is gone there.
  endHold(decision, sent.id, 'spent');
  addFunds(decision, 'bank', sent.currency, -sent.amount);
}

function fail(
  decision: Decision,
  row: PayoutRow,
  sent: TransferRow,
  on: 'declined' | 'returned',
  failure_code: string,
): void {
  const { id } = row;
  // What never left needs no time to be found after all.
  const later = sent.state === 'waiting' ? 0 : FAILED_SECONDS;
  const due = anyParked(decision, row) ? null : addSeconds(decision.now, later);
  const detail = { failure_code };
  const patch = { failure_code, due };
  const version = decision.move(payoutMachine, payoutTable, id, on, 'FAILED', patch, detail);
  if (row.state !== 'SUCCESS') return;
  decision.post(id, version, takeBackPayout(decision.lineage, row, sent.rail));
  if (sent.rail === 'file') addFunds(decision, 'bank', sent.currency, sent.amount);
}
