// The ledger's rows as the engine loads and writes them.
import { tableOf, type RowOf } from '../core/table.ts';

/** Immutable. */
export const ledgerAccountTable = tableOf({
  name: 'ledger_account',
  rank: 90,
  columns: { workspace: 'int4', id: 'uuid', kind: 'text', currency: 'text' },
});

/** Running balance of a wallet or restricted account. Minor units, never negative. */
export const balanceTable = tableOf({
  name: 'balance',
  rank: 80,
  constant: ['workspace', 'accrues', 'owes', 'updated'],
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    amount: 'int8',
    version: 'int4',
    /** False while credits must be restricted. [G-38] */
    accrues: 'bool',
    /** What sales that credit it repay first. Minor units, never negative. [G-93] */
    owes: 'int8',
    updated: 'timestamptz',
  },
});
export type BalanceRow = RowOf<typeof balanceTable>;

/** The folded part of what the integrator earned; debits lock it. Minor units. [G-43] */
export const integratorBalanceTable = tableOf({
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
export const postingTable = tableOf({
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
    account_version: 'int4?',
    balance_after: 'int8?',
  },
});
export type PostingRow = RowOf<typeof postingTable>;
