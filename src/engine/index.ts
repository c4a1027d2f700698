// The engine runs pure decisions in batches and is the only writer of the domain's tables. It owns
// locking, history, idempotency and commit; it must not depend on a module of the domain.
export type {
  Command,
  CommandAnswer,
  Decision,
  HeadRow,
  Line,
  MessageEvent,
  Submission,
  ReadSet,
} from '../core/command.ts';
export { dueRows } from './due.ts';
export { Engine } from './engine.ts';
export { isEnded, stillWorkspace } from './workspace-lock.ts';
export type { EngineCounters, EngineOptions, Scheduler } from './options.ts';
export { EngineFault } from '../core/command.ts';
export type { Compose } from './discover.ts';
export { engineRefusals } from './refusals.ts';
export { stepLaws } from './laws.ts';
export { loadMoves } from './moves.ts';
export { ENGINE_SETTINGS } from './settings.ts';
export { tableOf } from '../core/table.ts';
export type { ColumnType, IdRow, Index, RowOf, Table, WorkspaceRow } from '../core/table.ts';
export { idempotencyTable, stepTable } from './history.ts';
export type { IdempotencyRow, StepRow } from './history.ts';
export type { Outcome } from './pending.ts';
