// Rows of the treasury: settlements of statement rows, the funds of each place and currency, and
// what outbound transfers hold of them.
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { LINE_KINDS } from '../../../providers/processor/port.ts';
import { settlementMachine } from './machine.ts';

/**
 * Where money can be paid out from; `elsewhere`: of opening balances, which cannot be paid out
 * before they arrive at the bank.
 */
export const PLACES = ['processor', 'bank', 'elsewhere'] as const;
export type Place = (typeof PLACES)[number];

/** Locked first: who waited for it then sees which settlements others made. */
export const fundsTable = tableOf('funds', 86, {
  id: 'uuid',
  place: PLACES,
  currency: 'text',
  /** Minor units by the statements of the place. */
  available: 'int8',
  /** The part of it that outbound transfers will take. */
  held: 'int8',
  version: 'int4',
  updated: 'timestamptz',
}, { versioned: true });
export type FundsRow = RowOf<typeof fundsTable>;

/** What an outbound transfer holds; the id is the transfer's. */
export const holdTable = tableOf('funds_hold', 87, {
  id: 'uuid',
  funds_id: 'uuid',
  amount: 'int8',
  state: ['held', 'spent', 'released'],
  created: 'timestamptz',
  updated: 'timestamptz',
});

/** A statement row as it is booked. */
export const settlementTable = stateTable('settlement', 88, settlementMachine.states, {
  line_id: 'uuid',
  kind: LINE_KINDS,
  /** The charge that was captured or refunded. */
  charge_id: 'uuid?',
  reference: 'text',
  currency: 'text',
  /** What moved, without the fee; negative: out. */
  amount: 'int8',
  fee: 'int8',
  /** Of a capture: the part of its fee that was lost with refunds. */
  unreturned: 'int8',
  /** When the money becomes available; null unless that is still to come. */
  due: 'timestamptz?',
});
export type SettlementRow = RowOf<typeof settlementTable>;

/** The capture and refunds of a charge. */
export const settlementsOfCharge = indexBy(settlementTable, 'charge_id');

/** The transfers to our bank and their returns, by the processor's reference. */
export const settlementsByReference = indexBy(settlementTable, 'reference');
