// The payment processor as we need it: every exchange carries our own key, so that asking again is
// safe and an unknown outcome can be looked up. Charges bring money in; remittances send it out: a
// refund to what was charged, a payout to a bank. Amounts are minor units. Knows no invoices.
import type { Instant } from '../kernel/time.ts';

/**
 * One exchange. The key is ours, stored before the first call, and the same on every retry. [R2]
 */
export interface ChargeOrder {
  /** The sandbox world or production tenant whose book it is. */
  readonly world: number;
  /** Our idempotency key: the attempt's id. */
  readonly key: string;
  /** The processor's token of the card or bank account. */
  readonly token: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** What the processor's book says about the key of a charge. */
export type ChargeOutcome =
  | {
      /** `pending`: the capture was accepted and is not settled yet, as with a bank debit. */
      readonly state: 'authorized' | 'pending' | 'captured' | 'reversed';
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
    }
  | {
      /** Neither reserved nor declined until the buyer has confirmed at the bank's page. */
      readonly state: 'challenged';
      readonly reference: string;
      /** That page: the same each time, not to be guessed, and for the buyer only. */
      readonly url: string;
      readonly amount: bigint;
      readonly currency: string;
    }
  | Declined
  | Absent
  | Unknown;

/** `code` is of the failure catalogue. [G-39] */
export interface Declined {
  readonly state: 'declined';
  readonly reference: string;
  readonly code: string;
}

/** The processor has never seen the key. Only a look-up answers this. */
export interface Absent {
  readonly state: 'absent';
}

/** No answer, or one that cannot be read: nothing is known, nothing may be assumed. [M13] */
export interface Unknown {
  readonly state: 'unknown';
  /** It answered that it is too busy: ask less often. */
  readonly busy?: true;
}

/** Money to be sent out under a key of its own. */
export interface RemittanceOrder {
  readonly world: number;
  /** Our idempotency key: the remittance's id. */
  readonly key: string;
  readonly kind: 'refund' | 'payout';
  /** Of a refund: the key of the charge that it gives back; of a payout: the account's token. */
  readonly target: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** What the processor's book says about the key of a remittance. */
export type RemittanceOutcome =
  | {
      /** `returned`: it was paid and came back later, as banks do within days. */
      readonly state: 'pending' | 'paid' | 'returned';
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
    }
  | Declined
  | Absent
  | Unknown;

/** What a statement tells of: money that moved, and how a dispute goes on. */
export const LINE_KINDS = [
  'capture',
  'refund',
  'payout',
  'payout_return',
  /** A cardholder disputes a charge: the money is taken until the dispute has ended. */
  'chargeback',
  /** A bank debit came back unpaid, for good. */
  'return',
  /** Nothing moves: the bank looks at what was answered. */
  'dispute_under_review',
  /** The money is given back. */
  'dispute_won',
  /** Nothing moves: what was taken stays taken. */
  'dispute_lost',
  /** The cardholder gave up: the money is given back. */
  'dispute_withdrawn',
] as const;

/** One line of the processor's own statement. [M18] */
export interface StatementLine {
  /** Ascending, without a promise of no gaps. */
  readonly line: bigint;
  /** The key of the charge (`capture`, `refund` of all of it by `reverse`, `chargeback`, `return`
   * and what becomes of a dispute) or of the remittance (`refund`, `payout`, `payout_return`). */
  readonly key: string;
  /** Of a dispute: the same on each of its lines. */
  readonly reference: string;
  readonly kind: (typeof LINE_KINDS)[number];
  /** 1; more where the processor moved money more than once under one key. */
  readonly part: number;
  readonly amount: bigint;
  readonly currency: string;
  /** Of `chargeback` and `return`: why, a code; null where it is not told. */
  readonly reason: string | null;
  /** Of `chargeback`: until when an answer is taken; null where none is. */
  readonly due_by: Instant | null;
}

/** A processor's notice that something changed under a key; the book is asked what. */
export interface Notice {
  readonly world: number;
  /** The processor's own id of the notice; a repetition carries the same. */
  readonly id: string;
  readonly key: string;
  /** `statement`: the statement has a new line about the key. */
  readonly about: 'charge' | 'remittance' | 'statement';
}

/** A card or account as the processor shows it. Never a number. */
export interface CardToken {
  readonly token: string;
  /** Lower case with hyphens, such as `visa` or `master-card`; `ach` and `paypal` are no cards. */
  readonly brand: string;
  readonly last4: string;
}

/** The port. No method throws for an outcome; a time-out is `unknown`. */
export interface Processor {
  /** Reserves the money, or has the buyer asked first. The same key again answers the same. */
  authorize(order: ChargeOrder): Promise<ChargeOutcome>;
  /** Takes what was authorised under the key. */
  capture(order: ChargeOrder): Promise<ChargeOutcome>;
  /**
   * Gives back what the key holds: voids an authorisation, refunds a capture; `absent` stays absent
   * for good.
   */
  reverse(order: ChargeOrder): Promise<ChargeOutcome>;
  /** What the book says about the key of a charge. */
  look(order: ChargeOrder): Promise<ChargeOutcome>;
  /** Sends money out. The same key again answers what the first call led to. */
  remit(order: RemittanceOrder): Promise<RemittanceOutcome>;
  /** What the book says about the key of a remittance. */
  lookRemittance(order: RemittanceOrder): Promise<RemittanceOutcome>;
  /** Lines after the given one, oldest first, at most 1,000; null without a readable answer. */
  statement(world: number, after: bigint): Promise<readonly StatementLine[] | null>;
  /**
   * Reads a notice from its headers and parsed body; null unless it is signed by the processor and
   * fresh.
   */
  readNotice(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: unknown,
  ): Notice | null;
}
