// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { payoutMessages } from './events.ts';
import { laws } from './laws.ts';
import { payoutMachine } from './machine.ts';
import { payoutRecords } from './read.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/payout',
  operations,
  machines: [payoutMachine],
  laws,
  records: [payoutRecords, payoutMessages],
  refusals,
};
