// The payment processor as Holdfast needs it: every call carries our own key, so that it can be
// repeated and an unknown outcome looked up. Amounts are minor units.
import type { Instant } from '../../core/time.ts';

/** Ways to pay once on the processor's page, by card or at the payer's bank: nothing is saved. */
export const ONCE_KINDS = ['card', 'ideal', 'bancontact'] as const;
export type OnceKind = (typeof ONCE_KINDS)[number];
/** What sellers enter at a processor: a US account number, a login, or who they are. */
export const PAYOUT_ENTRIES = ['bank', 'paypal', 'payee'] as const;
export type PayoutEntry = (typeof PAYOUT_ENTRIES)[number];

/** The token of an order that is paid once. It names no person. */
export function onceToken(kind: OnceKind): string {
  return `once-${kind}`;
}

/** How the order of a token is paid once; null where the token is a saved card or account. */
export function onceKindOf(token: string): OnceKind | null {
  return ONCE_KINDS.find((kind) => onceToken(kind) === token) ?? null;
}

/** One charge. The key is ours, stored before the first call and the same on every retry. [R2] */
export interface ChargeOrder {
  /** The sandbox workspace or production tenant it belongs to. */
  readonly workspace: number;
  /** The connection that it was made at; null or absent: the workspace's present one. */
  readonly connection?: string | null | undefined;
  /** Our idempotency key: the payment attempt's id. */
  readonly key: string;
  /** The processor's token of the card or bank account, or how it is paid once: `onceToken`. */
  readonly token: string;
  readonly amount: bigint;
  readonly currency: string;
  /** The processor's own, where an earlier answer gave it; spares a search by key. */
  readonly reference?: string | null | undefined;
}

/** What the processor's records say about the key of a charge. */
export type ChargeOutcome =
  | {
      /** `pending`: the capture was accepted but is not settled yet, as with a bank debit. */
      readonly state: 'authorized' | 'pending' | 'captured' | 'reversed';
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
    }
  | {
      /**
       * Neither authorized nor declined until the buyer has confirmed on the bank's page, or has
       * paid on the processor's own.
       */
      readonly state: 'challenged';
      readonly reference: string;
      /** That page: the same each time, unguessable, for the buyer only. */
      readonly url: string;
      readonly amount: bigint;
      readonly currency: string;
    }
  | Declined
  | Absent
  | Unknown;

/** Why a processor declines: its part of the failure catalogue. [G-39] */
export const DECLINE_CODES = [
  'generic_error',
  'insufficient_funds',
  'card_declined',
  'card_expired',
  'incorrect_cvc',
  'processing_error',
  'authentication_required',
  'limit_exceeded',
] as const;
export type DeclineCode = (typeof DECLINE_CODES)[number];

/** Nothing is held under the key, for good. */
export interface Declined {
  readonly state: 'declined';
  readonly reference: string;
  readonly code: DeclineCode;
}

/** The processor does not know the key. Only retrieving gives this. */
export interface Absent {
  readonly state: 'absent';
}

/** No answer or an unreadable one: nothing may be assumed. [M13] */
export interface Unknown {
  readonly state: 'unknown';
  /** The processor is too busy: call less often. */
  readonly busy?: true;
}

/** An outbound transfer under a key of its own. */
export interface TransferOrder {
  readonly workspace: number;
  /** Of a refund: the connection of its charge; of a payout: the first one that was asked. */
  readonly connection?: string | null | undefined;
  /** Our idempotency key: the outbound transfer's id. */
  readonly key: string;
  readonly kind: 'refund' | 'payout';
  /** Of a refund: the key of the charge; of a payout: the account's token. */
  readonly target: string;
  /** Of a refund: the processor's own reference of the charge, where its answer was stored. */
  readonly charge?: string | null | undefined;
  readonly amount: bigint;
  readonly currency: string;
}

/** What the processor's records say about the key of an outbound transfer. */
export type TransferOutcome =
  | {
      /** `returned`: it was paid and the bank returned it later, as banks do within days. */
      readonly state: 'pending' | 'paid' | 'returned';
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
    }
  | Declined
  | Absent
  | Unknown;

/** What a piece of evidence shows, in the words of card networks. [G-93] */
export const EVIDENCE_KINDS = [
  'product_description',
  'customer_communication',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'shipping_tracking',
  'other',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** An answer to a dispute: all its evidence at once, under a key of its own. [G-93] */
export interface AnswerOrder {
  readonly workspace: number;
  /** Our idempotency key, stored before the first call. */
  readonly key: string;
  /** The processor's reference of the dispute. */
  readonly reference: string;
  /** The key of the disputed charge. */
  readonly charge: string;
  readonly texts: readonly { readonly kind: EvidenceKind; readonly text: string }[];
  /** Inspected, without metadata. */
  readonly files: readonly {
    readonly kind: EvidenceKind;
    readonly mime: 'image/jpeg' | 'image/png' | 'application/pdf';
    readonly bytes: Buffer;
  }[];
}

/**
 * What the processor's records say about the key of an answer. `accepted`: the bank has it; how the
 * dispute goes on is said by the statement alone.
 */
export type AnswerOutcome =
  | { readonly state: 'accepted'; readonly reference: string }
  | Declined
  | Absent
  | Unknown;

/** Kinds of statement rows: money that moved, and the course of a dispute. */
export const LINE_KINDS = [
  'capture',
  'refund',
  'payout',
  'payout_return',
  /** A cardholder disputes a charge: the money is taken until the dispute ends. */
  'chargeback',
  /** A bank debit came back unpaid, for good. */
  'return',
  /** Nothing moves: the bank reviews the evidence. */
  'dispute_under_review',
  /** The money is given back. */
  'dispute_won',
  /** Nothing moves: what was taken stays taken. */
  'dispute_lost',
  /** The cardholder gave up: the money is given back. */
  'dispute_withdrawn',
  /** A charge of the processor that belongs to no payment, such as a monthly one. */
  'fee',
  /** The processor sent money of ours to our own bank account. */
  'provider_payout',
  /** That bank account did not take it, so that the processor has it again. */
  'provider_payout_returned',
] as const;

/** Kinds of rows about our own money at the processor: their key is none of ours. */
export const OWN_KINDS = ['fee', 'provider_payout', 'provider_payout_returned'] as const;

/** One row of the processor's own statement. [M18] */
export interface StatementLine {
  /** The processor's own id of the row; a row that is read again has the same. */
  readonly row: string;
  /**
   * The key of the charge (`capture`, `refund` of all of it by `reverse`, `chargeback`, `return`
   * and the course of a dispute) or of the outbound transfer (`refund`, `payout`, `payout_return`).
   * Of the rest: the processor's own, the same as `reference`.
   */
  readonly key: string;
  /**
   * Of a dispute: the same in each of its rows. Of `provider_payout` and its return: the same, and
   * what our bank's statement shows.
   */
  readonly reference: string;
  readonly kind: (typeof LINE_KINDS)[number];
  /** 1; higher if the processor moved money more than once under one key. */
  readonly part: number;
  readonly amount: bigint;
  readonly currency: string;
  /** Reason code of `chargeback` and `return`; null if not given. */
  readonly reason: string | null;
  /** Of `chargeback`: deadline for an answer; null if none is accepted. */
  readonly due_by: Instant | null;
  /**
   * What the processor kept of this movement, minor units beside `amount`; negative: gave back. 0
   * for the kind `fee`, whose amount is the charge itself.
   */
  readonly fee: bigint;
  /** When the money may be paid out, or is gone; null: at once, or the processor does not say. */
  readonly available_at: Instant | null;
}

/** Rows of a statement in the order in which they are to be booked. */
export interface StatementPage {
  readonly lines: readonly StatementLine[];
  /** Where the next page begins: a text of the processor's adapter, opaque to everybody else. */
  readonly cursor: string;
  /** True where the next page is known to have rows. */
  readonly more: boolean;
}

/** A request that may be a webhook, with its body byte for byte as it was signed. */
export interface RawNotice {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** A webhook of the processor: something changed under a key, which must then be retrieved. */
export interface Notice {
  readonly workspace: number;
  /** The processor's own id of the webhook; a repetition has the same. */
  readonly id: string;
  readonly key: string;
  /**
   * `statement`: the statement has a new row about the key. `payee`: a seller's account changed,
   * and the key is its reference.
   */
  readonly about: 'charge' | 'remittance' | 'statement' | 'payee';
}

/** A card or account as the processor shows it. Never a number. */
export interface CardToken {
  readonly token: string;
  /** Lower case with hyphens, such as `visa` or `master-card`; `ach` and `paypal` are no cards. */
  readonly brand: string;
  readonly last4: string;
}

/** The port. No method throws for an outcome; a timeout is `unknown`. */
export interface Processor {
  /** How a buyer can pay once on the processor's page; empty: not at all. */
  onceKinds(workspace: number): Promise<readonly OnceKind[]>;
  /** What of its entries a payout can go to; empty: it pays nobody out. */
  payoutEntries(workspace: number): Promise<readonly PayoutEntry[]>;
  /** Authorizes, or has the buyer confirm first. The same key again gives the same outcome. */
  authorize(order: ChargeOrder): Promise<ChargeOutcome>;
  /** Captures what was authorized under the key. */
  capture(order: ChargeOrder): Promise<ChargeOutcome>;
  /**
   * Gives back what the key holds: voids an authorization, refunds a capture; `absent` stays absent
   * for good.
   */
  reverse(order: ChargeOrder): Promise<ChargeOutcome>;
  /** Retrieves a charge by key. */
  retrieve(order: ChargeOrder): Promise<ChargeOutcome>;
  /** Sends money out. The same key again gives the first call's outcome. */
  remit(order: TransferOrder): Promise<TransferOutcome>;
  /** Retrieves an outbound transfer by key. */
  retrieveTransfer(order: TransferOrder): Promise<TransferOutcome>;
  /** Answers a dispute. The same key again gives the first call's outcome. */
  answerDispute(order: AnswerOrder): Promise<AnswerOutcome>;
  /** Retrieves an answer by key, and by the dispute's reference where the processor needs it. */
  retrieveAnswer(
    order: Pick<AnswerOrder, 'workspace' | 'key' | 'reference'>,
  ): Promise<AnswerOutcome>;
  /**
   * The page at a cursor, or the first one; at most 1,000 rows, and rows of earlier pages may
   * return. Null without a readable answer.
   */
  statement(workspace: number, cursor: string | null): Promise<StatementPage | null>;
  /**
   * Reads a webhook; null unless the processor signed it and it is fresh. The workspace is the one
   * whose address it came to, or null where one address serves all.
   */
  readNotice(raw: RawNotice, workspace: number | null): Notice | null;
}
