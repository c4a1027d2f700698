// The rows of payout files, and of the payouts in them.
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { payoutFileMachine } from './machine.ts';

/** ISO 20022 customer credit transfer initiation, or a CSV for another rail. */
export const FORMATS = ['pain.001', 'csv'] as const;

export const payoutFileTable = stateTable('payout_file', 53, payoutFileMachine.states, {
  currency: 'text',
  format: FORMATS,
  made_by: 'uuid',
  confirmed_by: 'uuid?',
  transactions: 'int4',
  /** Minor units. */
  total: 'int8',
  /** Of the file's bytes, in hexadecimal. */
  sha256: 'text',
  /** What its bytes say beside the payouts: `FileTerms`. */
  terms: 'text',
  /** The moment that the bytes name. */
  drafted: 'timestamptz',
});
export type PayoutFileRow = RowOf<typeof payoutFileTable>;

/** A payout in a file. */
export const payoutFileItemTable = tableOf('payout_file_item', 51, {
  id: 'uuid',
  file_id: 'uuid',
  transfer_id: 'uuid',
  /** Its place in the file, from 1. */
  number: 'int4',
  /** False in a cancelled file. */
  live: 'bool',
});
export type PayoutFileItemRow = RowOf<typeof payoutFileItemTable>;

export const itemsOfFile = indexBy(payoutFileItemTable, 'file_id');
export const itemsOfTransfer = indexBy(payoutFileItemTable, 'transfer_id');
