// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';

export const module: Module = { name: 'money/payout-schedule', operations };
