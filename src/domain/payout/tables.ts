// The head row of a payout: what was asked for, which never changes, and where it stands.
import { defineTable, type IdRow } from '../../engine/index.ts';
import type { Instant } from '../../kernel/time.ts';

/** What a payout is about; never changes. Amounts are minor units. */
export interface PayoutFacts extends IdRow {
  readonly account_id: string;
  readonly source_method_id: string;
  readonly source_wallet_id: string;
  readonly destination_method_id: string;
  readonly currency: string;
  /** What leaves the wallet; the receiver gets it less the fee. */
  readonly amount: bigint;
  readonly fee_amount: bigint;
  readonly created: Instant;
}

/** A payout as it stands. */
export interface PayoutRow extends PayoutFacts {
  readonly state: string;
  readonly version: number;
  /** Why it failed last; null unless it is FAILED or SYSTEM-REJECTED. [G-39] */
  readonly failure_code: string | null;
  /** What it is, or was last, sent with; null before the first time. */
  readonly remittance_id: string | null;
  /** When the clock acts next; null: never, as while FAILED and contradicted. */
  readonly due: Instant | null;
  readonly updated: Instant;
}

/**
 * True where the processor's book shows money under a key that it had declined. It is neither sent
 * nor given back, since the receiver may have it already: a person decides. [G-39]
 */
export function isContradicted({ state, due }: Pick<PayoutRow, 'state' | 'due'>): boolean {
  return state === 'FAILED' && due === null;
}

export const payoutTable = defineTable<PayoutRow>({
  name: 'payout',
  rank: 54,
  versioned: true,
  columns: {
    world: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    source_method_id: 'uuid',
    source_wallet_id: 'uuid',
    destination_method_id: 'uuid',
    currency: 'text',
    amount: 'int8',
    fee_amount: 'int8',
    state: 'text',
    version: 'int4',
    failure_code: 'text',
    remittance_id: 'uuid',
    due: 'timestamptz',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});
