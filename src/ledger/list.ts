// The lists of ledger accounts and of ledger entries.
import { BY_CURRENCY, byState, column, defineLists } from '../core/list.ts';
import { SYSTEM_ACCOUNT_KINDS, TRACKED_KINDS } from './chart.ts';

const KINDS = [...TRACKED_KINDS, ...Object.keys(SYSTEM_ACCOUNT_KINDS)];

export const ledgerLists = defineLists([
  {
    name: 'ledger_accounts',
    title: 'Ledger accounts',
    hint: 'They are opened with the first currency and with each wallet.',
    from: 'ledger_account',
    joined: `left join lateral (select amount from balance
      where workspace = $1 and id = t.id) b on true`,
    key: { id: 'uuid' },
    columns: {
      id: column.id(),
      kind: column.state(KINDS),
      currency: column.currency(),
      balance: column.amount({ sql: 'b.amount', nullable: true }),
    },
    filters: { kind: byState(KINDS), ...BY_CURRENCY },
  },
  {
    name: 'ledger_entries',
    title: 'Ledger entries',
    hint: 'Every movement of money makes at least two.',
    from: 'posting',
    joined: `left join lateral (select kind from ledger_account
        where workspace = $1 and id = t.account_id) a on true
      left join lateral (select at from history
        where workspace = $1 and resource_id = t.resource_id and version = t.version limit 1) s
        on true`,
    key: { resource_id: 'uuid', version: 'bigint', line: 'bigint' },
    dated: 'resource_id',
    columns: {
      resource_id: column.id(),
      version: column.number(),
      line: column.number(),
      ledger_account_id: column.id({ sql: 't.account_id' }),
      kind: column.state(KINDS, { sql: 'a.kind' }),
      amount: column.amount(),
      currency: column.currency(),
      balance_after: column.amount({ nullable: true }),
      at: column.time({ sql: 's.at', nullable: true }),
    },
    filters: {
      resource_id: { kind: 'id', by: 'index' },
      ledger_account_id: { kind: 'id', by: 'scan', column: 'account_id' },
      ...BY_CURRENCY,
    },
  },
]);
