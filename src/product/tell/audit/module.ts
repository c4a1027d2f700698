// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { wrappedAuditKeys } from './keys.ts';
import { laws } from './laws.ts';

export const module: Module = { name: 'tell/audit', laws, wrapped: [wrappedAuditKeys] };
