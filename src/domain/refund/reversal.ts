// Reversals: charges that the processor took back, as disputes and bank debits that came back
// unpaid. Answers for the debt being booked at once and for the integrator bearing it as soon as it
// holds enough; what was bought and what a wallet holds stay as they are. [M15, M3]
import { EngineFault, type Command, type Decision } from '../../engine/index.ts';
import { debitIntegrator, house, integratorHolds, needIntegrator } from '../../ledger/index.ts';
import { invoiceDocumentTable, invoiceTable, planOf } from '../invoice/index.ts';
import { attemptTable, type AttemptRow } from '../wallet/index.ts';
import { reversalMachine } from './machine.ts';
import { reversalByReference, reversalTable, type ReversalRow } from './tables.ts';
import { saveTally, tallyIn, wantTally } from './tally-row.ts';
import { chargedBack } from './tally.ts';

/** A line of the processor's statement that takes a charge back. */
export interface NewReversal {
  readonly id: string;
  readonly attemptId: string;
  readonly kind: 'chargeback' | 'return';
  /** The processor's own, one for each line of its statement. */
  readonly reference: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly currency: string;
}

/** Books a reversal once; the same reference again changes nothing. */
export const receiveReversal: Command<NewReversal> = {
  name: 'receive_reversal',
  batchable: false,
  critical: true,
  needs(want, { attemptId, reference, currency }) {
    want.find(reversalByReference, reference);
    const attempt = want.read(attemptTable, attemptId);
    if (!attempt) return;
    needIntegrator(want, currency);
    if (attempt.purpose === 'deposit') return;
    if (!want.read(invoiceDocumentTable, attempt.resource_id)) return;
    want.lock(invoiceTable, attempt.resource_id);
    wantTally(want, attempt.resource_id);
  },
  decide(decision, wish) {
    const answer = { status: 200, payload: null };
    if (decision.find(reversalByReference, wish.reference).length > 0) return answer;
    const attempt = decision.get(attemptTable, wish.attemptId);
    if (attempt === null) throw new EngineFault('a reversal names no attempt');
    const { world, now } = decision;
    const { id, attemptId: attempt_id, kind, reference, amount, currency } = wish;
    const { resource_id } = attempt;
    const what = { attempt_id, resource_id, kind, reference, amount, currency };
    const head = { created: now, state: 'received', version: 1, updated: now };
    decision.birth(reversalMachine, reversalTable, 'receive', { world, id, ...what, ...head });
    decision.post(id, 1, [
      house(decision.line, 'processor_clearing', currency, amount),
      house(decision.line, 'reversals', currency, -amount),
    ]);
    countIn(decision, attempt, wish);
    if (integratorHolds(decision, currency) >= amount) cover(decision, id);
    return answer;
  },
};

/** What the buyer has from their bank is not refunded as well. */
function countIn(decision: Decision, attempt: AttemptRow, { amount, currency }: NewReversal): void {
  if (attempt.purpose === 'deposit' || currency !== attempt.currency) return;
  const { id, resource_id } = attempt;
  const document = decision.get(invoiceDocumentTable, resource_id);
  if (document === null) throw new EngineFault('an attempt has no invoice');
  const tally = chargedBack(tallyIn(decision, resource_id), id, Number(amount));
  saveTally(decision, resource_id, planOf(document), tally);
}

function cover(decision: Decision, id: string): void {
  const row = reversalIn(decision, id);
  const version = decision.move(reversalMachine, reversalTable, id, 'cover', 'covered');
  decision.post(id, version, [
    house(decision.line, 'reversals', row.currency, row.amount),
    debitIntegrator(decision, row.currency, row.amount),
  ]);
}

function reversalIn(decision: Decision, id: string): ReversalRow {
  const row = decision.get(reversalTable, id);
  if (row === null) throw new EngineFault('a reversal is not there');
  return row;
}

/** Has the integrator bear a reversal. The payload is false while it holds too little. */
export const coverReversal: Command<{ readonly reversalId: string }> = {
  name: 'cover_reversal',
  batchable: true,
  critical: true,
  needs(want, { reversalId }) {
    const row = want.read(reversalTable, reversalId);
    if (!row) return;
    want.lock(reversalTable, reversalId);
    needIntegrator(want, row.currency);
  },
  decide(decision, { reversalId }) {
    const { state, currency, amount } = reversalIn(decision, reversalId);
    const open = state === 'received';
    if (open && integratorHolds(decision, currency) < amount) {
      return { status: 200, payload: false };
    }
    if (open) cover(decision, reversalId);
    return { status: 200, payload: true };
  },
};
