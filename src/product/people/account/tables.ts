// Rows of accounts. Personal fields are in account_person, one sealed blob for each person. [G-20]
import { defineTable, type IdRow, type Index } from '../../../engine/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { BlockState } from './machine.ts';

export interface AccountRow extends IdRow {
  /** Keyed hash of the username. */
  readonly username_key: string;
  readonly blocked: boolean;
  /** The account that this one was merged into, or null. Set once. [G-22] */
  readonly merged_to: string | null;
  readonly created: Instant;
  readonly updated: Instant;
}

export const accountTable = defineTable<AccountRow>({
  name: 'account',
  rank: 10,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    username_key: 'text',
    blocked: 'bool',
    merged_to: 'uuid',
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
    workspace: 'int4',
    id: 'uuid',
    wrapped_key: 'text',
    sealed: 'text',
    updated: 'timestamptz',
  },
});

/** A block; one row for each account and capability. [G-20] */
export interface AccountBlockRow extends IdRow {
  readonly account_id: string;
  readonly capability: string;
  /** `integrator` or `operator`. */
  readonly issuer: string;
  readonly reason: string;
  /** Sealed with the person's key; null where no note was given. */
  readonly sealed_note: string | null;
  readonly state: BlockState;
  readonly version: number;
  readonly created: Instant;
  readonly updated: Instant;
}

export const accountBlockTable = defineTable<AccountBlockRow>({
  name: 'account_block',
  rank: 12,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    capability: 'text',
    issuer: 'text',
    reason: 'text',
    sealed_note: 'text',
    state: 'text',
    version: 'int4',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

export const blocksOfAccount: Index<AccountBlockRow> = {
  table: accountBlockTable,
  column: 'account_id',
};
