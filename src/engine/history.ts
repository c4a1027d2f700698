// The tables that the engine fills for every command: history steps and stored answers.
import { tableOf, type RowOf } from '../core/table.ts';

/** Append-only. */
export const stepTable = tableOf({
  name: 'step',
  rank: 0,
  constant: ['workspace', 'machine', 'at', 'actor', 'detail'],
  columns: {
    workspace: 'int4',
    resource_id: 'uuid',
    version: 'int4',
    machine: 'text',
    from_state: 'text',
    event: 'text',
    to_state: 'text',
    at: 'timestamptz',
    actor: 'text',
    detail: 'json?',
  },
});
export type StepRow = RowOf<typeof stepTable>;

/** The stored answer of one idempotent command. [G-44] */
export const idempotencyTable = tableOf({
  name: 'idempotency',
  rank: 0,
  constant: ['workspace', 'status', 'record', 'record_version', 'answer'],
  columns: {
    workspace: 'int4',
    scope: 'text',
    fingerprint: 'text',
    status: 'int2',
    record: 'text?',
    record_id: 'uuid?',
    record_version: 'int4?',
    answer: 'json?',
  },
});
export type IdempotencyRow = RowOf<typeof idempotencyTable>;
