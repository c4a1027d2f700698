// Rows of bank accounts, statement rows and incoming transfers as the engine loads them.
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { bookingMachine, incomingMachine } from './machine.ts';

/** A bank account of the tenant; locked by whatever adds a transfer to it. */
export const bankAccountTable = tableOf('bank_account', 27, {
  id: 'uuid',
  currency: 'text',
  number: 'text',
  active: 'bool',
});

/** Why a transfer was credited to nobody by itself. */
export const REASONS = [
  'no_reference',
  'reference_mistyped',
  'several_references',
  'reference_unknown',
  'other_currency',
  'account_blocked',
  'too_large',
  'returned_payment',
  'recorded_perhaps',
] as const;
export type Reason = (typeof REASONS)[number];

/** What a person may say that a row is which settles nothing of ours. */
export const OWN_KINDS = ['bank_fee', 'own_payment', 'reversal'] as const;

/** What a row of a statement settled or is, where it is no incoming transfer. */
export const SETTLED = ['provider_payout', 'payout', 'returned_transfer', ...OWN_KINDS] as const;

/** A booked row of a statement. */
export const bankEntryTable = tableOf('bank_entry', 28, {
  id: 'uuid',
  bank_account_id: 'uuid',
  direction: ['credit', 'debit'],
  amount: 'int8',
  currency: 'text',
  value_date: 'text',
  bank_reference: 'text',
  settles: [...SETTLED, null],
});

/** Money that came in at the bank. */
export const incomingTable = stateTable('incoming_transfer', 38, incomingMachine.states, {
  bank_account_id: 'uuid',
  /** Its row of the statement; null until one is there. */
  entry_id: 'uuid?',
  /** The bank account, while a transfer recorded by hand has no row of the statement yet. */
  awaits: 'uuid?',
  bank_reference: 'text',
  currency: 'text',
  /** Minor units. */
  amount: 'int8',
  /** A day, as YYYY-MM-DD. */
  value_date: 'text',
  wallet_id: 'uuid?',
  why: [...REASONS, null],
  /** Who recorded it, or proposed its wallet. */
  operator_id: 'uuid?',
  created: 'timestamptz',
});
export type IncomingRow = RowOf<typeof incomingTable>;

export const transfersOfEntry = indexBy(incomingTable, 'entry_id');
export const transfersAwaiting = indexBy(incomingTable, 'awaits');
export const transfersOfReference = indexBy(incomingTable, 'bank_reference');

/** What an operator said that a row of a statement is. */
export const bankBookingTable = stateTable('bank_booking', 39, bookingMachine.states, {
  entry_id: 'uuid',
  kind: OWN_KINDS,
  /** The credit that was taken back, or the transfer that the row was until then. */
  transfer_id: 'uuid?',
  currency: 'text',
  /** Minor units; negative: out. */
  amount: 'int8',
  operator_id: 'uuid',
});
export type BankBookingRow = RowOf<typeof bankBookingTable>;

export const bookingsOfEntry = indexBy(bankBookingTable, 'entry_id');
export const bookingsOfTransfer = indexBy(bankBookingTable, 'transfer_id');
