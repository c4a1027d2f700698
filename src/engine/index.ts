// The engine runs pure decisions in batches and is the only writer of the domain's tables. It owns
// locking, history, idempotency and commit; it must not depend on a module of the domain.
export type {
  Command,
  CommandAnswer,
  Decision,
  HeadRow,
  LedgerEntry,
  MessageEvent,
  Submission,
  ReadSet,
} from '../core/command.ts';
export { command, EngineFault } from '../core/command.ts';
export type { Outcome } from './discover.ts';
export { Engine } from './engine.ts';
export { ENGINE_SETTINGS, engineRefusals } from './options.ts';
export type { Compose, EngineCounters, EngineOptions, Scheduler } from './options.ts';
export { tableOf } from '../core/table.ts';
export type { ColumnType, IdRow, Index, RowOf, Table, WorkspaceRow } from '../core/table.ts';
export {
  dueRows,
  idempotencyTable,
  isEnded,
  loadMoves,
  stepLaws,
  stepTable,
  stillWorkspace,
} from './tables.ts';
export type { IdempotencyRow, StepRow } from './tables.ts';
