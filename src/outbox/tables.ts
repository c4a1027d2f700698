// Outbox rows: committed with the step that caused them, numbered and sealed afterwards.
import { defineTable, type WorkspaceRow } from '../core/table.ts';
import type { Instant } from '../core/time.ts';

/** A committed event without a sequence number yet. */
export interface OutboxRow extends WorkspaceRow {
  readonly resource_id: string;
  readonly resource_version: number;
  readonly event_id: string;
  readonly name: string;
  readonly at: Instant;
  readonly record: string | null;
  readonly message: string | null;
}

export const outboxTable = defineTable<OutboxRow>({
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
    record: 'text',
    message: 'json',
  },
});
