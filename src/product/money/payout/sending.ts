// Sends a payout: the move, the outbound transfer of the net amount and its hold on available money
// in one transaction, with a new key each time. One to an account by IBAN waits for a payout file
// and for money at our bank. Pure. [G-43, G-91, R6]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import type { RefusalSpec } from '../../../core/refusal.ts';
import { covers, holdFunds, lockFunds } from '../treasury/index.ts';
import { beginTransfer, paymentMethodTable } from '../wallet/index.ts';
import type { EligibilitySeen } from './eligibility.ts';
import { payoutMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { payoutTable, type PayoutRow } from './tables.ts';

/** Where a payout goes and what pays for it: the funds are locked. */
export function loadMeans(rows: ReadSet, row: PayoutRow | null) {
  if (row === null) return { destination: null, place: 'processor' as const, funds: null };
  const destination = rows.read(paymentMethodTable, row.destination_method_id);
  const place = destination?.provider === 'bank' ? 'bank' : 'processor';
  return { destination, place, funds: lockFunds(rows, place, row.currency) } as const;
}

/**
 * Sends a payout that is ready; gives its new row, or the refusal where its destination is no
 * longer active or available money does not cover it. `seen` goes into the history.
 */
export function sendPayout(
  decision: Decision,
  row: PayoutRow,
  { destination, place, funds }: ReturnType<typeof loadMeans>,
  on: 'execute' | 'release',
  transferId: string,
  seen: EligibilitySeen,
): PayoutRow | RefusalSpec {
  const { id, currency, amount, fee_amount } = row;
  if (destination?.pm_state !== 'ACTIVE') return no.PAYMENT_METHOD_NOT_ACTIVE;
  if (!covers(funds, place, amount - fee_amount)) return no.PAYOUT_WAITS_FOR_MONEY;
  const to = 'CREDIT-TRANSFER-INITIATED';
  const patch = { transfer_id: transferId, failure_code: null, due: null };
  decision.move(payoutMachine, payoutTable, id, on, to, patch, seen);
  beginTransfer(decision, {
    id: transferId,
    purpose: 'payout',
    resourceId: id,
    kind: 'payout',
    target: destination.processor_token,
    methodId: destination.id,
    currency,
    amount: amount - fee_amount,
    rail: place === 'bank' ? 'file' : 'processor',
  });
  holdFunds(decision, funds, transferId, amount - fee_amount);
  return decision.get(payoutTable, id) ?? row;
}
