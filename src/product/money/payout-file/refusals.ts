// The refusals of payout files, in order of precedence.
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  PAYOUT_FILE_NOT_FOUND: no(404, 'operator', 'G-91', 'There is no such payout file.'),
  PAYOUT_FILE_EMPTY: notYet(400, 'operator', 'G-91', 'No payout waits that this file could pay.'),
  PAYOUT_FILE_OUTDATED: notYet(400, 'operator', 'G-91',
    'A payout in the file has changed meanwhile; nothing was changed. Make the file again.'),
  PAYOUT_FILE_CONFIRMED: no(400, 'operator', 'G-91',
    'The payout file does not wait for a confirmation; nothing was changed.'),
  PAYOUT_FILE_SECOND_PERSON: no(400, 'operator', 'G-91',
    'Somebody other than who made the file, and independent of them, must confirm it.'),
  PAYOUT_FILE_DIGEST: no(400, 'operator', 'G-91',
    'The digest is not that of the payout file; nothing was changed.'),
  PAYOUT_FILE_NOT_CONFIRMED: no(400, 'operator', 'G-91',
    'The payout file must be confirmed by a second operator before it is handed over.'),
  PAYOUT_FILE_HANDED_OVER: no(400, 'operator', 'G-91',
    'The payout file was handed over before; nothing was changed.'),
  PAYOUT_FILE_CANCELLED: no(400, 'operator', 'G-91', 'The payout file was cancelled.'),
  PAYOUT_FILE_NOT_HANDED_OVER: no(400, 'operator', 'G-91',
    'The payout file was not handed over, so the bank cannot have carried it out.'),
  PAYOUT_FILE_AMOUNT: no(400, 'operator', 'G-91',
    'The amount or currency is not that of the payout or file; nothing was changed.'),
  PAYOUT_FILE_CONTRADICTED: no(400, 'operator', 'G-91',
    'The bank said the opposite about this payout before; nothing was changed.'),
  PAYOUT_NOT_IN_FILE: no(400, 'operator', 'G-91',
    'No payout in a file that was handed over has this end-to-end id.'),
});
