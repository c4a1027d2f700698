// The refusals of wallets and payment methods, in order of precedence.
import { defineRefusals } from '../../kernel/refusal.ts';

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
    sentence: 'The request names a payment method that the account does not have.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  ENTRY_NOT_FOUND: {
    status: 400,
    sentence: 'The account has begun no entry of that id.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  PAYMENT_METHOD_ENTRY_EXPIRED: {
    status: 400,
    sentence: 'The entry has ended; begin another one.',
    act: 'user',
    retry: false,
    cites: 'PD4',
  },
  PAYMENT_METHOD_ENTRY_CANCELLED: {
    status: 400,
    sentence: 'The person did not want to enter anything.',
    act: 'user',
    retry: false,
    cites: 'PD4',
  },
  PAYMENT_METHOD_ENTRY_INCOMPLETE: {
    status: 400,
    sentence: 'The person has not finished the entry at the processor.',
    act: 'user',
    retry: true,
    cites: 'PD4',
  },
  PAYMENT_METHOD_ENTRY_LIMIT: {
    status: 400,
    sentence: 'Too many entries of the account are open; finish one, or wait until they end.',
    act: 'user',
    retry: true,
    cites: 'PD4',
  },
  PAYMENT_METHOD_LIMIT: {
    status: 400,
    sentence: 'The account has as many payment methods as one may have; remove one first.',
    act: 'user',
    retry: false,
    cites: 'G-47',
  },
  METHOD_ENTRY_UNAVAILABLE: {
    status: 503,
    sentence: 'Cards and accounts cannot be entered now; nothing was changed.',
    act: 'caller',
    retry: true,
    cites: 'PD4',
  },
  RETURN_URL_NOT_ALLOWED: {
    status: 400,
    sentence: 'The person may not be sent to that address; register it in the settings.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  PAYMENT_METHOD_NOT_RENAMABLE: {
    status: 400,
    sentence: 'A wallet has a name that stays.',
    act: 'caller',
    retry: false,
    cites: 'G-47',
  },
  PAYMENT_METHOD_NOT_REMOVABLE: {
    status: 400,
    sentence: 'A wallet stays as long as its account.',
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
    sentence: 'The deposit would lift the wallet above the largest balance that can be shown.',
    act: 'caller',
    retry: false,
    cites: 'G-30',
  },
  PARKED_TOO_LATE: {
    status: 400,
    sentence: 'What the payment was for has ended without it; the money can only be given back.',
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
