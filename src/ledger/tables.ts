// The ledger's rows as the engine loads and writes them.
import { defineTable, type IdRow, type WorkspaceRow } from '../core/table.ts';
import type { Instant } from '../core/time.ts';

/** Immutable. */
export interface LedgerAccountRow extends IdRow {
  readonly kind: string;
  readonly currency: string;
}

export const ledgerAccountTable = defineTable<LedgerAccountRow>({
  name: 'ledger_account',
  rank: 90,
  columns: { workspace: 'int4', id: 'uuid', kind: 'text', currency: 'text' },
});

/** Running balance of a wallet or restricted account. Minor units, never negative. */
export interface BalanceRow extends IdRow {
  readonly amount: bigint;
  readonly version: number;
  /** False while credits must be restricted. [G-38] */
  readonly accrues: boolean;
  readonly updated: Instant;
}

export const balanceTable = defineTable<BalanceRow>({
  name: 'balance',
  rank: 80,
  constant: ['workspace', 'accrues', 'updated'],
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    amount: 'int8',
    version: 'int4',
    accrues: 'bool',
    updated: 'timestamptz',
  },
});

/** The folded part of what the integrator earned; debits lock it. Minor units. [G-43] */
export interface IntegratorBalanceRow extends IdRow {
  readonly amount: bigint;
  readonly version: number;
  readonly updated: Instant;
}

export const integratorBalanceTable = defineTable<IntegratorBalanceRow>({
  name: 'integrator_balance',
  rank: 85,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    amount: 'int8',
    version: 'int4',
    updated: 'timestamptz',
  },
});

/** One ledger entry. */
export interface PostingRow extends WorkspaceRow {
  readonly resource_id: string;
  readonly version: number;
  readonly line: number;
  readonly account_id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly account_version: number | null;
  readonly balance_after: bigint | null;
}

export const postingTable = defineTable<PostingRow>({
  name: 'posting',
  rank: 0,
  constant: ['workspace', 'currency'],
  columns: {
    workspace: 'int4',
    resource_id: 'uuid',
    version: 'int4',
    line: 'int2',
    account_id: 'uuid',
    currency: 'text',
    amount: 'int8',
    account_version: 'int4',
    balance_after: 'int8',
  },
});
