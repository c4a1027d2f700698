// Registration: how an account comes to be, across account, identity and wallet. It stands above
// the three, so that none of them need know the others. Refuses to know what happens to the
// account later.
import type { Machine } from '../../kernel/machine.ts';
import type { RefusalSpec } from '../../kernel/refusal.ts';
export { operations, prepareRegistration } from './api.ts';
export { events } from './events.ts';
export { makeAccount, registerAccount } from './decide.ts';
export type { RegistrationInput, RegistrationKept } from './decide.ts';

/** It says no with the refusals of account only. */
export const refusals: Readonly<Record<string, RefusalSpec>> = {};
/** It has no lifecycle of its own. */
export const machines: readonly Machine[] = [];
