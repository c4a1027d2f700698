// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';

export const module: Module = { name: 'people/credit-eligibility', laws };
