// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { proposalMachine } from './machine.ts';

export const module: Module = { name: 'people/review', machines: [proposalMachine], laws };
