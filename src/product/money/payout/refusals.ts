// The refusals of payouts, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';
import { refusals as account } from '../../people/account/index.ts';
import { refusals as wallet } from '../wallet/index.ts';

const input = { status: 400, act: 'caller', retry: false, cites: 'G-43' } as const;
const person = { ...input, act: 'user', cites: 'G-38' } as const;

const own = defineRefusals({
  PAYOUT_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such payout.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  PAYOUT_NOT_CANCELABLE: {
    ...input,
    sentence: 'The payout is being sent, has ended or is in manual review; it cannot be cancelled.',
  },
  PAYOUT_NOT_EXECUTABLE: {
    ...input,
    sentence: 'The payout is being sent, has ended or is in manual review; it cannot be executed.',
  },
  PAYOUT_KYC_REQUIRED: {
    ...person,
    sentence: 'Payouts require an accepted identity verification.',
  },
  PAYOUT_TAX_UPDATE_REQUIRED: {
    ...person,
    sentence: 'Payouts require updated tax information.',
  },
  PAYOUT_SOURCE_NOT_WALLET: {
    ...input,
    sentence: 'The source of a payout must be a wallet of the account.',
  },
  PAYOUT_DESTINATION_NOT_ALLOWED: {
    ...input,
    sentence: 'The destination of a payout must be a bank or PayPal-like account.',
  },
  PAYOUT_CURRENCY_MISMATCH: {
    ...input,
    sentence: 'The currency of the payout does not match the currency of the wallet.',
  },
  PAYOUT_TOO_SMALL: {
    ...input,
    sentence: 'The amount must be larger than the payout fee.',
  },
  PAYOUT_INSUFFICIENT_FUNDS: {
    ...input,
    sentence: 'The wallet has insufficient funds.',
  },
});

/** All of them, with those of the modules that a payout touches. */
export const refusals = {
  ...own,
  ACCOUNT_NOT_FOUND: account.ACCOUNT_NOT_FOUND,
  ACCOUNT_BLOCKED: account.ACCOUNT_BLOCKED,
  CURRENCY_NOT_ENABLED: wallet.CURRENCY_NOT_ENABLED,
  PAYMENT_METHOD_NOT_FOUND: wallet.PAYMENT_METHOD_NOT_FOUND,
  PAYMENT_METHOD_NOT_ACTIVE: wallet.PAYMENT_METHOD_NOT_ACTIVE,
};
