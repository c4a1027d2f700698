// Identity: what is known of who an account is, and what is required of it. Answers for the KYC
// state, its history, its event, and its effect on money by way of accrual. Refuses to know
// wallets.
import type { RefusalSpec } from '../../kernel/refusal.ts';
export { operations } from './api.ts';
export { machines, kycMachine, KYC_STATES } from './machine.ts';
export type { KycState } from './machine.ts';
export { events } from './events.ts';
export { accruesIn } from './change.ts';
export { registerKyc, setKycState } from './decide.ts';
export type { SetInput } from './decide.ts';
export { kycOf } from './read.ts';
export { kycStatus, kycStatusRecord } from './schema.ts';
export type { KycStatusRecord } from './schema.ts';
export { kycTable } from './tables.ts';
export type { KycRow } from './tables.ts';

/** It says no with the refusals of account only. */
export const refusals: Readonly<Record<string, RefusalSpec>> = {};
