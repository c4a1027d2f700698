// The sandbox's own calls: deposits from nowhere, test cards and accounts, and failures on request.
// Absent in production. The processor behind the cards is a port; deposits and cards are stored by
// wallet.
import type { Machine } from '../../core/machine.ts';
export { operations } from './api.ts';
export { refusals } from './refusals.ts';
export { depositFromNowhere } from './deposit.ts';
export { tokenOf } from './outside-api.ts';
export type { SandboxDepositInput } from './deposit.ts';

/** Lifecycles and events of deposits and cards are the wallet's. */
export const machines: readonly Machine[] = [];
export const events = [] as const;
