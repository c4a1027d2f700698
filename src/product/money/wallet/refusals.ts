// The refusals of wallets and payment methods, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';

const own = defineRefusals({
  WALLET_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such wallet.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  DEPOSIT_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such deposit.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  PAYMENT_METHOD_NOT_FOUND: {
    status: 400,
    sentence: 'The payment method does not exist or belongs to another account.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  ENTRY_NOT_FOUND: {
    status: 400,
    sentence: 'The entry does not exist or belongs to another account.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  PAYMENT_METHOD_ENTRY_EXPIRED: {
    status: 400,
    sentence: 'The entry has expired. Start a new one.',
    act: 'user',
    retry: false,
    cites: 'PD4',
  },
  PAYMENT_METHOD_ENTRY_CANCELLED: {
    status: 400,
    sentence: 'The person cancelled the entry.',
    act: 'user',
    retry: false,
    cites: 'PD4',
  },
  PAYMENT_METHOD_ENTRY_INCOMPLETE: {
    status: 400,
    sentence: 'The person has not completed the entry at the processor yet.',
    act: 'user',
    retry: true,
    cites: 'PD4',
  },
  PAYMENT_METHOD_ENTRY_LIMIT: {
    status: 400,
    sentence: 'The account has too many open entries. Complete one, or wait until they expire.',
    act: 'user',
    retry: true,
    cites: 'PD4',
  },
  PAYMENT_METHOD_LIMIT: {
    status: 400,
    sentence: 'The account has reached the maximum number of payment methods. Remove one first.',
    act: 'user',
    retry: false,
    cites: 'G-47',
  },
  METHOD_ENTRY_UNAVAILABLE: {
    status: 503,
    sentence: 'Cards and accounts cannot be entered now; nothing was changed. Try again later.',
    act: 'caller',
    retry: true,
    cites: 'PD4',
  },
  RETURN_URL_NOT_ALLOWED: {
    status: 400,
    sentence: 'The return URL is not allowed. Register it in the settings.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  PAYMENT_METHOD_NOT_RENAMABLE: {
    status: 400,
    sentence: 'A wallet cannot be renamed.',
    act: 'caller',
    retry: false,
    cites: 'G-47',
  },
  PAYMENT_METHOD_NOT_REMOVABLE: {
    status: 400,
    sentence: 'A wallet cannot be removed.',
    act: 'caller',
    retry: false,
    cites: 'G-47',
  },
  PAYMENT_METHOD_NOT_ACTIVE: {
    status: 400,
    sentence: 'A payment method is not active.',
    act: 'caller',
    retry: false,
    cites: 'G-31',
  },
  DEPOSIT_TOO_LARGE: {
    status: 400,
    sentence: 'The deposit would exceed the maximum wallet balance.',
    act: 'caller',
    retry: false,
    cites: 'G-30',
  },
  PARKED_TOO_LATE: {
    status: 400,
    sentence: 'The invoice, deposit or payout has already ended; the money can only be returned.',
    act: 'operator',
    retry: false,
    cites: 'G-39',
  },
  CURRENCY_NOT_ENABLED: {
    status: 400,
    sentence: 'The currency is not enabled.',
    act: 'caller',
    retry: false,
    cites: 'G-30',
  },
});

/** The last is the same refusal where the path names the method. [G-11] */
export const refusals = {
  ...own,
  PAYMENT_METHOD_NOT_FOUND_IN_PATH: { ...own.PAYMENT_METHOD_NOT_FOUND, status: 404 },
};
