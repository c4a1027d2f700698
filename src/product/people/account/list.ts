// The list of accounts, without anything about the persons.
import { column, defineLists, TIMES } from '../../../core/list.ts';

export const lists = defineLists([
  {
    name: 'accounts',
    title: 'Accounts',
    hint: 'Register one with POST /v2/account.',
    from: 'account',
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id({ prefix: 'acct' }),
      blocked: column.flag(),
      merged_to: column.party({ nullable: true }),
      ...TIMES,
    },
    filters: { blocked: { kind: 'flag', by: 'scan' } },
  },
]);
