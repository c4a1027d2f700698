// The refusals of reconciliation, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  NOTICE_NOT_PROVEN: {
    status: 401,
    sentence: 'The notification is not signed by the processor, or its timestamp is too old.',
    act: 'caller',
    retry: false,
    cites: 'EV6',
  },
  RECONCILIATION_ITEM_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such payment, refund, payout or discrepancy.',
    act: 'caller',
    retry: false,
    cites: 'G-39',
  },
  DECISION_NOT_POSSIBLE: {
    status: 400,
    sentence:
      'This decision is not available for this item; the reconciliation list shows which ones are.',
    act: 'operator',
    retry: false,
    cites: 'G-39',
  },
  NOTE_REQUIRED: {
    status: 400,
    sentence: 'An explanation requires a note that states the finding.',
    act: 'operator',
    retry: false,
    cites: 'M18',
  },
  ITEM_NOT_OPEN: {
    status: 400,
    sentence: 'This item is no longer waiting for a decision.',
    act: 'operator',
    retry: false,
    cites: 'G-39',
  },
  PARKED_DISPUTED: {
    status: 400,
    sentence:
      'The charge is disputed. Decide after the dispute is closed, and refund nothing that the ' +
      'bank has already returned to the buyer.',
    act: 'operator',
    retry: false,
    cites: 'G-93',
  },
  PARKED_NOT_AS_AGREED: {
    status: 400,
    sentence: 'The records of the processor do not support this decision.',
    act: 'operator',
    retry: false,
    cites: 'G-39',
  },
  PROCESSOR_SILENT: {
    status: 503,
    sentence: 'The processor did not return its records; nothing was changed. Try again later.',
    act: 'caller',
    retry: true,
    cites: 'M13',
  },
});
