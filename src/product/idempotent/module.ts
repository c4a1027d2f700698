// What the catalogue lists of this module.
import type { Module } from '../context.ts';
import { wrappedSecretKeys } from './sealed.ts';

export const module: Module = { name: 'idempotent', wrapped: [wrappedSecretKeys] };
