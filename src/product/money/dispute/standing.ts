// Whether a charge is in dispute: a manual decision about its refund waits for the end. [G-93]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { reversalTable } from '../refund/index.ts';
import type { AttemptRow } from '../wallet/index.ts';
import { isOpen } from './machine.ts';
import { disputesOfResource } from './tables.ts';

/** Reads the disputes of a charge's invoice or deposit. Its refunded amounts must be locked. */
export function loadDisputes(rows: ReadSet, charge: AttemptRow): void {
  for (const { reversal_id } of rows.find(disputesOfResource, charge.resource_id)) {
    rows.read(reversalTable, reversal_id);
  }
}

/** True while a dispute of the charge has not ended. */
export function isDisputed(decision: Decision, { id, resource_id }: AttemptRow): boolean {
  return decision
    .find(disputesOfResource, resource_id)
    .filter(({ state }) => isOpen(state))
    .some((one) => decision.get(reversalTable, one.reversal_id)?.attempt_id === id);
}
