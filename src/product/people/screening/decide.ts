// How hits end: as operators decide about them or about the application. Pure. [G-51]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { hitMachine } from './machine.ts';
import { hitsOfApplication, hitTable } from './tables.ts';

/** Locks the hits of an application. */
export function needHits(rows: ReadSet, application: string | null): void {
  if (application === null) return;
  for (const { id } of rows.find(hitsOfApplication, application)) rows.lock(hitTable, id);
}

/** Ends the open hits of an application as operators decided about it. */
export function endHits(
  decision: Decision,
  application: string | null,
  isPerson: boolean,
  detail: object,
): void {
  if (application === null) return;
  for (const { id, state } of decision.find(hitsOfApplication, application)) {
    if (state === 'open') endHit(decision, id, isPerson, detail);
  }
}

const UPHOLD = ['uphold', 'upheld'] as const;
const DISMISS = ['dismiss', 'dismissed'] as const;

/** Ends an open hit; gives its new version. `detail` goes into the history. */
export function endHit(decision: Decision, id: string, isPerson: boolean, detail: object): number {
  const [on, to] = isPerson ? UPHOLD : DISMISS;
  return decision.move(hitMachine, hitTable, id, on, to, {}, detail);
}
