// Reversals: charges that the processor took back (chargebacks and bank returns). The debt is
// booked at once and borne by the integrator as soon as it holds enough, except what an escrow
// still held; the invoice and every wallet stay as they are. [M15, G-93]
import { EngineFault, type Command, type Decision, type ReadSet } from '../../../engine/index.ts';
import {
  debitIntegrator,
  systemAccount,
  integratorHolds,
  needIntegrator,
} from '../../../ledger/index.ts';
import { invoiceDocumentTable, invoiceTable, allocationOf } from '../invoice/index.ts';
import type { AttemptRow } from '../wallet/index.ts';
import { reversalMachine } from './machine.ts';
import { reversalTable, type ReversalRow } from './tables.ts';
import { saveRefunded, refundedIn, readRefunded } from './refunded-row.ts';
import { chargedBack } from './refunded.ts';

/** Money that the processor took back. */
export interface NewReversal {
  readonly id: string;
  readonly kind: 'chargeback' | 'return';
  /** The processor's own reference, one for each time it takes money back. */
  readonly reference: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  /** How much of it an escrow held. */
  readonly secured: bigint;
  readonly currency: string;
}

/** Locks what a reversal of a charge needs: the integrator's balance and the refunded amounts. */
export function loadReversal(rows: ReadSet, attempt: AttemptRow, currency: string): void {
  needIntegrator(rows, currency);
  if (attempt.purpose === 'deposit') return;
  if (!rows.read(invoiceDocumentTable, attempt.resource_id)) return;
  rows.lock(invoiceTable, attempt.resource_id);
  readRefunded(rows, attempt.resource_id);
}

/** Books a reversal: out of the escrow, the rest as debt, covered where the integrator can. */
export function takeBack(decision: Decision, attempt: AttemptRow, what: NewReversal): void {
  const { workspace, now, lineage } = decision;
  const { id, amount, secured, currency } = what;
  const state = secured === amount ? 'escrowed' : 'received';
  const { id: attempt_id, resource_id } = attempt;
  const head = { created: now, state, version: 1, updated: now } as const;
  const row = { workspace, attempt_id, resource_id, ...what, ...head };
  decision.create(reversalMachine, reversalTable, 'receive', row);
  decision.post(id, 1, [
    systemAccount(lineage, 'processor_clearing', currency, amount),
    systemAccount(lineage, 'escrow', currency, -secured),
    systemAccount(lineage, 'reversals', currency, secured - amount),
  ]);
  countIn(decision, attempt, currency, amount);
  if (state === 'received' && integratorHolds(decision, currency) >= amount - secured) {
    cover(decision, id);
  }
}

/** Counts the amount: what the buyer's bank returned is not refunded too (minus: can be again). */
function countIn(decision: Decision, attempt: AttemptRow, currency: string, amount: bigint): void {
  if (attempt.purpose === 'deposit' || currency !== attempt.currency) return;
  const { id, resource_id } = attempt;
  const document = decision.get(invoiceDocumentTable, resource_id);
  if (document === null) throw new EngineFault('an attempt has no invoice');
  const refundedAmounts = chargedBack(refundedIn(decision, resource_id), id, Number(amount));
  saveRefunded(decision, resource_id, allocationOf(document), refundedAmounts);
}

/** Returns a won reversal: to the escrow what it held, the rest to the account that bore it. */
export function giveBackReversal(decision: Decision, attempt: AttemptRow, id: string): void {
  const { state, amount, secured, currency } = reversalIn(decision, id);
  const bearer = state === 'covered' ? 'integrator_share' : 'reversals';
  const version = decision.move(reversalMachine, reversalTable, id, 'give_back', 'given_back');
  decision.post(id, version, [
    systemAccount(decision.lineage, 'processor_clearing', currency, -amount),
    systemAccount(decision.lineage, 'escrow', currency, secured),
    systemAccount(decision.lineage, bearer, currency, amount - secured),
  ]);
  countIn(decision, attempt, currency, -amount);
}

function cover(decision: Decision, id: string): void {
  const { currency, amount, secured } = reversalIn(decision, id);
  const version = decision.move(reversalMachine, reversalTable, id, 'cover', 'covered');
  decision.post(id, version, [
    systemAccount(decision.lineage, 'reversals', currency, amount - secured),
    debitIntegrator(decision, currency, amount - secured),
  ]);
}

function reversalIn(decision: Decision, id: string): ReversalRow {
  const row = decision.get(reversalTable, id);
  if (row === null) throw new EngineFault('a reversal is not there');
  return row;
}

/** Debits the integrator for a reversal. The payload is false while it holds too little. */
export const coverReversal: Command<{ readonly reversalId: string }> = {
  name: 'cover_reversal',
  batchable: true,
  highPriority: true,
  load(rows, { reversalId }) {
    const row = rows.read(reversalTable, reversalId);
    if (!row) return;
    rows.lock(reversalTable, reversalId);
    needIntegrator(rows, row.currency);
  },
  decide(decision, { reversalId }) {
    const { state, currency, amount, secured } = reversalIn(decision, reversalId);
    const open = state === 'received';
    if (open && integratorHolds(decision, currency) < amount - secured) {
      return { status: 200, payload: false };
    }
    if (open) cover(decision, reversalId);
    return { status: 200, payload: true };
  },
};
