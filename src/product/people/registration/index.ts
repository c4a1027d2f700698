// Registration creates accounts across account, identity and wallet. It stands above the three, so
// that none of them imports the others.
import type { Machine } from '../../../core/machine.ts';
import type { RefusalSpec } from '../../../core/refusal.ts';
export { operations, prepareRegistration } from './api.ts';
export { messages } from './events.ts';
export { makeAccount, registerAccount } from './decide.ts';
export type { RegistrationInput, RegistrationKept } from './decide.ts';

/** It uses only the refusals of accounts. */
export const refusals: Readonly<Record<string, RefusalSpec>> = {};
export const machines: readonly Machine[] = [];
