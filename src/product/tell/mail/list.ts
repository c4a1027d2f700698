// The list of mails: to whom, about what, and what became of each. Never an address.
import { byState, column, defineLists } from '../../../core/list.ts';
import { MAIL_STATES } from './queue.ts';

export const lists = defineLists([
  {
    name: 'mails',
    title: 'Mails',
    hint: 'People are mailed where PUT /v1/settings/mail says so.',
    from: 'mail',
    key: { at: 'timestamptz', id: 'uuid' },
    dated: 'at',
    columns: {
      id: column.id(),
      kind: column.text(),
      account_id: column.party(),
      transaction_id: column.id({ nullable: true }),
      state: column.state(MAIL_STATES),
      tries: column.number(),
      reason: column.text({ nullable: true }),
      at: column.time(),
    },
    filters: {
      account_id: { kind: 'party', by: 'scan' },
      state: byState(MAIL_STATES),
    },
  },
]);
