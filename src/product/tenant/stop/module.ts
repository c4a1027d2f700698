// What the catalogue lists of this module: its refusals are told at the console and by commands.
import type { Module } from '../../context.ts';

export const module: Module = { name: 'tenant/stop' };
