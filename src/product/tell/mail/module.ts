// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { receiptOperations } from './receipt-api.ts';
import { lists } from './list.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'tell/mail',
  lists,
  operations: [...operations, ...receiptOperations],
  refusals,
  queues: [
    {
      name: 'mail',
      title: 'Mails to be sent',
      table: 'mail',
      by: 'worker',
      path: '/lists/mails?state=pending',
      rows: `select due as at from mail q
        where q.workspace = w.workspace and q.state = 'pending' order by due`,
      real: true,
    },
  ],
};
