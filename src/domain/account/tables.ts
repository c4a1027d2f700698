// Rows of accounts. Personal fields lie sealed in account_person, one blob for each person. [G-20]
import { defineTable, type IdRow, type Index } from '../../engine/index.ts';
import type { Instant } from '../../kernel/time.ts';

/** An account of the interface. */
export interface AccountRow extends IdRow {
  /** Keyed hash of the username. */
  readonly username_key: string;
  readonly blocked: boolean;
  readonly created: Instant;
  readonly updated: Instant;
}

export const accountTable = defineTable<AccountRow>({
  name: 'account',
  rank: 10,
  columns: {
    world: 'int4',
    id: 'uuid',
    username_key: 'text',
    blocked: 'bool',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

export const accountByUsername: Index<AccountRow> = {
  table: accountTable,
  column: 'username_key',
};

/** The sealed personal fields of an account. */
export interface AccountPersonRow extends IdRow {
  readonly wrapped_key: string;
  readonly sealed: string;
  readonly updated: Instant;
}

export const accountPersonTable = defineTable<AccountPersonRow>({
  name: 'account_person',
  rank: 11,
  columns: {
    world: 'int4',
    id: 'uuid',
    wrapped_key: 'text',
    sealed: 'text',
    updated: 'timestamptz',
  },
});
