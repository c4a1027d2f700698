// The refusals of reconciliation, in order of precedence.
import { defineRefusals } from '../../kernel/refusal.ts';

export const refusals = defineRefusals({
  NOTICE_NOT_PROVEN: {
    status: 401,
    sentence: 'The notice is not signed by the processor, or it is too old.',
    act: 'caller',
    retry: false,
    cites: 'EV6',
  },
  RECONCILIATION_ITEM_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such payment, refund, payout or difference.',
    act: 'caller',
    retry: false,
    cites: 'G-39',
  },
  DECISION_NOT_POSSIBLE: {
    status: 400,
    sentence: 'This decision is not one that can be made here; the list says which are.',
    act: 'operator',
    retry: false,
    cites: 'G-39',
  },
  NOTE_REQUIRED: {
    status: 400,
    sentence: 'An explanation needs a note that says what was found.',
    act: 'operator',
    retry: false,
    cites: 'M18',
  },
  ITEM_NOT_OPEN: {
    status: 400,
    sentence: 'Nothing waits for a decision here any more.',
    act: 'operator',
    retry: false,
    cites: 'G-39',
  },
  PARKED_DISPUTED: {
    status: 400,
    sentence:
      'The bank took the charge back: decide once its dispute has ended, and send nothing that ' +
      'the buyer has already.',
    act: 'operator',
    retry: false,
    cites: 'G-93',
  },
  PARKED_NOT_AS_AGREED: {
    status: 400,
    sentence: "The processor's book does not show what this decision needs.",
    act: 'operator',
    retry: false,
    cites: 'G-39',
  },
  PROCESSOR_SILENT: {
    status: 503,
    sentence: 'The processor does not say now what its book shows; nothing was changed.',
    act: 'caller',
    retry: true,
    cites: 'M13',
  },
});
