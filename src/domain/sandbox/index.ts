// The sandbox's own calls: money from nowhere, test cards and accounts, and trouble on request. Not
// there in production. Refuses to know the processor behind the cards (a port) and how deposits and
// cards are stored (wallet).
import type { Machine } from '../../kernel/machine.ts';
export { operations } from './api.ts';
export { refusals } from './refusals.ts';
export { depositFromNowhere } from './deposit.ts';
export { tokenOf } from './outside-api.ts';
export type { SandboxDepositInput } from './deposit.ts';

/** Deposits and cards are the wallet's lifecycles and events. */
export const machines: readonly Machine[] = [];
export const events = [] as const;
