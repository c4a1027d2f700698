// The refusals of the books.
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  COVERAGE_NOT_FOUND: no(404, 'caller', 'G-99',
    'There is no such tenant, or it does not publish its coverage.'),
  BOOKS_TOO_LARGE: notYet(503, 'operator', 'G-99',
    'Adding up the books took too long. Try again later, or read one account.'),
});
