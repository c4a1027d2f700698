// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { refundMessages } from './events.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { refundMachine, reversalMachine } from './machine.ts';
import { refundRecords } from './read.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/refund',
  lists,
  operations,
  machines: [refundMachine, reversalMachine],
  laws,
  records: [refundRecords, refundMessages],
  refusals,
};
