// The refusals of the history.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  TRANSACTION_NOT_FOUND: no(404, 'caller', 'G-11',
    'The transaction does not exist or belongs to another account.'),
  RECEIPT_NOT_GIVEN: no(409, 'caller', 'G-66',
    'There is no receipt of what is not paid yet or was not paid.'),
});
