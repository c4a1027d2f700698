// Stores what is stated about a business: creates it, with an account for each person whose
// identity will be checked, or changes it while the form is open. Texts come sealed. [G-54, G-55]
import { EngineFault, type Command, type Decision } from '../../../engine/index.ts';
import { wireId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { laterOf } from '../../../core/time.ts';
import { accountNotFoundInBody, accountTable } from '../account/index.ts';
import { beFollowed, kycTable, needKyc, refusals as ofIdentity } from '../identity/index.ts';
import { makeAccount, type RegistrationInput } from '../registration/index.ts';
import { agentsOf, dueIn, needEntity, tellEntity, touchEntity } from './change.ts';
import type { NamedDocument } from './judged.ts';
import { agentMachine, entityMachine, OPEN_STATES } from './machine.ts';
import { agentNotFoundInBody, refusals as no } from './refusals.ts';
import { PEOPLE_MAX, type Role } from './rules.ts';
import {
  agentTable,
  documentsOf,
  entityOfAccount,
  entityTable,
  type AgentRow,
  type EntityRow,
} from './tables.ts';

/** A person of the form. */
export interface PersonInput {
  readonly id: string;
  /** The account to create for a new person; null for one that the business already names. */
  readonly registration: RegistrationInput | null;
  readonly roles: readonly Role[];
  /** A band or a percentage; '' where it is not stated. */
  readonly ownership: string;
  readonly sealed: string | null;
}

export interface StoreInput {
  readonly account: string;
  /** The id of the business that was read, or of a new one. */
  readonly id: string;
  /** True where the account had a business when it was read. */
  readonly known: boolean;
  /** False: an existing business stays as it is. [G-54] */
  readonly replace: boolean;
  readonly stated: Pick<
    EntityRow,
    'entity_type' | 'country' | 'tax_id_given' | 'lacks' | 'course' | 'sealed'
  >;
  /** The primary contact first. */
  readonly people: readonly PersonInput[];
  /** Only for a new business. */
  readonly documents: readonly NamedDocument[];
}

/** The answer of onboarding. [G-54] */
export function onboarded(id: string) {
  return { status: 200, payload: { entity_id: wireId('ent', id), vendor_response: {} } };
}

/** The answer of other changes. */
export function statusOf({ id, state }: Pick<EntityRow, 'id' | 'state'>) {
  return { status: 200, payload: { entity_id: wireId('ent', id), status: state } };
}

/** Stores the whole form. */
export const storeEntity: Command<StoreInput> = {
  name: 'store_entity',
  load(rows, { account }) {
    rows.lock(accountTable, account);
    needKyc(rows, account);
    for (const { id } of rows.find(entityOfAccount, account)) needEntity(rows, id);
  },
  decide(decision, input) {
    const { account, id, known, replace } = input;
    if (decision.get(accountTable, account) === null) throw refuse(accountNotFoundInBody);
    const [entity] = decision.find(entityOfAccount, account);
    if (entity !== undefined && !replace) return onboarded(entity.id);
    const same = known ? entity?.id === id : entity === undefined;
    if (!same) throw refuse(no.ENTITY_CHANGED_MEANWHILE, {}, 1);
    if (entity === undefined) begin(decision, input);
    else revise(decision, entity, input);
    if (!replace) return onboarded(id);
    return statusOf({ id, state: entity?.state ?? 'INCOMPLETE' });
  },
};

/** Repeated onboarding: the same answer, unless the key has a stored one. [G-44, G-54] */
export const onboardedBefore: Command<string> = {
  name: 'onboarded_before',
  batchable: true,
  load() {},
  decide: (_decision, id) => onboarded(id),
};

function begin(decision: Decision, input: StoreInput): void {
  const { account, id, stated, people, documents } = input;
  const { workspace, now } = decision;
  const kyc = decision.get(kycTable, account);
  if (kyc?.followed === true) throw refuse(no.ACCOUNT_IS_AGENT);
  // Naming a business must not end a check or review of the person themselves.
  if (kyc?.state === 'PROCESSING' || kyc?.state === 'MANUAL_REVIEW') {
    throw refuse(ofIdentity.KYC_IN_PROGRESS);
  }
  decision.create(entityMachine, entityTable, 'onboard', {
    ...stated,
    workspace,
    id,
    account_id: account,
    state: 'INCOMPLETE',
    version: 1,
    agents: JSON.stringify(people.map((person) => person.id)),
    people: people.length,
    documents: JSON.stringify(documents),
    reasons: '[]',
    rules: '[]',
    due: dueIn(decision, 'INCOMPLETE'),
    created: now,
    updated: now,
  });
  for (const [at, person] of people.entries()) {
    name(decision, id, person, at === 0 ? account : null);
  }
  tellEntity(decision, id);
}

/** Creates an agent and the account on which the person's identity is checked. */
function name(
  decision: Decision,
  entity_id: string,
  { id, registration, roles, ownership, sealed }: PersonInput,
  account: string | null,
): void {
  if (registration === null) throw new EngineFault('a new agent comes without an account');
  const { workspace, now } = decision;
  makeAccount(decision, registration);
  beFollowed(decision, registration.id);
  decision.create(agentMachine, agentTable, 'name', {
    workspace,
    id,
    entity_id,
    account_id: account ?? registration.id,
    person_id: registration.id,
    state: 'INCOMPLETE',
    version: 1,
    roles: JSON.stringify(roles),
    ownership,
    sealed,
    created: now,
    updated: now,
  });
}

function revise(decision: Decision, entity: EntityRow, input: StoreInput): void {
  const { stated, people } = input;
  if (!OPEN_STATES.includes(entity.state)) throw refuse(no.ENTITY_CLOSED);
  const named = entity.people + people.filter((one) => one.registration !== null).length;
  if (named > PEOPLE_MAX) throw refuse(no.BUSINESS_PEOPLE_LIMIT);
  const before = new Map(agentsOf(decision, entity).map((agent) => [agent.id, agent]));
  for (const person of people) {
    const agent = before.get(person.id);
    if (agent !== undefined) rename(decision, agent, person);
    else if (person.registration !== null) name(decision, entity.id, person, null);
    else throw refuse(agentNotFoundInBody);
  }
  const agents = people.map(({ id }) => id);
  for (const id of before.keys()) {
    if (!agents.includes(id)) decision.move(agentMachine, agentTable, id, 'remove', 'INACTIVE');
  }
  const documents = documentsOf(entity).filter(
    ({ agent }) => agent === null || agents.includes(agent),
  );
  touchEntity(decision, entity, {
    ...stated,
    agents: JSON.stringify(agents),
    people: named,
    documents: JSON.stringify(documents),
  });
}

function rename(decision: Decision, agent: AgentRow, person: PersonInput): void {
  const { ownership, sealed } = person;
  const roles = JSON.stringify(person.roles);
  const same = roles === agent.roles && ownership === agent.ownership && sealed === agent.sealed;
  if (same) return;
  const updated = laterOf(decision.now, agent.updated);
  decision.update(agentTable, agent.id, { roles, ownership, sealed, updated });
}
