// The one way to change a business: the move, its effect on the account's identity state and so on
// money, and the event, all in one decision. Also updates agents from the identities of their
// persons, and decides a check that is complete. [G-55]
import { EngineFault, type Decision, type ReadSet } from '../../../engine/index.ts';
import { accountId, wireId } from '../../../core/ids.ts';
import { addSeconds, laterOf } from '../../../core/time.ts';
import { events } from '../../events.ts';
import { WATCH_HIT } from '../identity/case.ts';
import {
  followEntity,
  kycApplicationTable,
  kycTable,
  needKyc,
  type KycRow,
} from '../identity/index.ts';
import {
  ACCOUNT_STATES,
  AGENT_STATES,
  agentMachine,
  entityMachine,
  type EntityEvent,
  type KybState,
} from './machine.ts';
import { DOCUMENT_REASONS, judgedAll } from './judged.ts';
import type { EntityReason } from './reasons.ts';
import { rulesOf, verdictOf, type Role } from './rules.ts';
import {
  agentIdsOf,
  agentTable,
  documentsOf,
  entityTable,
  type AgentRow,
  type EntityRow,
} from './tables.ts';

/** Seconds that a business has to submit what is missing. [G-55] */
export const ANSWER_SECONDS = 30 * 86_400;

/** Locks what a change of this business touches. */
export function needEntity(rows: ReadSet, id: string): void {
  const entity = rows.read(entityTable, id);
  if (!entity) return;
  rows.lock(entityTable, id);
  needKyc(rows, entity.account_id);
  for (const agentId of agentIdsOf(entity)) {
    const agent = rows.read(agentTable, agentId);
    if (!agent) continue;
    rows.lock(agentTable, agentId);
    const kyc = rows.read(kycTable, agent.person_id);
    rows.lock(kycTable, agent.person_id);
    if (kyc && kyc.application_id !== null) rows.read(kycApplicationTable, kyc.application_id);
  }
}

/** Agents of a business, the primary contact first. */
export function agentsOf(decision: Decision, entity: EntityRow): AgentRow[] {
  return agentIdsOf(entity).map((id) => {
    const agent = decision.get(agentTable, id);
    if (agent === null) throw new EngineFault('a business names an agent that is absent');
    return agent;
  });
}

export function rolesOf({ roles }: Pick<AgentRow, 'roles'>): Role[] {
  return JSON.parse(roles) as Role[];
}

/** When the clock acts on a business in this state. */
export function dueIn(decision: Decision, state: string): string | null {
  return state === 'INCOMPLETE' ? addSeconds(decision.now, ANSWER_SECONDS) : null;
}

export interface EntityChange {
  readonly on: EntityEvent;
  readonly to: KybState;
  readonly reasons?: readonly EntityReason[];
  readonly patch?: Partial<EntityRow>;
  /** For the history; nothing personal. */
  readonly detail?: object;
}

export function changeEntity(decision: Decision, entity: EntityRow, change: EntityChange): void {
  const { id } = entity;
  const { on, to, reasons = [], detail } = change;
  const patch = { due: dueIn(decision, to), reasons: JSON.stringify(reasons), ...change.patch };
  decision.move(entityMachine, entityTable, id, on, to, patch, detail);
  tellEntity(decision, id);
}

/** Announces the status of a business, and passes it on to the account's identity state. */
export function tellEntity(decision: Decision, id: string): void {
  const entity = decision.get(entityTable, id);
  if (entity === null) throw new EngineFault('a business that is told is absent');
  const status = entity.state;
  decision.announce(events.entityChanged, id, entity.version, {
    account_id: accountId(entity.account_id),
    entity_id: wireId('ent', id),
    entity_status: status,
    vendor_application_id: '',
    custom_application_id: '',
  });
  followEntity(decision, entity.account_id, ACCOUNT_STATES[status]);
}

function kycOfPerson(decision: Decision, { person_id }: AgentRow): KycRow {
  const kyc = decision.get(kycTable, person_id);
  if (kyc === null) throw new EngineFault('a person behind a business has no identity state');
  return kyc;
}

/** Updates each agent's status from its person's identity; gives all agents. */
function followPeople(decision: Decision, entity: EntityRow): AgentRow[] {
  for (const agent of agentsOf(decision, entity)) {
    const { state, version: kyc_version } = kycOfPerson(decision, agent);
    const to = AGENT_STATES[state];
    if (agent.state === to) continue;
    const { id } = agent;
    decision.move(agentMachine, agentTable, id, 'follow_identity', to, {}, { kyc_version });
  }
  return agentsOf(decision, entity);
}

/** True where the identity of this agent's person has a watch-list hit now. */
export function isWatched(decision: Decision, agent: AgentRow): boolean {
  const { application_id: id } = kycOfPerson(decision, agent);
  const application = id === null ? null : decision.get(kycApplicationTable, id);
  const rules = JSON.parse(application?.rules ?? '[]') as string[];
  return rules.some((rule) => WATCH_HIT.test(rule));
}

/** The version of each person's identity that a decision used, for the history. */
export function peopleSeen(decision: Decision, entity: EntityRow): Record<string, number> {
  const seen = agentsOf(decision, entity).map((agent) => {
    return [agent.person_id, kycOfPerson(decision, agent).version] as const;
  });
  return Object.fromEntries(seen);
}

/** Updates the agents; a business in PROCESSING may be decided by that. */
export function advanceEntity(decision: Decision, entityId: string): void {
  const entity = decision.get(entityTable, entityId);
  if (entity === null) return;
  const agents = followPeople(decision, entity);
  if (entity.state !== 'PROCESSING') return;
  const checked = {
    course: entity.course,
    people: agents.map(({ state }) => state),
    watched: agents.some((agent) => isWatched(decision, agent)),
    documents: documentsOf(entity),
  };
  const rules = JSON.stringify(rulesOf(checked));
  const verdict = verdictOf(checked);
  if (verdict === null) {
    if (rules !== entity.rules) decision.update(entityTable, entityId, { rules });
    return;
  }
  const detail = { people: peopleSeen(decision, entity), by: 'sandbox' };
  const [reason] = DOCUMENT_REASONS.filter((one) => verdict.reasons.includes(one));
  const decides = verdict.to === 'ACCEPT' || reason !== undefined;
  const documents = decides
    ? { documents: judgedAll(documentsOf(entity), reason, decision.now) }
    : {};
  const patch = { rules, ...documents };
  changeEntity(decision, entity, { on: 'decide', ...verdict, patch, detail });
}

/** A change of what is stated, without a move. It restarts the time to answer. */
export function touchEntity(
  decision: Decision,
  { id, state, updated }: EntityRow,
  patch: Partial<EntityRow>,
): void {
  const at = laterOf(decision.now, updated);
  decision.update(entityTable, id, { ...patch, due: dueIn(decision, state), updated: at });
}
