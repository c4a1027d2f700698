// Test cards, where a sandbox processor is behind the installation. Answers for attaching one by
// its name; a production installation has no such port. Knows no card number.
import type { CardToken } from './processor.ts';

/** One test card, for people. */
export interface TestCardFact {
  readonly name: string;
  /** Lower case with hyphens. */
  readonly brand: string;
  readonly last4: string;
  /** One sentence: what happens to a payment. */
  readonly outcome: string;
}

/** The sandbox's cards. */
export interface SandboxCards {
  /** All that `attach` takes, in the order of the docs. */
  readonly cards: readonly TestCardFact[];
  /** Makes a card in the world's book at the processor; null when it does not answer. */
  attach(world: number, name: string): Promise<CardToken | null>;
}
