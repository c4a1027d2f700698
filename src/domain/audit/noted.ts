// Entries that a decision of the engine leaves with what it does, in its transaction. Answers for
// the same decision giving the same entry; refuses to know what the acts mean.
import { defineTable, type Decision, type IdRow } from '../../engine/index.ts';
import { derivedUuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Act } from './entry.ts';

interface EntryRow extends IdRow {
  readonly at: Instant;
  readonly actor: string;
  readonly act: string;
  readonly subject: string;
  readonly detail: string;
}

const entryTable = defineTable<EntryRow>({
  name: 'audit_entry',
  rank: 0,
  columns: {
    world: 'int4',
    id: 'uuid',
    at: 'timestamptz',
    actor: 'text',
    act: 'text',
    subject: 'text',
    detail: 'text',
  },
});

/** Writes an entry of what is decided; no two acts on one subject are of one version. [M2] */
export function note(decision: Decision, act: Act, subject: string, version: number): void {
  const { world, line, now: at, actor } = decision;
  const id = derivedUuid(`audit ${line} ${act} ${subject} ${version} ${at}`);
  decision.insert(entryTable, { world, id, at, actor, act, subject, detail: '{}' });
}
