// Businesses as cases: whom they concern, when they wait, when a second operator is needed. The
// effect of a decision is in the business module. [G-55]
import { prepared, type Queryable } from '../../../db/index.ts';
import type { Services } from '../../context.ts';
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { agentIdsOf, agentTable } from '../business/case.ts';
import {
  agentsOf,
  applyVerdict,
  ENTITY_REASON_CODES,
  entityTable,
  isWatched,
  listedAlike,
  needEntity,
  type EntityReason,
  type EntityRow,
} from '../business/index.ts';
import { WATCH_HIT } from '../identity/case.ts';
import { endHits, hitsOfSubject, needHits } from '../screening/index.ts';
import { workspacesParameter, type Reviewer } from './reviewer.ts';
import { restrictedIn, type Limits, type Subject } from './subject.ts';

/** The account of the business, and those of the persons behind it. */
function everybody(entity: EntityRow, people: readonly (string | undefined)[]): readonly string[] {
  return [entity.account_id, ...people.filter((one) => one !== undefined)];
}

function peopleWanted(rows: ReadSet, entity: EntityRow): readonly (string | undefined)[] {
  return agentIdsOf(entity).map((id) => rows.read(agentTable, id)?.person_id);
}

/**
 * A watch-list hit, or restricted funds at or above the limit. The persons are checked as they are
 * now: the business's own results follow theirs a moment later.
 */
function isGrave(
  decision: Decision,
  entity: EntityRow,
  { restricted, listed }: Limits,
): boolean {
  if (listed || restrictedIn(decision, entity.account_id) >= restricted) return true;
  if (decision.find(hitsOfSubject, entity.id).some(({ state }) => state === 'open')) return true;
  const watched = agentsOf(decision, entity).some((agent) => isWatched(decision, agent));
  return watched || (JSON.parse(entity.rules) as string[]).some((rule) => WATCH_HIT.test(rule));
}

/** Cancelling an accepted business deactivates it. */
const TO = {
  accept: 'accept',
  deny: 'deny',
  ask: 'ask_for_more',
  cancel: 'deactivate',
} as const;

export const business: Subject = {
  load(rows, id) {
    needEntity(rows, id);
    needHits(rows, id);
    const entity = rows.read(entityTable, id);
    return entity ? everybody(entity, peopleWanted(rows, entity)) : [];
  },
  standing(decision, id, limits) {
    const entity = decision.get(entityTable, id);
    if (entity === null) return null;
    const people = agentsOf(decision, entity).map(({ person_id }) => person_id);
    return {
      account: entity.account_id,
      people: everybody(entity, people),
      version: entity.version,
      waits: entity.state === 'PROCESSING' || entity.state === 'ACCEPT',
      grave: entity.state === 'PROCESSING' && isGrave(decision, entity, limits),
    };
  },
  reasons: ENTITY_REASON_CODES,
  tells: true,
  decisions: ['accept', 'deny', 'ask', 'cancel'],
  apply(decision, id, { decision: decided, reasons }, detail) {
    const to = TO[decided];
    const told = reasons as readonly EntityReason[];
    if (to === 'accept' || to === 'deny') endHits(decision, id, to === 'deny', {});
    return applyVerdict(decision, id, { decision: to, reasons: told }, detail);
  },
};

type Reveal = Pick<Services, 'db' | 'keys' | 'random'>;

/** True where an entry may name the business, or one of its people has an open hit. */
export async function isListed(services: Reveal, entity: EntityRow): Promise<boolean> {
  if ((await listedAlike(services, entity)).length > 0) return true;
  const rows = await services.db.query(prepared('review_business_hits')`select from entity_agent a
    join kyc k on k.workspace = a.workspace and k.id = a.person_id
    join screening_hit h on h.workspace = k.workspace and h.subject_id = k.application_id
    where a.workspace = ${entity.workspace} and a.id = any(${agentIdsOf(entity)}::uuid[])
      and h.state = 'open' limit 1`);
  return rows.length > 0;
}

/** The workspace of a business that the operator may see, or null. */
export async function workspaceOfBusiness(
  db: Queryable,
  reviewer: Reviewer,
  id: string,
): Promise<number | null> {
  const rows = await db.query<{ workspace: number }>(prepared('review_business_workspace')`
    select e.workspace from workspace w join entity e on e.workspace = w.workspace
    and e.id = ${id}
    where ${workspacesParameter(reviewer)}::int4[] is null or w.workspace = any($2)`);
  return rows[0]?.workspace ?? null;
}
