// Outbox rows: committed with the step that caused them, numbered and sealed afterwards.
import { tableOf, type RowOf } from '../core/table.ts';

/** A committed event without a sequence number yet. */
export const outboxTable = tableOf('outbox', 0, {
  resource_id: 'uuid',
  resource_version: 'int4',
  event_id: 'uuid',
  name: 'text',
  /** When the announced step was committed. */
  at: 'timestamptz',
  /** Kind of record to render the message from; null if the body is stored. */
  record: 'text?',
  message: 'json?',
}, { constant: ['workspace', 'resource_version', 'name', 'at', 'record', 'message'] });
export type OutboxRow = RowOf<typeof outboxTable>;
