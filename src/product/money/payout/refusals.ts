// The refusals of payouts, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';
import { refusals as account } from '../../people/account/index.ts';
import { refusals as wallet } from '../wallet/index.ts';

const own = defineRefusals({
  PAYOUT_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such payout.'),
  PAYOUT_NOT_CANCELABLE: no(400, 'caller', 'G-43',
    'The payout is being sent, has ended or is in manual review; it cannot be cancelled.'),
  PAYOUT_NOT_EXECUTABLE: no(400, 'caller', 'G-43',
    'The payout is being sent, has ended or is in manual review; it cannot be executed.'),
  PAYOUT_NOT_HOLDABLE: no(400, 'caller', 'G-88',
    'Only a payout that waits to be sent and is not held yet can be held.'),
  PAYOUT_NOT_HELD: no(400, 'caller', 'G-88', 'Nobody holds the payout.'),
  PAYOUT_HELD: no(400, 'caller', 'G-88', 'Somebody holds the payout: let it go first.'),
  PAYOUT_REQUIREMENTS_DUE: no(400, 'user', 'G-91',
    'The card processor requires more of the seller. They say it on the page that ' +
    '`createPayeeLink` gives.'),
  PAYOUT_KYC_REQUIRED: no(400, 'user', 'G-38',
    'Payouts require an accepted identity verification.'),
  PAYOUT_TAX_UPDATE_REQUIRED: no(400, 'user', 'G-38', 'Payouts require updated tax information.'),
  PAYOUT_SOURCE_NOT_WALLET: no(400, 'caller', 'G-43',
    'The source of a payout must be a wallet of the account.'),
  PAYOUT_DESTINATION_NOT_ALLOWED: no(400, 'caller', 'G-43',
    'The destination of a payout must be a bank or PayPal-like account.'),
  PAYOUT_CURRENCY_MISMATCH: no(400, 'caller', 'G-43',
    'The currency of the payout does not match the currency of the wallet.'),
  PAYOUT_TOO_SMALL: no(400, 'caller', 'G-43', 'The amount must be larger than the payout fee.'),
  PAYOUT_WAITS_FOR_MONEY: no(400, 'operator', 'G-91',
    'The money that is available at the processor or the bank does not cover the payout yet.'),
  PAYOUT_RESERVED: no(400, 'caller', 'G-93',
    'Too much of the wallet is in reserve against disputes; it is released by itself.'),
  PAYOUT_INSUFFICIENT_FUNDS: no(400, 'caller', 'G-43', 'The wallet has insufficient funds.'),
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
