// The refusals of sellers' accounts at the processor, in order of precedence.
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';
import { refusals as wallet } from '../wallet/index.ts';

const own = defineRefusals({
  PAYEE_NOT_FOUND: no(404, 'caller', 'G-11', 'The account has no account at the card processor.'),
  PAYEE_NOT_OFFERED: no(400, 'operator', 'G-91',
    'The card processor opens no accounts for sellers: it keeps none, is not set up for them, or ' +
    'not for this country.'),
  PAYEE_UNAVAILABLE: notYet(503, 'caller', 'G-91',
    'The card processor does not answer now. Try again later.'),
});

/** All of them, with that of an address that is not registered. */
export const refusals = { ...own, RETURN_URL_NOT_ALLOWED: wallet.RETURN_URL_NOT_ALLOWED };
