// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { refusals } from './refusals.ts';

export const module: Module = { name: 'people/email-check', operations, refusals };
