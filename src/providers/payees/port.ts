// Sellers' own accounts at the processor: opened under our key, completed by the seller on the
// processor's page, and paid from there to the bank account that the processor verified.
import type { Instant } from '../../core/time.ts';
import type { Unknown } from '../processor/port.ts';

/** An account to open. */
export interface PayeeOrder {
  readonly workspace: number;
  /** Our idempotency key, stored before the first call. */
  readonly key: string;
  /** ISO 3166-1 alpha-2; '' leaves it to the processor. */
  readonly country: string;
}

/** What the processor says of an account. */
export type PayeeOutcome =
  | {
      readonly state: 'open';
      /** The processor's own, which a payout goes to. */
      readonly reference: string;
      /** True: it takes payouts, and the processor requires nothing of the seller. */
      readonly payable: boolean;
      /** What the processor requires, in its own words. */
      readonly due: readonly string[];
    }
  /** It is gone, or never was this platform's. */
  | { readonly state: 'closed' }
  /** Only opening gives this: there will be none under this key. */
  | { readonly state: 'refused' }
  | Unknown;

/** A page of the processor for one visit. */
export interface PayeePage {
  readonly url: string;
  readonly expires: Instant;
}

/** The port. No method throws for an outcome. */
export interface Payees {
  /** Opens an account. The same key again gives the same account. */
  open(order: PayeeOrder): Promise<PayeeOutcome>;
  /** Retrieves an account by the processor's reference. */
  retrieve(workspace: number, reference: string): Promise<PayeeOutcome>;
  /**
   * A page on which the seller says what is due. It sends them to `returnUrl` when they are done or
   * give up, and to `refreshUrl` once it is not valid any more. Null without an answer.
   */
  page(
    workspace: number,
    reference: string,
    back: { readonly returnUrl: string; readonly refreshUrl: string },
  ): Promise<PayeePage | null>;
}
