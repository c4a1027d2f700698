// Reconciliation: provider webhooks, the processor's statement row by row against our books, and
// manual review. Every discrepancy is shown.
import type { Machine } from '../../../core/machine.ts';
import { discrepancyMachine } from './machine.ts';
export { operations } from './api.ts';
export { laws } from './laws.ts';
export { ASK_AGAIN_SECONDS, PATIENCE_SECONDS } from './match.ts';
export type { Finding } from './match.ts';
export { forgetNotices } from './notices.ts';
export { matchWorkspace, reconcileDue } from './reconcile.ts';
export type { ReconcilerParts } from './reconcile.ts';
export { refusals } from './refusals.ts';
export { advanceProved, alarmText, openItems } from './report.ts';
export type { OpenItem } from './report.ts';
export { chargeSettlers, transferSettlers } from './settlers.ts';
export { wakeStatements } from './statement.ts';

export const machines: readonly Machine[] = [discrepancyMachine];
/** None: open items are read, not announced. */
export const events = [] as const;
export { discrepancyTable } from './tables.ts';
