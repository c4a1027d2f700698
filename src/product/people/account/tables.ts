// Rows of accounts. Personal fields are in account_person, one sealed blob for each person. [G-20]
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { blockMachine } from './machine.ts';

export const accountTable = tableOf('account', 10, {
  id: 'uuid',
  /** Keyed hash of the username. */
  username_key: 'text',
  blocked: 'bool',
  /** The account that this one was merged into, or null. Set once. [G-22] */
  merged_to: 'uuid?',
  created: 'timestamptz',
  updated: 'timestamptz',
});
export type AccountRow = RowOf<typeof accountTable>;

export const accountByUsername = indexBy(accountTable, 'username_key');

/** The sealed personal fields of an account. */
export const accountPersonTable = tableOf('account_person', 11, {
  id: 'uuid',
  wrapped_key: 'text',
  sealed: 'text',
  /** Whether the fields have an e-mail address; null: a node of 0.2.0 wrote them. */
  has_email: 'bool?',
  /** In which the person last used our pages, by BCP 47; null: none yet. */
  language: 'text?',
  updated: 'timestamptz',
});

/** A block; one row for each account and capability. [G-20] */
export const accountBlockTable = stateTable('account_block', 12, blockMachine.states, {
  account_id: 'uuid',
  capability: 'text',
  issuer: ['integrator', 'operator'],
  reason: 'text',
  /** Sealed with the person's key; null where no note was given. */
  sealed_note: 'text?',
  created: 'timestamptz',
});
export type AccountBlockRow = RowOf<typeof accountBlockTable>;

export const blocksOfAccount = indexBy(accountBlockTable, 'account_id');
