// Mails that a sandbox sends to nobody. What the catalogue lists of this module.
import type { Module } from '../../product/context.ts';
import { operations } from './api.ts';

export const module: Module = { name: 'mail', operations };
