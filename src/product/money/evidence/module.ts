// What the catalogue lists of this module.
import type { Module } from '../../context.ts';

export const module: Module = { name: 'money/evidence' };
