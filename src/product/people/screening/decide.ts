// How hits begin, and end: as operators decide about them, or about the application or business.
// Pure. [G-51]
import { derivedUuid } from '../../../core/ids.ts';
import type { Decision, ReadSet } from '../../../engine/index.ts';
import type { Hit } from './look-up.ts';
import { hitMachine } from './machine.ts';
import { hitsOfSubject, hitTable } from './tables.ts';

/** Locks the hits of an application or a business. */
export function needHits(rows: ReadSet, subject: string | null): void {
  if (subject === null) return;
  for (const { id } of rows.find(hitsOfSubject, subject)) rows.lock(hitTable, id);
}

/** Creates the hits that an application or a business does not have yet; gives how many. */
export function addHits(
  decision: Decision,
  { id, account_id }: { readonly id: string; readonly account_id: string },
  hits: readonly Hit[],
): number {
  const nameOf = (hit: Omit<Hit, 'score' | 'listed'>): string =>
    JSON.stringify([hit.list, hit.entry, hit.list_version]);
  const known = new Set(decision.find(hitsOfSubject, id).map(nameOf));
  const fresh = hits.filter((hit) => !known.has(nameOf(hit)));
  const { workspace, lineage, now } = decision;
  for (const hit of fresh) {
    decision.create(hitMachine, hitTable, 'find', {
      ...{ workspace, id: derivedUuid(`screening_hit/${lineage}/${id}/${nameOf(hit)}`) },
      ...{ account_id, subject_id: id, ...hit },
      ...{ state: 'open', version: 1, created: now, updated: now },
    });
  }
  return fresh.length;
}

/** Ends the open hits of an application or a business as operators decided about it. */
export function endHits(
  decision: Decision,
  subject: string | null,
  isSame: boolean,
  detail: object,
): void {
  if (subject === null) return;
  for (const { id, state } of decision.find(hitsOfSubject, subject)) {
    if (state === 'open') endHit(decision, id, isSame, detail);
  }
}

const UPHOLD = ['uphold', 'upheld'] as const;
const DISMISS = ['dismiss', 'dismissed'] as const;

/** Ends an open hit; gives its new version. `detail` goes into the history. */
export function endHit(decision: Decision, id: string, isSame: boolean, detail: object): number {
  const [on, to] = isSame ? UPHOLD : DISMISS;
  return decision.move(hitMachine, hitTable, id, on, to, {}, detail);
}
