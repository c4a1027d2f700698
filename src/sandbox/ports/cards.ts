// Test cards and accounts of the sandbox processor, scripted outcomes and outside events. A
// production installation has no such port.
import type { CardToken } from '../../providers/processor/port.ts';

/** One test card, for people. */
export interface TestCardFact {
  readonly name: string;
  /** Lower case with hyphens; `ach` and `paypal` can receive payouts. */
  readonly brand: string;
  readonly last4: string;
  /** One sentence: what happens to a payment. */
  readonly outcome: string;
}

/** One scripted failure of a payment, refund or payout. */
export interface ScenarioFact {
  readonly name: string;
  /** One sentence: what the processor does. */
  readonly story: string;
  /** One sentence: how the payment must end. */
  readonly ends: string;
}

/** What only the outside world can cause, for a key that the processor knows. */
export const OUTSIDE_EVENTS = [
  /** A pending charge or outbound transfer settles. */
  'settle',
  /** A pending charge or outbound transfer fails. */
  'fail',
  /** A captured bank debit comes back unpaid. */
  'return',
  /** The holder of a captured card disputes the charge and gets the money back. */
  'chargeback',
  /** The bank reviews the evidence of a dispute. */
  'dispute_under_review',
  /** The bank rejects a dispute: the money is given back. */
  'dispute_won',
  /** The bank upholds a dispute: the money is gone for good. */
  'dispute_lost',
  /** The cardholder withdraws a dispute: the money is given back. */
  'dispute_withdrawn',
] as const;
export type OutsideEvent = (typeof OUTSIDE_EVENTS)[number];

/** What the sandbox's processor keeps, and when money there is available. Minor units. */
export interface SettlementTerms {
  /** Of each captured payment: hundredths of a percent, and a fixed amount. */
  readonly fee_basis_points: number;
  readonly fee_fixed: number;
  /** Of each payment that its holder or bank takes back. */
  readonly dispute_fee: number;
  /** Returns it if the dispute is won or withdrawn; absent: it does not. */
  readonly returns_dispute_fee?: boolean | undefined;
  /** At the first midnight of a month, in each currency that moved. */
  readonly monthly_fee: number;
  /** Days by the workspace's clock until captured money is available. */
  readonly delay_days: number;
  /** At midnight what is available above this much goes to the tenant's bank; absent: never. */
  readonly bank_above?: number | undefined;
}

/** The sandbox's cards. */
export interface SandboxCards {
  /** All that `attach` accepts, in the order of the docs. */
  readonly cards: readonly TestCardFact[];
  /** All that `play` accepts, in the order of the docs. */
  readonly scenarios: readonly ScenarioFact[];
  /** Creates a card in the workspace at the processor; null without an answer. */
  attach(workspace: number, name: string): Promise<CardToken | null>;
  /**
   * Queues a scenario for the workspace's next provider calls, of one card if its token is given.
   * False without an answer.
   */
  play(workspace: number, scenario: string, token: string | null): Promise<boolean>;
  /**
   * Makes an outside event happen; for a paid payout `return` brings it back. `refused`: the
   * processor does not know the key, or the event is not possible now. Null: no answer.
   */
  happen(workspace: number, key: string, event: OutsideEvent): Promise<'done' | 'refused' | null>;
  /** Sets the settlement terms of a workspace from now on; false without an answer. */
  agree(workspace: number, terms: SettlementTerms): Promise<boolean>;
}
