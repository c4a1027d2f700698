// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations, refusals } from './api.ts';

export const module: Module = { name: 'people/consent', operations, refusals };
