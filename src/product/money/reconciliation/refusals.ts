// The refusals of reconciliation, in order of precedence.
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  NOTICE_NOT_PROVEN: no(401, 'caller', 'EV6',
    'The notification is not signed by the processor, or its timestamp is too old.'),
  RECONCILIATION_ITEM_NOT_FOUND: no(404, 'caller', 'G-39',
    'There is no such payment, refund, payout or discrepancy.'),
  DECISION_NOT_POSSIBLE: no(400, 'operator', 'G-39',
    'This decision is not available for this item; the reconciliation list shows which ones are.'),
  NOTE_REQUIRED: no(400, 'operator', 'M18',
    'An explanation requires a note that states the finding.'),
  ITEM_NOT_OPEN: no(400, 'operator', 'G-39', 'This item is no longer waiting for a decision.'),
  PARKED_DISPUTED: no(400, 'operator', 'G-93',
    'The charge is disputed. Decide after the dispute is closed, and refund nothing that the ' +
    'bank has already returned to the buyer.'),
  PARKED_NOT_AS_AGREED: no(400, 'operator', 'G-39',
    'The records of the processor do not support this decision.'),
  PROCESSOR_SILENT: notYet(503, 'caller', 'M13',
    'The processor did not return its records; nothing was changed. Try again later.'),
});
