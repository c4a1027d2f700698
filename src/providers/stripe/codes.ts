// Why Stripe declines, as one table from its codes to the failure catalogue. Stripe asks never to
// show that a card is lost, stolen or suspected of fraud: those read as any other decline. [G-39]
import type { DeclineCode } from '../processor/port.ts';

/** Stripe's `decline_code` and `code`, by what they mean here. */
const MEANT: Partial<Readonly<Record<DeclineCode, readonly string[]>>> = {
  insufficient_funds: [
    'insufficient_funds',
    'balance_insufficient',
  ],
  card_declined: [
    ...['card_declined', 'generic_decline', 'do_not_honor', 'do_not_try_again', 'call_issuer'],
    ...['fraudulent', 'lost_card', 'stolen_card', 'merchant_blacklist', 'pickup_card'],
    ...['restricted_card', 'security_violation', 'revocation_of_all_authorizations'],
    ...['revocation_of_authorization', 'stop_payment_order', 'transaction_not_allowed'],
    ...['no_action_taken', 'not_permitted', 'service_not_allowed', 'card_not_supported'],
    ...['currency_not_supported', 'duplicate_transaction', 'invalid_account', 'new_account'],
    ...['incorrect_number', 'invalid_number', 'incorrect_zip', 'incorrect_address'],
    ...['incorrect_postal_code', 'testmode_decline', 'test_mode_live_card', 'live_mode_test_card'],
    ...['mobile_device_authentication_required', 'invalid_pin', 'incorrect_pin'],
    ...['pin_try_exceeded', 'online_or_offline_pin_required', 'offline_pin_required'],
    ...['account_closed', 'no_account', 'bank_account_declined', 'bank_account_restricted'],
    ...['bank_account_unusable', 'debit_not_authorized', 'refer_to_customer'],
    ...['payment_method_customer_decline', 'payment_method_provider_decline'],
    ...['payment_method_restricted', 'payment_method_bank_account_blocked'],
  ],
  card_expired: [
    ...['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'],
    'expired_payment_method',
  ],
  incorrect_cvc: ['incorrect_cvc', 'invalid_cvc'],
  processing_error: [
    ...['processing_error', 'issuer_not_available', 'try_again_later', 'reenter_transaction'],
    ...['approve_with_id', 'no_response', 'payment_method_provider_timeout'],
    ...['payment_intent_payment_attempt_failed', 'payment_intent_payment_attempt_expired'],
    ...['charge_expired_for_capture', 'capture_charge_authorization_expired'],
    ...['three_d_secure_authentication_upstream_error', 'payment_method_not_available'],
    ...['charge_already_refunded', 'charge_disputed', 'refund_disputed_payment'],
    'charge_not_refundable',
  ],
  authentication_required: [
    ...['authentication_required', 'authentication_failure', 'authentication_not_handled'],
    ...['payment_intent_authentication_failure', 'payment_intent_action_required'],
    ...['approval_required', 'three_d_secure_authentication_not_supported'],
    ...['setup_intent_authentication_failure', 'payment_intent_mandate_invalid'],
    'india_recurring_payment_mandate_canceled',
  ],
  limit_exceeded: [
    ...['card_velocity_exceeded', 'withdrawal_count_limit_exceeded', 'invalid_amount'],
    ...['amount_too_large', 'amount_too_small', 'charge_exceeds_transaction_limit'],
    ...['charge_exceeds_source_limit', 'card_decline_rate_limit_exceeded'],
  ],
};

const BY_CODE: ReadonlyMap<string, DeclineCode> = new Map(
  Object.entries(MEANT).flatMap(([ours, theirs]) =>
    theirs.map((code): [string, DeclineCode] => [code, ours as DeclineCode]),
  ),
);

/** Our code for a decline; the bank's `decline_code` says more than `code` and goes first. */
export function declineCode(error: {
  readonly decline_code?: string | undefined;
  readonly code?: string | undefined;
}): DeclineCode {
  const { decline_code: bank = '', code = '' } = error;
  return BY_CODE.get(bank) ?? BY_CODE.get(code) ?? 'generic_error';
}
