// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { wrappedOperatorKeys } from './sealed.ts';

export const module: Module = {
  name: 'access/operator',
  wrapped: [wrappedOperatorKeys],
  queues: [
    {
      name: 'operator_mail',
      title: 'Mails to operators to be sent',
      table: 'operator_mail',
      by: 'worker',
      rows: "select due as at from operator_mail where state = 'pending' order by due",
      tenantless: true,
    },
  ],
};
