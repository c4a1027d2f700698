// What the catalogue lists of this module: a command alone moves tenants.
import type { Module } from '../../context.ts';

export const module: Module = { name: 'tenant/move' };
