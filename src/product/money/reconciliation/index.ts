// Reconciliation: provider webhooks, the processor's statement row by row against our books, and
// manual review. Every discrepancy is shown.
export { ASK_AGAIN_SECONDS, PATIENCE_SECONDS } from './match.ts';
export { reconcileDue } from './reconcile.ts';
export type { ReconcilerParts } from './reconcile.ts';
export { advanceProved, alarmText, ITEM_KINDS, openItems } from './report.ts';
export type { OpenItem } from './report.ts';
export { decidedItem, DECISIONS } from './resolve.ts';
export { chargeSettlers, transferSettlers } from './settlers.ts';
export { wakeStatements } from './statement.ts';
