// What the catalogue lists of this module, which a staging process alone has.
import type { Machine } from '../../../core/machine.ts';
import type { Module } from '../../context.ts';
import { operationsOf } from './api.ts';
import { refusals } from './refusals.ts';

/** `machines`: every lifecycle. */
export function moduleOf(machines: readonly Machine[]): Module {
  return { name: 'tell/explain', operations: operationsOf(machines), refusals };
}
