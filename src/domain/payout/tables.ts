// The row of a payout: the request, which never changes, and its current state.
import { defineTable, type IdRow } from '../../engine/index.ts';
import type { Instant } from '../../kernel/time.ts';

/** The unchanging part of a payout. Amounts are minor units. */
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

export interface PayoutRow extends PayoutFacts {
  readonly state: string;
  readonly version: number;
  /** Why it last failed; null unless it is FAILED or SYSTEM-REJECTED. [G-39] */
  readonly failure_code: string | null;
  /** Its current or last outbound transfer; null before the first. */
  readonly remittance_id: string | null;
  /** When the clock acts next; null: never, as for a failed payout in manual review. */
  readonly due: Instant | null;
  readonly updated: Instant;
}

/**
 * True where the processor reports money sent under a key that it had declined. The payout is
 * neither sent nor given back, since the receiver may have it already: a person decides. [G-39]
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
