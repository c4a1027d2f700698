// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { messages } from './events.ts';

export const module: Module = { name: 'people/registration', operations, messages };
