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
  /**
   * The account of the message (or it as the buyer of a sale that is no escrow's), the sellers of
   * its escrow, who offered what was declined, or who its business waits for.
   */
  readonly to: 'account' | 'buyer' | 'sellers' | 'offerer' | 'people';
  /** The transaction that is shown: the field with its id, or the id itself; null: none. */
  readonly about: string | ((message: Told) => string) | null;
}

/** A charge of its buyer: neither a step of an escrow nor what returns money. */
function isCharge({ payment_methods: methods }: Told): boolean {
  type Method = { readonly subitems: Readonly<Record<string, { readonly subitem_type: string }>> };
  const used = Object.values(methods as Readonly<Record<string, Method>>);
  const parts = used.flatMap(({ subitems }) => Object.values(subitems));
  return used.length > 0 && parts.every(({ subitem_type: type }) => type !== 'refund');
}

interface Movement {
  readonly kind: 'release' | 'keep' | 'return';
  readonly invoice_id: string;
}

/** What was moved of an escrow, oldest first; none where it ended as a whole. */
const movesOf = ({ movements = [] }: Told) => movements as readonly Movement[];

const escrow = (kind: MailKind, status: string, to: KindRow['to']): KindRow => ({
  ...{ kind, to, event: 'escrow-transaction-update', about: 'escrow_invoice_id' },
  // Of one that moved in parts, each part is told.
  when: (message) => message['status'] === status && movesOf(message).length === 0,
});

/** A part of an escrow was moved, and more is held, or it was the last one. */
const part = (kind: MailKind, on: Movement['kind'], to: KindRow['to']): readonly KindRow[] =>
  (['escrow-part-moved', 'escrow-transaction-update'] as const).map((event) => ({
    ...{ kind, to, event },
    when: (message) => movesOf(message).at(-1)?.kind === on,
    about:
      on === 'return'
        ? (message) => movesOf(message).at(-1)?.invoice_id ?? ''
        : 'escrow_invoice_id',
  }));

const SIDES = [['account', 'buyer'], ['sellers', 'seller']] as const;

/** What concerns both sides of an escrow. */
const both = (
  kind: MailKind,
  event: EventName,
  when: KindRow['when'] = () => true,
): readonly KindRow[] =>
  SIDES.map(([to]) => ({ ...{ kind, event, to, when }, about: 'escrow_invoice_id' }));

/** What one side of a disagreement did, for the other one. */
const fromOther = (
  kind: MailKind,
  event: EventName,
  by: (message: Told) => string | undefined,
): readonly KindRow[] =>
  SIDES.map(([to, side]) => ({
    ...{ kind, event, to, about: 'escrow_invoice_id' },
    when: (message) => ![undefined, side as string].includes(by(message)),
  }));

/** Who said or proposed something; undefined where nothing is proposed any more. */
type Sided = { readonly side: string } | undefined;

/** True where all that was paid goes back to the buyer at the end of the holding. */
function returnsAll(message: Told): boolean {
  return movesOf(message).length === 0 && (message['default_outcome'] ?? 'cancel') === 'cancel';
}

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
    // Who pays into an escrow is told that by one mail, which says that the money is held.
    ...{ kind: 'receipt', to: 'buyer', event: 'invoice-completed', about: 'invoice_id' },
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
  {
    ...escrow('escrow_expiring', 'ESCROWED', 'account'),
    ...{ event: 'escrow-expiring', when: returnsAll },
  },
  ...both('escrow_date_near', 'escrow-expiring', (message) => !returnsAll(message)),
  ...both('escrow_date_near', 'escrow-date-near'),
  ...both('escrow_changed', 'escrow-schedule-changed'),
  ...part('escrow_part_released', 'release', 'account'),
  ...part('escrow_part_earned', 'release', 'sellers'),
  ...part('escrow_part_returned', 'return', 'account'),
  {
    ...{ kind: 'escrow_delivered', event: 'escrow-delivered', to: 'account' },
    ...{ about: 'escrow_invoice_id', when: () => true },
  },
  ...both('disagreement_opened', 'disagreement-opened'),
  ...fromOther('disagreement_stated', 'disagreement-stated', ({ statements }) => {
    return (statements as Sided[]).at(-1)?.side;
  }),
  ...fromOther('disagreement_proposed', 'disagreement-proposed', ({ proposal }) => {
    return (proposal as Sided)?.side;
  }),
  {
    ...{ kind: 'disagreement_declined', to: 'offerer', event: 'disagreement-proposed' },
    ...{ about: 'escrow_invoice_id', when: ({ proposal }) => proposal === undefined },
  },
  ...both('disagreement_due', 'disagreement-due'),
  ...both('disagreement_settled', 'disagreement-ended', ({ status }) => status === 'resolved'),
  ...both('disagreement_closed', 'disagreement-ended', ({ status }) => status === 'closed'),
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
