// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { refusals } from './store.ts';

export const module: Module = { name: 'tenant/stop', refusals };
