// The tables that the engine fills for every command: history steps and stored answers.
import type { Instant } from '../core/time.ts';
import { defineTable, type WorkspaceRow } from '../core/table.ts';

/** One transition of one resource. */
export interface StepRow extends WorkspaceRow {
  readonly resource_id: string;
  readonly version: number;
  readonly machine: string;
  readonly from_state: string;
  readonly event: string;
  readonly to_state: string;
  readonly at: Instant;
  readonly actor: string;
  readonly detail: string | null;
}

/** Append-only. */
export const stepTable = defineTable<StepRow>({
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
    detail: 'json',
  },
});

/** The stored answer of one idempotent command. [G-44] */
export interface IdempotencyRow extends WorkspaceRow {
  readonly scope: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly record: string | null;
  readonly record_id: string | null;
  readonly record_version: number | null;
  readonly answer: string | null;
}

export const idempotencyTable = defineTable<IdempotencyRow>({
  name: 'idempotency',
  rank: 0,
  constant: ['workspace', 'status', 'record', 'record_version', 'answer'],
  columns: {
    workspace: 'int4',
    scope: 'text',
    fingerprint: 'text',
    status: 'int2',
    record: 'text',
    record_id: 'uuid',
    record_version: 'int4',
    answer: 'json',
  },
});
