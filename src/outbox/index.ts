// The outbox: events are rows, committed with what they announce; sealed in order without gaps
// after the commit. Answers for the stream; refuses to know who listens.
export { outboxTable } from './tables.ts';
export type { OutboxRow } from './tables.ts';
export { Records } from './records.ts';
export type { RecordKey, RecordKind } from './records.ts';
export { sealBlock, waitingWorlds } from './seal.ts';
export type { FanOut, SealOptions, SealedEvent } from './seal.ts';
export { startSealing } from './loop.ts';
export type { SealLoop } from './loop.ts';
export { EVENT_COLUMNS, Stream } from './stream.ts';
export type { StoredEvent } from './stream.ts';
