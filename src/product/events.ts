// Every webhook event, declared once, in the order in which endpoints may choose them. Machines
// name them in their rows. Where a record is the message nothing more is needed; a message that a
// decision composes is stated by its module. [seed: Events, G-61]
import type { WebhookEvent } from '../core/event.ts';

type More = Pick<WebhookEvent, 'record' | 'stepless'>;

function event<const N extends string, const M extends More = object>(
  name: N,
  cites: string,
  when: string,
  more?: M,
) {
  return { name, when, cites, ...(more as M) };
}

export const events = {
  kycChanged: event('kyc-webhook', 'seed: Events',
    'A person submitted identity information, or the identity state changed.'),
  entityChanged: event('kyb-webhook', 'G-55',
    'The verification of a business was started, or its status changed.'),
  escrowChanged: event('escrow-transaction-update', 'seed: Events',
    'An escrow was paid, failed, committed or cancelled, by a request or a time limit.',
    { record: 'escrow' }),
  invoiceCompleted: event('invoice-completed', 'seed: Events',
    'An invoice finished processing, as success or failed.', { record: 'invoice' }),
  refundCompleted: event('refund-completed', 'G-61',
    'A refund reached the buyer, failed at the processor, or was rejected.',
    { record: 'refund_message' }),
  payoutCompleted: event('payout-completed', 'G-61',
    'A payout was paid, failed, was returned by the bank, or was rejected.',
    { record: 'payout_message' }),
  depositCompleted: event('deposit-completed', 'G-49', 'A deposit succeeded or failed.'),
  disputeCreated: event('dispute-created', 'G-93',
    'A cardholder disputed a charge, or a bank debit was returned unpaid.', { record: 'dispute' }),
  disputeUpdated: event('dispute-updated', 'G-93',
    'The evidence of a dispute was submitted or declined, or the bank is reviewing it.',
    { record: 'dispute' }),
  disputeClosed: event('dispute-closed', 'G-93',
    'A dispute was won, lost or withdrawn.', { record: 'dispute' }),
  disputeDue: event('dispute-response-due', 'G-93',
    'The deadline of a dispute is near, and no response was submitted.', { record: 'dispute' }),
  disagreementOpened: event('disagreement-opened', 'G-96',
    'Buyer and seller of an escrow disagree: it is frozen until that is settled.',
    { record: 'disagreement' }),
  disagreementStated: event('disagreement-stated', 'G-96',
    'A side of a disagreement stated something or handed in a file.', { record: 'disagreement' }),
  disagreementProposed: event('disagreement-proposed', 'G-96',
    'A side of a disagreement proposed a split, or declined the one that was proposed.',
    { record: 'disagreement' }),
  disagreementDue: event('disagreement-due', 'G-96',
    'The limit of a disagreement is near: at the limit its default outcome follows.',
    { record: 'disagreement' }),
  disagreementEnded: event('disagreement-ended', 'G-96',
    'What was held was divided, or a lost dispute of a charge ended the escrow.',
    { record: 'disagreement' }),
  paymentMethodUpdated: event('payment-method-updated', 'G-61',
    'A payment method was added, renamed or removed.', { stepless: true }),
  accountRegistered: event('register-account-completed', 'G-61',
    'An account was registered; its wallets can be paid into.', { stepless: true }),
  blockChanged: event('account-block-unblock-webhook', 'G-61',
    'A capability of an account was blocked or unblocked.'),
  /** Composed by the database in the transaction of the debit, so that no debit can miss it. */
  walletBalanceAlert: event('wallet-balance-alert', 'G-61',
    "A wallet balance of the integrator fell below a threshold of the tenant's settings.",
    { stepless: true }),
  escrowPartMoved: event('escrow-part-moved', 'G-94',
    'A part of an escrow was released to its sellers or returned to its buyer; more is held.',
    { record: 'escrow' }),
  escrowRescheduled: event('escrow-schedule-changed', 'G-95',
    'Dates of an escrow were set, moved or taken away.', { record: 'escrow' }),
  escrowDateNear: event('escrow-date-near', 'G-95',
    'A date of an escrow is near, at which held money is released or returned.',
    { record: 'escrow' }),
  escrowDelivered: event('escrow-delivered', 'G-95',
    'A seller said that a milestone or all of an escrow was delivered; no money moves.',
    { record: 'escrow' }),
  escrowExpiring: event('escrow-expiring', 'G-42',
    'An escrow is close to its holding limit; at the limit it is cancelled and refunded.',
    { record: 'escrow' }),
  documentExpiring: event('identity-document-expiring', 'G-51',
    'The document of an accepted identity expires in 30 days; then a new one is required.'),
} as const;

export type EventKey = keyof typeof events;
/** Events whose message a decision composes. */
export type ComposedEvent = {
  [K in EventKey]: (typeof events)[K] extends { readonly record: string } ? never : K;
}[EventKey];
export type EventName = (typeof events)[EventKey]['name'];

/** Names that an endpoint can subscribe to. */
export const EVENT_NAMES: readonly EventName[] = Object.values(events).map(({ name }) => name);
