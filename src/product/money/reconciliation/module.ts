// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { discrepancyMachine } from './machine.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/reconciliation',
  operations,
  machines: [discrepancyMachine],
  laws,
  refusals,
};
