// Every no of this module, in order of precedence.
import { defineRefusals } from '../../kernel/refusal.ts';

export const refusals = defineRefusals({
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
