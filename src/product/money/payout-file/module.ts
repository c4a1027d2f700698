// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { payoutFileMachine } from './machine.ts';

export const module: Module = {
  name: 'money/payout-file',
  machines: [payoutFileMachine],
  laws,
};
