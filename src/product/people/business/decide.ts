// Decisions on an existing business: submission, changes of its persons, decisions of compliance,
// the clock, and the sandbox's setter. No personal data comes here. [G-55]
import type { Command, Decision } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountTable, refusals as ofAccount } from '../account/index.ts';
import {
  advanceEntity,
  agentsOf,
  changeEntity,
  needEntity,
  peopleSeen,
  rolesOf,
} from './change.ts';
import { hasRegistrationDocument, judgedAll, judgedAs, type DocumentReason } from './judged.ts';
import { OPEN_STATES, type KybState } from './machine.ts';
import type { EntityReason } from './reasons.ts';
import { decisionRefusals, entityNotStarted, refusals as no } from './refusals.ts';
import { needsOf } from './rules.ts';
import { statusOf } from './store.ts';
import {
  agentOfPerson,
  documentsOf,
  entityOfAccount,
  entityTable,
  type EntityRow,
} from './tables.ts';

const DONE = { status: 200, payload: null } as const;

function after(decision: Decision, before: EntityRow): EntityRow {
  return decision.get(entityTable, before.id) ?? before;
}

/** Submits the business of an account. Throws a Refusal that names each missing field. [G-55] */
export const submitEntity: Command<{ readonly account: string }> = {
  name: 'submit_entity',
  load(rows, { account }) {
    rows.lock(accountTable, account);
    for (const { id } of rows.find(entityOfAccount, account)) needEntity(rows, id);
  },
  decide(decision, { account }) {
    const [entity] = decision.find(entityOfAccount, account);
    if (entity === undefined) throw refuse(entityNotStarted);
    if (decision.get(accountTable, account)?.blocked === true) {
      throw refuse(ofAccount.ACCOUNT_BLOCKED);
    }
    if (!OPEN_STATES.includes(entity.state)) throw refuse(no.ENTITY_CLOSED);
    const people = agentsOf(decision, entity).map((one) => {
      return { roles: rolesOf(one), ownership: one.ownership };
    });
    const needs = needsOf(entity, documentsOf(entity), people);
    if (needs.length > 0) {
      const errors = Object.fromEntries(needs.map((need) => [need, 'is required']));
      throw refuse(no.ENTITY_NEEDS_MORE, errors);
    }
    changeEntity(decision, entity, { on: 'submit', to: 'PROCESSING', patch: { rules: '[]' } });
    advanceEntity(decision, entity.id);
    return statusOf(after(decision, entity));
  },
};

/** A person's identity moved: the business that waits for it may be decided by that. */
export const followPerson: Command<{ readonly person: string }> = {
  name: 'follow_person',
  load(rows, { person }) {
    for (const { entity_id } of rows.find(agentOfPerson, person)) needEntity(rows, entity_id);
  },
  decide(decision, { person }) {
    for (const { entity_id } of decision.find(agentOfPerson, person)) {
      advanceEntity(decision, entity_id);
    }
    return DONE;
  },
};

/** What compliance can decide, and in which status. [G-55] */
const DECISIONS = {
  accept: { from: 'PROCESSING', on: 'decide', to: 'ACCEPT' },
  deny: { from: 'PROCESSING', on: 'decide', to: 'DENY' },
  ask_for_more: { from: 'PROCESSING', on: 'decide', to: 'INCOMPLETE' },
  deactivate: { from: 'ACCEPT', on: 'deactivate', to: 'INACTIVE' },
} as const;

/** A manual decision. */
export interface EntityVerdict {
  readonly decision: keyof typeof DECISIONS;
  /** What the primary contact reads. */
  readonly reasons: readonly EntityReason[];
}

/**
 * Applies a manual decision to a business that `needEntity` has locked; gives its new version.
 * Throws a Refusal where the status or the persons behind it do not allow it. [G-55]
 */
export function applyVerdict(
  decision: Decision,
  id: string,
  { decision: decided, reasons }: EntityVerdict,
  detail: object = {},
): number {
  const entity = decision.get(entityTable, id);
  if (entity === null) throw refuse(no.ENTITY_NOT_FOUND);
  const { from, on, to } = DECISIONS[decided];
  if (entity.state !== from) throw refuse(decisionRefusals.ENTITY_NOT_DECIDABLE);
  advanceEntity(decision, id);
  const now = after(decision, entity);
  if (now.state !== from) throw refuse(decisionRefusals.ENTITY_NOT_DECIDABLE);
  const verified = agentsOf(decision, now).every(({ state }) => state === 'ACCEPT');
  if (to === 'ACCEPT' && !verified) throw refuse(decisionRefusals.ENTITY_AGENTS_NOT_VERIFIED);
  const documents = documentsOf(now);
  if (to === 'ACCEPT' && !hasRegistrationDocument(documents)) {
    throw refuse(decisionRefusals.ENTITY_DOCUMENT_NEEDED);
  }
  const people = peopleSeen(decision, now);
  const patch =
    to === 'ACCEPT' ? { documents: judgedAll(documents, undefined, decision.now) } : {};
  changeEntity(decision, now, { on, to, reasons, patch, detail: { ...detail, people, reasons } });
  return after(decision, now).version;
}

/**
 * Decides about a document of a business in PROCESSING that `needEntity` has locked. No reason: it
 * is accepted. False where that was so before. Throws a Refusal for an unknown one. [G-55]
 */
export function judgeDocument(
  decision: Decision,
  entity: EntityRow,
  id: string,
  reason: DocumentReason | undefined,
): boolean {
  if (entity.state !== 'PROCESSING') throw refuse(decisionRefusals.ENTITY_NOT_DECIDABLE);
  const documents = documentsOf(entity);
  const before = documents.find((one) => one.id === id);
  if (before === undefined) throw refuse(no.ENTITY_DOCUMENT_NOT_FOUND);
  if (before.judged !== undefined && before.reason === reason) return false;
  const after = documents.map((one) =>
    one.id === id ? judgedAs(one, reason, decision.now) : one,
  );
  decision.update(entityTable, entity.id, { documents: JSON.stringify(after) });
  advanceEntity(decision, entity.id);
  return true;
}

/** Ends the wait for a business that submitted nothing for 30 days. [G-55] */
export const lapseEntity: Command<{ readonly entity: string }> = {
  name: 'lapse_entity',
  load: (rows, { entity }) => needEntity(rows, entity),
  decide(decision, { entity: id }) {
    const entity = decision.get(entityTable, id);
    if (entity !== null && entity.due !== null && entity.due <= decision.now) {
      changeEntity(decision, entity, { on: 'lapse', to: 'CANCEL' });
    }
    return DONE;
  },
};

/** Sets the status of a business; staging only. The same status changes nothing. [G-64] */
export const setEntity: Command<{ readonly entity: string; readonly status: KybState }> = {
  name: 'set_entity',
  load: (rows, { entity }) => needEntity(rows, entity),
  decide(decision, { entity: id, status }) {
    const entity = decision.get(entityTable, id);
    if (entity === null) throw refuse(no.ENTITY_NOT_FOUND);
    if (entity.state !== status) changeEntity(decision, entity, { on: 'set', to: status });
    return statusOf(after(decision, entity));
  },
};
