// Rows of reserves. What is left of a hold follows from sums: of the `total` that sales restricted
// all but `held` has left the reserve, the oldest first, so no movement has to lock a hold.
import { tableOf, type RowOf } from '../../../engine/index.ts';
import { reserveMachine } from './machine.ts';

export const reserveTable = tableOf('reserve', 78, {
  /** The restricted ledger account of the wallet, which holds the money. */
  id: 'uuid',
  account_id: 'uuid',
  wallet_id: 'uuid',
  currency: 'text',
  /** Minor units. */
  held: 'int8',
  /** All that sales ever restricted. Minor units. */
  total: 'int8',
  newest_due: 'timestamptz',
  /** When the clock looks next; null: nothing is held. */
  due: 'timestamptz?',
  state: reserveMachine.states,
  version: 'int4',
  updated: 'timestamptz',
}, { versioned: true });
export type ReserveRow = RowOf<typeof reserveTable>;

/** What one sale restricted; immutable. */
export const reserveHoldTable = tableOf('reserve_hold', 0, {
  id: 'uuid',
  reserve_id: 'uuid',
  invoice_id: 'uuid',
  /** Minor units. */
  amount: 'int8',
  /** The total of the reserve with it. */
  through: 'int8',
  due: 'timestamptz',
  created: 'timestamptz',
});
export type ReserveHoldRow = RowOf<typeof reserveHoldTable>;
