// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { openingMachine } from './machine.ts';

export const module: Module = {
  name: 'tenant/imports',
  machines: [openingMachine],
  laws,
};
