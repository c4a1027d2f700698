// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { settlementMachine } from './machine.ts';

export const module: Module = { name: 'money/treasury', machines: [settlementMachine], laws };
