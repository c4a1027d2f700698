// What the payout flow reads from the platform, and sentences for refusals and statuses. [G-43]
import { moneyText } from '../kit/money-text.ts';
import { typedAmount } from '../kit/typed-money.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { t, textOf } from '../texts.ts';

/** What a payout would cost. */
export interface Quote {
  /** Minor units. */
  readonly amount: number;
  readonly display_amount: string;
  readonly display_fee_amount: string;
  readonly display_net_amount: string;
}

/** The part of a payout that a person sees. */
export interface Payout {
  readonly payout_status_id: string;
  readonly status: string;
  readonly display_amount: string;
  readonly display_net_amount: string;
  readonly credit: { readonly destination_payment_method_id: string };
  readonly created: string;
}

/** The wallets with money to pay out, the fullest first. */
export function fundedWallets(methods: readonly PaymentMethod[]): readonly PaymentMethod[] {
  const funded = methods.filter(
    ({ provider, wallet_balance }) => provider === 'wallet' && Number(wallet_balance) > 0,
  );
  return funded.sort((one, other) => Number(other.wallet_balance) - Number(one.wallet_balance));
}

const DESTINATIONS: readonly string[] = ['ach', 'paypal', 'bank', 'payee'];

/** Methods that money can be sent to. */
export function destinations(methods: readonly PaymentMethod[]): readonly PaymentMethod[] {
  return methods.filter(
    ({ provider, pm_state }) => pm_state === 'ACTIVE' && DESTINATIONS.includes(provider),
  );
}

/** What is wrong with an amount; undefined for a good one. */
export function amountFault(
  amount: number | null,
  wallet: PaymentMethod,
): string | undefined {
  const { processing_currency: currency, wallet_balance } = wallet;
  if (amount === null) {
    return t('payout.amount_missing', { amount: typedAmount(2500, currency) });
  }
  if (amount <= Number(wallet_balance)) return undefined;
  return t('payout.amount_over', { amount: moneyText(Number(wallet_balance), currency) });
}

/** The sentence for a refusal's codes; undefined if it has none of its own. */
export function refusalText(codes: readonly string[]): string | undefined {
  return codes.map((code) => textOf('payout', code)).find((text) => text !== undefined);
}

/** Codes after which the identity is requested again. */
export const IDENTITY_CODES = ['PAYOUT_KYC_REQUIRED', 'PAYOUT_TAX_UPDATE_REQUIRED'];

const HELD = ['ESCROW-TRANSFER-INITIATED', 'FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD'];

/** Status text of a pending payout; null if it has ended. */
export function pendingText(status: string): string | null {
  if (HELD.includes(status)) return t('payout.pending_review');
  if (status === 'CREDIT-TRANSFER-INITIATED') return t('payout.pending_sent');
  return status === 'FAILED' ? t('payout.pending_failed') : null;
}

/** True while its owner can cancel it. */
export function isCancelable(status: string): boolean {
  return HELD.includes(status) || status === 'FAILED';
}
