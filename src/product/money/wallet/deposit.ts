// Deposits: money into a wallet, from a card, a bank or the sandbox. The row, its moves, the ledger
// entries and the event. [G-49, G-91]
import type { Decision } from '../../../engine/index.ts';
import { systemAccount, type SystemAccountKind } from '../../../ledger/index.ts';
import { events } from '../../events.ts';
import { creditLine } from './credit.ts';
import { depositMachine } from './machine.ts';
import { deposit } from './schema.ts';
import { depositTable, walletTable, type DepositRow } from './tables.ts';

/** A requested deposit. */
export interface DepositRequest {
  readonly id: string;
  /** UUID of the wallet's owner; null for the integrator. */
  readonly account_id: string | null;
  readonly wallet_id: string;
  /** The card that pays; null for a bank transfer and in the sandbox. */
  readonly payment_method_id: string | null;
  /** The bank transfer that it comes with. */
  readonly incoming_transfer_id?: string;
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
}

/** Creates the deposit, state `requested`. No money moves. */
export function requestDeposit(decision: Decision, request: DepositRequest): void {
  const { workspace, now } = decision;
  const times = { created: now, updated: now };
  const head = { state: 'requested', version: 1, failure_code: null } as const;
  decision.create(depositMachine, depositTable, 'request', {
    workspace,
    incoming_transfer_id: null,
    ...request,
    ...head,
    ...times,
  });
}

/**
 * Credits a requested deposit's wallet from a system account, and announces it. `needCredit` must
 * have named the wallet, and the deposit be new or locked.
 */
export function completeDeposit(
  decision: Decision,
  id: string,
  source: SystemAccountKind,
): DepositRow {
  const version = decision.move(depositMachine, depositTable, id, 'succeed', 'success');
  const row = rowOf(decision, id);
  const wallet = decision.get(walletTable, row.wallet_id);
  if (wallet === null) throw new Error('a deposit names a wallet that is not there');
  decision.post(id, version, [
    systemAccount(decision.lineage, source, row.currency, -row.amount),
    creditLine(decision, wallet, row.amount),
  ]);
  return announced(decision, row);
}

/** Ends a requested deposit without money. `failureCode` is a key of FAILURE_REASONS. [G-39] */
export function failDeposit(decision: Decision, id: string, failureCode: string): DepositRow {
  const patch = { failure_code: failureCode };
  decision.move(depositMachine, depositTable, id, 'fail', 'failed', patch, patch);
  return announced(decision, rowOf(decision, id));
}

function rowOf(decision: Decision, id: string): DepositRow {
  const row = decision.get(depositTable, id);
  if (row === null) throw new Error('a deposit is not there');
  return row;
}

function announced(decision: Decision, row: DepositRow): DepositRow {
  decision.announce(events.depositCompleted, row.id, row.version, deposit(row));
  return row;
}
