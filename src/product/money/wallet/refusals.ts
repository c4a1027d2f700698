// The refusals of wallets and payment methods, in order of precedence.
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';

const own = defineRefusals({
  WALLET_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such wallet.'),
  DEPOSIT_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such deposit.'),
  PAYMENT_METHOD_NOT_FOUND: no(400, 'caller', 'G-11',
    'The payment method does not exist or belongs to another account.'),
  ENTRY_NOT_FOUND: no(400, 'caller', 'G-11',
    'The entry does not exist or belongs to another account.'),
  PAYMENT_METHOD_ENTRY_EXPIRED: no(400, 'user', 'PD4', 'The entry has expired. Start a new one.'),
  PAYMENT_METHOD_ENTRY_CANCELLED: no(400, 'user', 'PD4', 'The person cancelled the entry.'),
  PAYMENT_METHOD_ENTRY_INCOMPLETE: notYet(400, 'user', 'PD4',
    'The person has not completed the entry at the processor yet.'),
  PAYMENT_METHOD_ENTRY_LIMIT: notYet(400, 'user', 'PD4',
    'The account has too many open entries. Complete one, or wait until they expire.'),
  PAYMENT_METHOD_LIMIT: no(400, 'user', 'G-47',
    'The account has reached the maximum number of payment methods. Remove one first.'),
  METHOD_ENTRY_UNAVAILABLE: notYet(503, 'caller', 'PD4',
    'Cards and accounts cannot be entered now; nothing was changed. Try again later.'),
  RETURN_URL_NOT_ALLOWED: no(400, 'caller', 'G-64',
    'The return URL is not allowed. Register it in the settings.'),
  PAYMENT_METHOD_NOT_RENAMABLE: no(400, 'caller', 'G-47', 'A wallet cannot be renamed.'),
  PAYMENT_METHOD_NOT_REMOVABLE: no(400, 'caller', 'G-47', 'A wallet cannot be removed.'),
  PAYMENT_METHOD_NOT_ACTIVE: no(400, 'caller', 'G-31', 'A payment method is not active.'),
  DEPOSIT_TOO_LARGE: no(400, 'caller', 'G-30',
    'The deposit would exceed the maximum wallet balance.'),
  PARKED_TOO_LATE: no(400, 'operator', 'G-39',
    'The invoice, deposit or payout has already ended; the money can only be returned.'),
  CURRENCY_NOT_ENABLED: no(400, 'caller', 'G-30', 'The currency is not enabled.'),
});

/** The last is the same refusal where the path names the method. [G-11] */
export const refusals = {
  ...own,
  PAYMENT_METHOD_NOT_FOUND_IN_PATH: { ...own.PAYMENT_METHOD_NOT_FOUND, status: 404 },
};
