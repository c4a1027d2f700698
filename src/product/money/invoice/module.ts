// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { invoiceOperations } from './api.ts';
import { bookLaws, laws } from './laws.ts';
import { lists } from './list.ts';
import { invoiceMachine } from './machine.ts';
import { invoiceRecords } from './read.ts';
import { invoiceRefusals } from './refusals.ts';

export const module: Module = {
  name: 'money/invoice',
  lists,
  operations: invoiceOperations,
  machines: [invoiceMachine],
  bookLaws,
  laws,
  records: [invoiceRecords],
  refusals: invoiceRefusals,
};
