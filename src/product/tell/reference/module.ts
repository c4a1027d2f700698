// What the catalogue lists of this module: lifecycles and codes as JSON.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';

export const module: Module = { name: 'tell/reference', operations };
