// Audit entries that a decision of the engine writes in its transaction. The id is derived, so that
// the same decision gives the same entry.
import { tableOf, type Decision } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { Act } from './entry.ts';

export const entryTable = tableOf('audit_entry', 0, {
  id: 'uuid',
  at: 'timestamptz',
  actor: 'text',
  act: 'text',
  subject: 'text',
  detail: 'text',
});

/** Writes an entry for an act; two acts on one subject must not have the same version. [M2] */
export function note(decision: Decision, act: Act, subject: string, version: number): void {
  const { workspace, lineage, now: at, actor } = decision;
  const id = derivedUuid(`audit ${lineage} ${act} ${subject} ${version} ${at}`);
  decision.insert(entryTable, { workspace, id, at, actor, act, subject, detail: '{}' });
}
