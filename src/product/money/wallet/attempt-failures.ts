// Why a payment or payout failed: all failure codes, each with the sentence shown for it. [G-39]

export const FAILURE_REASONS = {
  generic_error: 'An error occurred.',
  insufficient_funds: 'The payment method has insufficient funds.',
  card_declined: 'The card was declined.',
  card_expired: 'The card has expired.',
  incorrect_cvc: 'The security code of the card is incorrect.',
  processing_error: 'The card could not be processed.',
  authentication_required: 'The card needs the buyer to authenticate the payment.',
  payment_cancelled: 'The buyer did not complete the payment.',
  amount_mismatch: 'The wrong amount was charged; it is being refunded.',
  limit_exceeded: 'The payment is above the limit of the payment method.',
  charged_back: 'The bank has already returned the money to the buyer.',
  account_blocked: 'The account is blocked and may not transact.',
  payment_method_inactive: 'The payment method is not active.',
  bank_account_unreachable: 'Payouts cannot reach this bank account.',
} as const;
export type FailureCode = keyof typeof FAILURE_REASONS;

/** The sentence of a failure code; an unknown one reads as a generic error. */
export function failureReason(code: string): string {
  return FAILURE_REASONS[code as FailureCode] ?? FAILURE_REASONS.generic_error;
}
