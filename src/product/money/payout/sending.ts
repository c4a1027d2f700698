// Sends a payout: the move and the outbound transfer of the net amount in one transaction, with a
// new key each time. Pure. [G-43, R6]
import type { Decision } from '../../../engine/index.ts';
import { beginTransfer, type PaymentMethodRow } from '../wallet/index.ts';
import type { EligibilitySeen } from './eligibility.ts';
import { payoutMachine } from './machine.ts';
import { payoutTable, type PayoutRow } from './tables.ts';

/**
 * Sends a payout that is ready; gives its new row, or null where its destination is no longer
 * active. `seen` goes into the history.
 */
export function sendPayout(
  decision: Decision,
  row: PayoutRow,
  destination: PaymentMethodRow | null,
  on: 'execute' | 'release',
  transferId: string,
  seen: EligibilitySeen,
): PayoutRow | null {
  const { id, currency, amount, fee_amount } = row;
  if (destination?.pm_state !== 'ACTIVE') return null;
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
  });
  return decision.get(payoutTable, id);
}
