// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { hitMachine } from './machine.ts';

export const module: Module = { name: 'people/screening', machines: [hitMachine], laws };
