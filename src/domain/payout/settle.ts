// The command that learns an answer of the processor about what a payout was sent with. Workers,
// notices and reconciliation all come through here. Answers for each SUCCESS being paid once. Pure.
import { EngineFault, type Command, type Decision } from '../../engine/index.ts';
import { refuse } from '../../kernel/refusal.ts';
import { addSeconds } from '../../kernel/time.ts';
import {
  applyRemittance,
  refusals as wallet,
  remittancesOfResource,
  remittanceTable,
  type RemittanceAnswer,
} from '../wallet/index.ts';
import { announcePayout } from './decide.ts';
import { payoutMachine } from './machine.ts';
import { payOut, takeBackPayout } from './postings.ts';
import { payoutTable, type PayoutRow } from './tables.ts';

/** Seconds after which the money of a failed payout goes back by itself: a week. */
export const FAILED_SECONDS = 7 * 86_400;

/** What a bank's return is called: it gives no reason that we could pass on. [G-39] */
const RETURNED = 'generic_error';

/** Settles a payout by one answer; late and repeated answers change nothing. */
export const settlePayout: Command<RemittanceAnswer> = {
  name: 'settle_payout',
  batchable: true,
  critical: true,
  needs(want, { remittanceId }) {
    const sent = want.read(remittanceTable, remittanceId);
    if (!sent) return;
    want.lock(remittanceTable, remittanceId);
    // All that was sent before this one.
    const all = want.find(remittancesOfResource, sent.resource_id) ?? [];
    for (const one of all) want.lock(remittanceTable, one.id);
    want.read(payoutTable, sent.resource_id);
    want.lock(payoutTable, sent.resource_id);
  },
  decide(decision, answer) {
    const sent = decision.get(remittanceTable, answer.remittanceId);
    const row = sent === null ? null : decision.get(payoutTable, sent.resource_id);
    if (row === null) throw new EngineFault('a remittance has no payout');
    requireDecidable(row, answer);
    const progress = applyRemittance(decision, answer, false);
    switch (progress.kind) {
      case 'paid':
        succeed(decision, row, answer.remittanceId);
        break;
      case 'declined':
        fail(decision, row, 'declined', progress.code);
        break;
      case 'returned':
        fail(decision, row, 'returned', RETURNED);
        break;
      default:
        if (sent?.state === 'parked') follow(decision, row, answer);
        else holdBack(decision, row);
    }
    return { status: 200, payload: null };
  },
};

/**
 * Refuses a person's decision about a parked remittance that would send or count the money twice:
 * the payout must still wait for it, or have failed while the money left after all.
 */
function requireDecidable(row: PayoutRow, { remittanceId, outcome }: RemittanceAnswer): void {
  const waits = row.state === 'CREDIT-TRANSFER-INITIATED' && row.remittance_id === remittanceId;
  if (outcome.state === 'retry_decided' && !waits) throw refuse(wallet.PARKED_TOO_LATE);
  if (outcome.state === 'accept_decided' && !waits && row.state !== 'FAILED') {
    throw refuse(wallet.PARKED_TOO_LATE);
  }
}

/** True when money is said to have left under a key of this payout that a person must look at. */
function anyParked(decision: Decision, { id }: PayoutRow): boolean {
  return decision.find(remittancesOfResource, id).some((one) => one.state === 'parked');
}

/** What may have left already is neither sent again nor given back. */
function holdBack(decision: Decision, row: PayoutRow): void {
  if (row.state !== 'FAILED' || row.due === null || !anyParked(decision, row)) return;
  decision.update(payoutTable, row.id, { due: null });
}

/** A person had it sent again: the payout waits for the new one. */
function follow(decision: Decision, row: PayoutRow, { outcome }: RemittanceAnswer): void {
  if (outcome.state !== 'retry_decided') return;
  decision.update(payoutTable, row.id, { remittance_id: outcome.newId });
}

function succeed(decision: Decision, row: PayoutRow, remittanceId: string): void {
  const { id } = row;
  const on = row.state === 'FAILED' ? 'found_paid' : 'paid';
  const patch = { remittance_id: remittanceId, failure_code: null, due: null };
  const version = decision.move(payoutMachine, payoutTable, id, on, 'SUCCESS', patch);
  decision.post(id, version, payOut(decision.line, row));
  announcePayout(decision, id, version);
}

function fail(decision: Decision, row: PayoutRow, on: string, failure_code: string): void {
  const { id } = row;
  const due = anyParked(decision, row) ? null : addSeconds(decision.now, FAILED_SECONDS);
  const detail = { failure_code };
  const patch = { failure_code, due };
  const version = decision.move(payoutMachine, payoutTable, id, on, 'FAILED', patch, detail);
  if (row.state === 'SUCCESS') decision.post(id, version, takeBackPayout(decision.line, row));
  announcePayout(decision, id, version);
}
