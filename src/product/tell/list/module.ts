// What the catalogue lists of this module.
import type { List } from '../../../core/list.ts';
import type { Module } from '../../context.ts';
import { operationsOf } from './operation.ts';

/** `lists`: all that modules declare. */
export function moduleOf(lists: readonly List[]): Module {
  return { name: 'tell/list', operations: operationsOf(lists) };
}
