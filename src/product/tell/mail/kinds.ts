// Which event is told to whom by mail, as rows. A row reads the event's message, as integrators
// get it; what the mail shows is read when it is sent.
import type { EventName } from '../../events.ts';
import type { MailKind } from './texts.ts';

/** The message of an event. */
export type Told = Readonly<Record<string, unknown>>;

/** One kind of mail. */
export interface KindRow {
  readonly kind: MailKind;
  readonly event: EventName;
  /** True where the message is told. */
  when(message: Told): boolean;
  /** The account of the message, the sellers of its escrow, or who its business waits for. */
  readonly to: 'account' | 'sellers' | 'people';
  /** The field with the id of the transaction that is shown; null: none. */
  readonly about: string | null;
}

/** A charge of its buyer: neither a step of an escrow nor what returns money. */
function isCharge({ payment_methods: methods }: Told): boolean {
  type Method = { readonly subitems: Readonly<Record<string, { readonly subitem_type: string }>> };
  const used = Object.values(methods as Readonly<Record<string, Method>>);
  const parts = used.flatMap(({ subitems }) => Object.values(subitems));
  return used.length > 0 && parts.every(({ subitem_type: type }) => type !== 'refund');
}

const escrow = (kind: MailKind, status: string, to: KindRow['to']): KindRow => ({
  ...{ kind, to, event: 'escrow-transaction-update', about: 'escrow_invoice_id' },
  when: (message) => message['status'] === status,
});

const payout = (kind: MailKind, ...states: readonly string[]): KindRow => ({
  ...{ kind, to: 'account', event: 'payout-completed', about: 'payout_status_id' },
  when: (message) => states.includes(String(message['status'])),
});

const identity = (kind: MailKind, state: string): KindRow => ({
  ...{ kind, to: 'account', event: 'kyc-webhook', about: null },
  when: (message) => message['state'] === state,
});

export const KIND_ROWS: readonly KindRow[] = [
  {
    ...{ kind: 'receipt', to: 'account', event: 'invoice-completed', about: 'invoice_id' },
    when: (message) => message['state'] === 'success' && isCharge(message),
  },
  {
    ...{ kind: 'refund', to: 'account', event: 'refund-completed', about: 'invoice_id' },
    when: ({ refund }) => (refund as Told)['status'] === 'REFUND-SUCCESS',
  },
  escrow('escrow_paid', 'ESCROWED', 'account'),
  escrow('escrow_held', 'ESCROWED', 'sellers'),
  escrow('escrow_released', 'COMMITTED', 'account'),
  escrow('escrow_earned', 'COMMITTED', 'sellers'),
  escrow('escrow_returned', 'CANCELLED', 'account'),
  { ...escrow('escrow_expiring', 'ESCROWED', 'account'), event: 'escrow-expiring' },
  payout('payout_sent', 'SUCCESS'),
  payout('payout_failed', 'FAILED', 'SUPPORT-REJECTED', 'SYSTEM-REJECTED'),
  identity('identity_accepted', 'ACCEPT'),
  identity('identity_denied', 'DENY'),
  identity('identity_review', 'MANUAL_REVIEW'),
  identity('identity_more', 'REVERIFY'),
  {
    ...{ kind: 'business_invited', to: 'people', event: 'kyb-webhook', about: null },
    when: (message) => message['entity_status'] === 'PROCESSING',
  },
];

/** Events that some row reads. */
export const MAILED: readonly EventName[] = [...new Set(KIND_ROWS.map(({ event }) => event))];
