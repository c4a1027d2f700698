// The refusals of the history.
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  TRANSACTION_NOT_FOUND: {
    status: 404,
    sentence: 'The transaction does not exist or belongs to another account.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
});
