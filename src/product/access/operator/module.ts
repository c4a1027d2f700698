// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { wrappedOperatorKeys } from './sealed.ts';

export const module: Module = { name: 'access/operator', wrapped: [wrappedOperatorKeys] };
