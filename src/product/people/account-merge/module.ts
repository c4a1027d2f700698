// Account merges: one account is closed for good, and all of its money goes to another in the same
// transaction. An account with anything in progress cannot be merged away. [G-22]
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { refusals } from './refusals.ts';

export const module: Module = { name: 'people/account-merge', operations, laws, refusals };
