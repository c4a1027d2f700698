// Outbound transfers, money sent through the processor: how one begins and what an answer does to
// it. Whose money it is, is up to the resource's own module. Pure.
import type { Decision, LedgerEntry } from '../../../engine/index.ts';
import { EngineFault } from '../../../engine/index.ts';
import { systemAccount } from '../../../ledger/index.ts';
import type { TransferOutcome } from '../../../providers/processor/port.ts';
import type { FailureCode } from './attempt-failures.ts';
import { transferMachine, type TransferEvent, type TransferState } from './transfer-machine.ts';
import {
  transferJobTable,
  transfersOfResource,
  transferTable,
  type TransferRow,
} from './tables.ts';

/** Why a payout that no file can pay has failed. */
const UNREACHABLE: FailureCode = 'bank_account_unreachable';

export type TransferPurpose = 'escrow_cancel' | 'refund' | 'payout' | 'double_capture';

/** A transfer that is about to be sent. */
export interface NewTransfer {
  readonly id: string;
  readonly purpose: TransferPurpose;
  readonly resourceId: string;
  readonly kind: 'refund' | 'payout';
  /** For a refund the id of the charge, for a payout the processor's token of the account. */
  readonly target: string;
  readonly methodId: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly rail?: TransferRow['rail'];
}

/** An answer of the processor, or a manual decision about a transfer in review or unsent. */
export interface TransferAnswer {
  readonly transferId: string;
  readonly outcome:
    | TransferOutcome
    | { readonly state: 'accept_decided' }
    | { readonly state: 'reject_decided'; readonly reference: string }
    | { readonly state: 'retry_decided'; readonly newId: string };
}

/** What the answer means for the transfer; `waiting`: nothing new. */
export type TransferProgress =
  | { readonly kind: 'waiting' | 'paid' | 'returned' }
  | { readonly kind: 'declined'; readonly code: string };

/**
 * Begins a transfer in the transaction of its cause: its row, its first step and its job. One for a
 * payout file has no job: it waits to be collected. [R6, G-91]
 */
export function beginTransfer(decision: Decision, request: NewTransfer): void {
  const { workspace, now } = decision;
  const { rail = 'processor' } = request;
  const row = {
    workspace,
    id: request.id,
    resource_id: request.resourceId,
    purpose: request.purpose,
    kind: request.kind,
    target: request.target,
    payment_method_id: request.methodId,
    currency: request.currency,
    amount: request.amount,
    rail,
    version: 1,
    processor_reference: null,
    failure_code: null,
    updated: now,
  };
  if (rail === 'file') {
    decision.create(transferMachine, transferTable, 'queue', { ...row, state: 'waiting' });
    return;
  }
  decision.create(transferMachine, transferTable, 'begin', { ...row, state: 'sending' });
  decision.insert(transferJobTable, { workspace, transfer_id: request.id });
}

/**
 * Moves a transfer by one answer; a late or repeated one changes nothing. With `mustGo` a declined
 * transfer does not end: the money stays owed and the transfer goes to manual review. The row must
 * be locked.
 */
export function applyTransfer(
  decision: Decision,
  { transferId, outcome }: TransferAnswer,
  mustGo: boolean,
): TransferProgress {
  const row = decision.get(transferTable, transferId);
  if (row === null) throw new EngineFault('an answer names no transfer');
  const open = isOpen(row);
  switch (outcome.state) {
    case 'accept_decided':
    case 'retry_decided':
      return decided(decision, row, outcome);
    case 'declined':
      if (!open) return { kind: 'waiting' };
      return refused(decision, row, outcome.reference, outcome.code, mustGo);
    case 'reject_decided':
      if (row.state !== 'waiting') return { kind: 'waiting' };
      return refused(decision, row, outcome.reference, UNREACHABLE, false);
    case 'pending':
      if (row.state === 'sending') move(decision, row, 'accepted', 'pending', outcome);
      return { kind: 'waiting' };
    case 'paid':
    case 'returned':
      return moved(decision, row, outcome);
    default:
      return { kind: 'waiting' };
  }
}

/** True while an answer of the processor or the bank is outstanding. */
function isOpen({ state }: TransferRow): boolean {
  return state === 'sending' || state === 'pending' || state === 'handed_over';
}

function refused(
  decision: Decision,
  row: TransferRow,
  reference: string,
  code: string,
  mustGo: boolean,
): TransferProgress {
  const patch = { processor_reference: reference, failure_code: code };
  const on = mustGo ? 'refused' : 'declined';
  const to = mustGo ? 'parked' : 'declined';
  const detail = { failure_code: code };
  const version = decision.move(transferMachine, transferTable, row.id, on, to, patch, detail);
  if (row.state === 'handed_over') {
    const freed = handedOver(decision.lineage, row.currency, -row.amount);
    decision.post(row.id, version, freed);
  }
  return mustGo ? { kind: 'waiting' } : { kind: 'declined', code };
}

type Sent = Extract<TransferOutcome, { readonly state: 'pending' | 'paid' | 'returned' }>;

function moved(decision: Decision, row: TransferRow, outcome: Sent): TransferProgress {
  const { state } = row;
  if (state === 'declined') {
    // Of one in a file nothing is known that a person could decide by: its bank is asked.
    if (row.rail === 'processor') move(decision, row, 'contradicted', 'parked', outcome);
    return { kind: 'waiting' };
  }
  const open = isOpen(row);
  const back = outcome.state === 'returned';
  if (!open && !(back && state === 'paid')) return { kind: 'waiting' };
  // Only what left comes back: the file's own commands book the debit first.
  if (back && state === 'handed_over') return { kind: 'waiting' };
  // Only payouts come back from a bank; a refund that does cannot be explained.
  if (back && row.kind === 'refund') {
    if (open) move(decision, row, 'refused', 'parked', outcome);
    return { kind: 'waiting' };
  }
  if (outcome.amount !== row.amount || outcome.currency !== row.currency) {
    if (open && row.rail === 'processor') move(decision, row, 'mismatched', 'parked', outcome);
    return { kind: 'waiting' };
  }
  const to = back ? 'returned' : 'paid';
  move(decision, row, to, to, outcome);
  return { kind: to };
}

function decided(
  decision: Decision,
  row: TransferRow,
  outcome: Extract<TransferAnswer['outcome'], { state: `${'accept' | 'retry'}_decided` }>,
): TransferProgress {
  if (row.state !== 'parked') return { kind: 'waiting' };
  if (outcome.state === 'accept_decided') {
    const version = decision.move(transferMachine, transferTable, row.id, 'accept', 'paid');
    // Nothing more is posted here; reconciliation adds an entry where the money stayed with us.
    decision.post(row.id, version, []);
    return { kind: 'paid' };
  }
  decision.move(transferMachine, transferTable, row.id, 'retry', 'replaced');
  beginTransfer(decision, {
    id: outcome.newId,
    purpose: row.purpose,
    resourceId: row.resource_id,
    kind: row.kind as 'refund' | 'payout',
    target: row.target,
    methodId: row.payment_method_id,
    currency: row.currency,
    amount: row.amount,
  });
  return { kind: 'waiting' };
}

function move(
  decision: Decision,
  row: TransferRow,
  on: TransferEvent,
  to: TransferState,
  sent: Sent,
): void {
  const patch = { processor_reference: sent.reference };
  decision.move(transferMachine, transferTable, row.id, on, to, patch);
}

/** Marks a waiting transfer as handed to the bank; the file's own step posts the total. */
export function handOverTransfer(decision: Decision, { id }: TransferRow): void {
  decision.move(transferMachine, transferTable, id, 'hand_over', 'handed_over');
}

/** Moves pending payouts (minor units) into what was handed to the bank; negative: back. [G-91] */
export function handedOver(lineage: number, currency: string, amount: bigint): LedgerEntry[] {
  return [
    systemAccount(lineage, 'payout_pending', currency, -amount),
    systemAccount(lineage, 'payout_handed_over', currency, amount),
  ];
}

/** True when every transfer of a resource has been paid. */
export function allRemitted(decision: Decision, resourceId: string): boolean {
  return decision
    .find(transfersOfResource, resourceId)
    .every((row) => row.state === 'paid' || row.state === 'replaced');
}
