// What the catalogue lists of this module.
import { sealedPlace } from '../../../core/labels.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { bookingMachine, incomingMachine } from './machine.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/bank',
  operations,
  machines: [incomingMachine, bookingMachine],
  laws,
  refusals: { BANK_ACCOUNT_NOT_CONFIGURED: refusals.BANK_ACCOUNT_NOT_CONFIGURED },
  wrapped: [
    {
      table: 'bank_statement',
      key: ['workspace', 'id'],
      column: 'wrapped_key',
      context: ({ lineage, id = '' }) => sealedPlace('bankStatement', Number(lineage), id),
    },
  ],
};
