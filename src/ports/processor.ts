// The card processor as we need it: every exchange carries our own key, so that asking again is
// safe and an unknown outcome can be looked up. Amounts are minor units. Knows nothing of invoices.

/**
 * One exchange. The key is ours, stored before the first call, and the same on every retry. [R2]
 */
export interface ChargeOrder {
  /** The sandbox world or production tenant whose book it is. */
  readonly world: number;
  /** Our idempotency key: the attempt's id. */
  readonly key: string;
  /** The processor's token of the card. */
  readonly token: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** What the processor's book says about one key. */
export type ChargeOutcome =
  | {
      readonly state: 'authorized' | 'captured' | 'reversed';
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
    }
  /** `code` is of the failure catalogue. [G-39] */
  | { readonly state: 'declined'; readonly reference: string; readonly code: string }
  /** The processor has never seen the key. Only `look` answers this. */
  | { readonly state: 'absent' }
  /** No answer, or one that cannot be read: nothing is known, nothing may be assumed. [M13] */
  | { readonly state: 'unknown' };

/** A card as the processor shows it. Never a number. */
export interface CardToken {
  readonly token: string;
  /** Lower case with hyphens, such as `visa` or `master-card`. */
  readonly brand: string;
  readonly last4: string;
}

/** The port. No method throws for an outcome; a time-out is `unknown`. */
export interface Processor {
  /** Reserves the money. The same key again answers what the first call led to. */
  authorize(order: ChargeOrder): Promise<ChargeOutcome>;
  /** Takes what was authorised under the key. */
  capture(order: ChargeOrder): Promise<ChargeOutcome>;
  /**
   * Gives back what the key holds: voids an authorisation, refunds a capture; `absent` stays absent
   * for good.
   */
  reverse(order: ChargeOrder): Promise<ChargeOutcome>;
  /** What the book says about the key. */
  look(order: ChargeOrder): Promise<ChargeOutcome>;
}
