// Outbox rows: committed with the step that caused them, numbered and sealed afterwards.
import { tableOf, type RowOf } from '../core/table.ts';

/** A committed event without a sequence number yet. */
export const outboxTable = tableOf({
  name: 'outbox',
  rank: 0,
  constant: ['workspace', 'resource_version', 'name', 'at', 'record', 'message'],
  columns: {
    workspace: 'int4',
    resource_id: 'uuid',
    resource_version: 'int4',
    event_id: 'uuid',
    name: 'text',
    at: 'timestamptz',
    record: 'text?',
    message: 'json?',
  },
});
export type OutboxRow = RowOf<typeof outboxTable>;
