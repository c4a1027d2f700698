// Test cards and accounts, and how the next exchanges go, where a sandbox processor is behind the
// installation; a production installation has no such port. Knows no card number.
import type { CardToken } from './processor.ts';

/** One test card, for people. */
export interface TestCardFact {
  readonly name: string;
  /** Lower case with hyphens; `ach` and `paypal` can be paid out to. */
  readonly brand: string;
  readonly last4: string;
  /** One sentence: what happens to a payment. */
  readonly outcome: string;
}

/** One scripted trouble of a payment, refund or payout. */
export interface ScenarioFact {
  readonly name: string;
  /** One sentence: what the processor does. */
  readonly story: string;
  /** One sentence: how the payment must end. */
  readonly ends: string;
}

/** What only the outside world can cause, under a key that the book knows. */
export const OUTSIDE_EVENTS = [
  /** A pending charge or remittance is settled. */
  'settle',
  /** A pending charge or remittance fails. */
  'fail',
  /** A captured bank debit comes back unpaid. */
  'return',
  /** The holder of a captured card disputes the charge and gets the money back. */
  'chargeback',
  /** The bank looks at what was answered to a dispute. */
  'dispute_under_review',
  /** The bank rejects a dispute: the money is given back. */
  'dispute_won',
  /** The bank upholds a dispute: the money is gone for good. */
  'dispute_lost',
  /** The cardholder gives a dispute up: the money is given back. */
  'dispute_withdrawn',
] as const;
export type OutsideEvent = (typeof OUTSIDE_EVENTS)[number];

/** The sandbox's cards. */
export interface SandboxCards {
  /** All that `attach` takes, in the order of the docs. */
  readonly cards: readonly TestCardFact[];
  /** All that `play` takes, in the order of the docs. */
  readonly scenarios: readonly ScenarioFact[];
  /** Makes a card in the world's book at the processor; null when it does not answer. */
  attach(world: number, name: string): Promise<CardToken | null>;
  /**
   * Queues a scenario for the next exchanges of the world, of one card where its token is given.
   * False when the processor does not answer.
   */
  play(world: number, scenario: string, token: string | null): Promise<boolean>;
  /**
   * Makes an outside event happen; for a paid payout `return` brings it back. `refused`: the book
   * does not know the key, or nothing of the kind can happen to it now. Null: no answer.
   */
  happen(world: number, key: string, event: OutsideEvent): Promise<'done' | 'refused' | null>;
}
