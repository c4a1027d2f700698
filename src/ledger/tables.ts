// The ledger's rows as the engine loads and writes them.
import { tableOf, type RowOf } from '../core/table.ts';

/** Immutable. */
export const ledgerAccountTable = tableOf('ledger_account', 90, {
  id: 'uuid',
  kind: 'text',
  currency: 'text',
});

/** Running balance of a wallet or restricted account. Minor units, never negative. */
export const balanceTable = tableOf('balance', 80, {
  id: 'uuid',
  amount: 'int8',
  version: 'int4',
  /** False while credits must be restricted. [G-38] */
  accrues: 'bool',
  /** What sales that credit it repay first. Minor units, never negative. [G-93] */
  owes: 'int8',
  updated: 'timestamptz',
}, {
  versioned: true,
  constant: ['workspace', 'accrues', 'owes', 'updated'],
});
export type BalanceRow = RowOf<typeof balanceTable>;

/** The folded part of what the integrator earned; debits lock it. Minor units. [G-43] */
export const integratorBalanceTable = tableOf('integrator_balance', 85, {
  id: 'uuid',
  amount: 'int8',
  version: 'int4',
  updated: 'timestamptz',
}, { versioned: true });

/** One ledger entry. */
export const postingTable = tableOf('posting', 0, {
  resource_id: 'uuid',
  version: 'int4',
  line: 'int2',
  account_id: 'uuid',
  currency: 'text',
  amount: 'int8',
  account_version: 'int4?',
  balance_after: 'int8?',
}, { constant: ['workspace', 'currency'] });
export type PostingRow = RowOf<typeof postingTable>;
