// The engine runs pure decisions in batches and is the only writer of the domain's tables. It owns
// locking, history, idempotency and commit; it must not depend on a module of the domain.
export type {
  Command,
  CommandAnswer,
  Decision,
  LedgerEntry,
  MessageEvent,
  Submission,
  ReadSet,
} from '../core/command.ts';
export { command, EngineFault } from '../core/command.ts';
export { Engine } from './engine.ts';
export { ENGINE_SETTINGS, engineRefusals, isUnavailable } from './options.ts';
export type { EngineOptions, Scheduler } from './options.ts';
export { indexBy, tableOf } from '../core/table.ts';
export type { IdRow, Index, RowOf, Table } from '../core/table.ts';
export { differingMoves, dueJobs, dueRows, isAway, isEnded } from './tables.ts';
export { loadMoves, stepLaws, stillWorkspace } from './tables.ts';
export type { StepRow } from './tables.ts';
export { isOfRequest, isUnder, KEPT_PRINT, recordOf } from './kept-answers.ts';
export type { IdempotencyRow } from './kept-answers.ts';
