// The outbox: events are committed as rows with the change they announce, and afterwards sealed
// into a gapless, ordered stream. Who receives them is the domain's business.
export type { OutboxRow } from './tables.ts';
export { streamLaws } from './laws.ts';
export { streamLists } from './list.ts';
export { streamQueues } from './queues.ts';
export { Records } from './records.ts';
export { recordAtVersion, rowsAtVersion } from './records.ts';
export type { Recorded, RecordKey, RecordKind } from './records.ts';
export { openStream, sealBlock, waitingWorkspaces } from './seal.ts';
export type { FanOut, SealOptions } from './seal.ts';
export { startSealing } from './loop.ts';
export type { SealLoop } from './loop.ts';
export { EVENT_COLUMNS, Stream } from './stream.ts';
export type { StoredEvent } from './stream.ts';
