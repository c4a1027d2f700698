// The row of a payout: the request, which never changes, and its current state.
import { stateTable, type RowOf } from '../../../core/table.ts';
import { payoutMachine } from './machine.ts';

export const payoutTable = stateTable('payout', 54, payoutMachine.states, {
  account_id: 'uuid',
  source_method_id: 'uuid',
  source_wallet_id: 'uuid',
  destination_method_id: 'uuid',
  currency: 'text',
  /** What leaves the wallet, in minor units; the receiver gets it less the fee. */
  amount: 'int8',
  fee_amount: 'int8',
  /** Why it last failed; null unless it is FAILED or SYSTEM-REJECTED. [G-39] */
  failure_code: 'text?',
  /** Its current or last outbound transfer; null before the first. */
  transfer_id: 'uuid?',
  /** When the clock acts next; null: never, as for a failed payout in manual review. */
  due: 'timestamptz?',
  created: 'timestamptz',
});
export type PayoutRow = RowOf<typeof payoutTable>;

/** The unchanging part of a payout. */
export type PayoutFacts = Omit<
  PayoutRow,
  'state' | 'version' | 'failure_code' | 'transfer_id' | 'due' | 'updated'
>;

/**
 * True where the processor reports money sent under a key that it had declined. The payout is
 * neither sent nor given back, since the receiver may have it already: a person decides. [G-39]
 */
export function isContradicted({ state, due }: Pick<PayoutRow, 'state' | 'due'>): boolean {
  return state === 'FAILED' && due === null;
}

/** True where somebody holds the payout: the clock does nothing until it is let go. [G-88] */
export function isKept({ state, due }: Pick<PayoutRow, 'state' | 'due'>): boolean {
  return state === 'FUNDS-IN-ESCROW-ON-HOLD' && due === null;
}
