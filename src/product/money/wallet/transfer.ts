// Outbound transfers, money sent through the processor: how one begins and what an answer does to
// it. Whose money it is, is up to the resource's own module. Pure.
import type { Decision } from '../../../engine/index.ts';
import { EngineFault } from '../../../engine/index.ts';
import type { TransferOutcome } from '../../../providers/processor/port.ts';
import { transferMachine, type TransferEvent, type TransferState } from './transfer-machine.ts';
import {
  transferJobTable,
  transfersOfResource,
  transferTable,
  type TransferRow,
} from './tables.ts';

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
}

/** An answer of the processor, or a manual decision about a transfer in review. */
export interface TransferAnswer {
  readonly transferId: string;
  readonly outcome:
    | TransferOutcome
    | { readonly state: 'accept_decided' }
    | { readonly state: 'retry_decided'; readonly newId: string };
}

/** What the answer means for the transfer; `waiting`: nothing new. */
export type TransferProgress =
  | { readonly kind: 'waiting' | 'paid' | 'returned' }
  | { readonly kind: 'declined'; readonly code: string };

/** Begins a transfer: its row, first step and job, in the transaction of its cause. [R6] */
export function beginTransfer(decision: Decision, request: NewTransfer): void {
  const { workspace, now } = decision;
  decision.create(transferMachine, transferTable, 'begin', {
    workspace,
    id: request.id,
    resource_id: request.resourceId,
    purpose: request.purpose,
    kind: request.kind,
    target: request.target,
    payment_method_id: request.methodId,
    currency: request.currency,
    amount: request.amount,
    state: 'sending',
    version: 1,
    processor_reference: null,
    failure_code: null,
    updated: now,
  });
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
  const open = row.state === 'sending' || row.state === 'pending';
  switch (outcome.state) {
    case 'accept_decided':
    case 'retry_decided':
      return decided(decision, row, outcome);
    case 'declined':
      if (!open) return { kind: 'waiting' };
      return refused(decision, row, outcome.reference, outcome.code, mustGo);
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
  decision.move(transferMachine, transferTable, row.id, on, to, patch, detail);
  return mustGo ? { kind: 'waiting' } : { kind: 'declined', code };
}

type Sent = Extract<TransferOutcome, { readonly state: 'pending' | 'paid' | 'returned' }>;

function moved(decision: Decision, row: TransferRow, outcome: Sent): TransferProgress {
  const { state } = row;
  if (state === 'declined') {
    move(decision, row, 'contradicted', 'parked', outcome);
    return { kind: 'waiting' };
  }
  const open = state === 'sending' || state === 'pending';
  const back = outcome.state === 'returned';
  if (!open && !(back && state === 'paid')) return { kind: 'waiting' };
  // Only payouts come back from a bank; a refund that does cannot be explained.
  if (back && row.kind === 'refund') {
    if (open) move(decision, row, 'refused', 'parked', outcome);
    return { kind: 'waiting' };
  }
  if (outcome.amount !== row.amount || outcome.currency !== row.currency) {
    if (open) move(decision, row, 'mismatched', 'parked', outcome);
    return { kind: 'waiting' };
  }
  const to = back ? 'returned' : 'paid';
  move(decision, row, to, to, outcome);
  return { kind: to };
}

function decided(
  decision: Decision,
  row: TransferRow,
  outcome: Extract<TransferAnswer['outcome'], { state: `${string}_decided` }>,
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

/** True when every transfer of a resource has been paid. */
export function allRemitted(decision: Decision, resourceId: string): boolean {
  return decision
    .find(transfersOfResource, resourceId)
    .every((row) => row.state === 'paid' || row.state === 'replaced');
}
