// Every webhook event, declared once, in the order in which endpoints may choose them. Machines
// name them in their rows. Where a record is the message nothing more is needed; a message that a
// decision composes is stated by its module. [seed: Events, G-61]
import type { WebhookEvent } from '../core/event.ts';

export const events = {
  kycChanged: {
    name: 'kyc-webhook',
    when: 'A person submitted identity information, or the identity state changed.',
    cites: 'seed: Events',
  },
  entityChanged: {
    name: 'kyb-webhook',
    when: 'The verification of a business was started, or its status changed.',
    cites: 'G-55',
  },
  escrowChanged: {
    name: 'escrow-transaction-update',
    when: 'An escrow was paid, failed, committed or cancelled, by a request or a time limit.',
    cites: 'seed: Events',
    record: 'escrow',
  },
  invoiceCompleted: {
    name: 'invoice-completed',
    when: 'An invoice finished processing, as success or failed.',
    cites: 'seed: Events',
    record: 'invoice',
  },
  refundCompleted: {
    name: 'refund-completed',
    when: 'A refund reached the buyer, failed at the processor, or was rejected.',
    cites: 'G-61',
    record: 'refund_message',
  },
  payoutCompleted: {
    name: 'payout-completed',
    when: 'A payout was paid, failed, was returned by the bank, or was rejected.',
    cites: 'G-61',
    record: 'payout_message',
  },
  depositCompleted: {
    name: 'deposit-completed',
    when: 'A deposit succeeded or failed.',
    cites: 'G-49',
  },
  disputeCreated: {
    name: 'dispute-created',
    when: 'A cardholder disputed a charge, or a bank debit was returned unpaid.',
    cites: 'G-93',
    record: 'dispute',
  },
  disputeUpdated: {
    name: 'dispute-updated',
    when: 'The evidence of a dispute was submitted or declined, or the bank is reviewing it.',
    cites: 'G-93',
    record: 'dispute',
  },
  disputeClosed: {
    name: 'dispute-closed',
    when: 'A dispute was won, lost or withdrawn.',
    cites: 'G-93',
    record: 'dispute',
  },
  disputeDue: {
    name: 'dispute-response-due',
    when: 'The deadline of a dispute is near, and no response was submitted.',
    cites: 'G-93',
    record: 'dispute',
  },
  paymentMethodUpdated: {
    name: 'payment-method-updated',
    when: 'A payment method was added, renamed or removed.',
    cites: 'G-61',
    stepless: true,
  },
  accountRegistered: {
    name: 'register-account-completed',
    when: 'An account was registered; its wallets can be paid into.',
    cites: 'G-61',
    stepless: true,
  },
  blockChanged: {
    name: 'account-block-unblock-webhook',
    when: 'A capability of an account was blocked or unblocked.',
    cites: 'G-61',
  },
  /** Composed by the database in the transaction of the debit, so that no debit can miss it. */
  walletBalanceAlert: {
    name: 'wallet-balance-alert',
    when:
      "A wallet balance of the integrator fell below a threshold of the tenant's settings.",
    cites: 'G-61',
    stepless: true,
  },
  escrowExpiring: {
    name: 'escrow-expiring',
    when: 'An escrow is close to its holding limit; at the limit it is cancelled and refunded.',
    cites: 'G-42',
    record: 'escrow',
  },
  documentExpiring: {
    name: 'identity-document-expiring',
    when: 'The document of an accepted identity expires in 30 days; then a new one is required.',
    cites: 'G-51',
  },
} as const satisfies Readonly<Record<string, WebhookEvent>>;

export type EventKey = keyof typeof events;
/** Events whose message a decision composes. */
export type ComposedEvent = {
  [K in EventKey]: (typeof events)[K] extends { readonly record: string } ? never : K;
}[EventKey];
export type EventName = (typeof events)[EventKey]['name'];

/** Names that an endpoint can subscribe to. */
export const EVENT_NAMES: readonly EventName[] = Object.values(events).map(({ name }) => name);
