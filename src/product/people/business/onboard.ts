// Onboarding and the form: the two ways to state a business. Both store the same: who its persons
// are, new accounts for new ones, and every text sealed with the key of whoever it belongs to.
// Onboarding leaves an existing business unchanged. Files are handled in documents.ts. [G-54]
import type { Submission } from '../../../engine/index.ts';
import { uuidOfWireId, wireId } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountNotFoundInBody, openAccount, openSealer, sealerOf } from '../account/index.ts';
import type { Services } from '../../context.ts';
import { inspectFiles } from '../identity/index.ts';
import { dropDocuments, handed, withDocuments, type HandedDocument } from './documents.ts';
import { agentsOfEntity, businessOf, entityOf, openName } from './read.ts';
import type { AgentSeen, Business } from './read.ts';
import { recordOf, type DocumentBody, type FormBody, type OnboardBody } from './schema.ts';
import { onboardedBefore, storeEntity, type PersonInput, type StoreInput } from './store.ts';
import { documentsOf, type EntityRow } from './tables.ts';
import { prepareRegistration } from '../registration/index.ts';
import { rolesOf } from './change.ts';
import { agentNotFoundInBody } from './refusals.ts';
import { isAbroad, lackingIn, registrationIn, type Registration } from './registered.ts';
import { checkParts, postVerificationOf, ROLES, type Part } from './rules.ts';

/** A person as named in a body. */
interface PersonRequest extends Part {
  /** UUID of the agent. */
  readonly id: string;
  /** Where the body has the id of an existing agent; null for a new one. */
  readonly path: string | null;
  /** Null: unchanged. */
  readonly name: string | null;
  /** The address of a new person, where it is known. */
  readonly email?: string | undefined;
}

/** What is stated about the business itself. */
type StatedRequest = Omit<FormBody, 'agents'>;

type Owner = Pick<Caller, 'workspace' | 'integrator'>;

/** Prepares and seals all that is stored of a form; `existing` is the account's business. */
async function prepareStore(
  services: Services,
  owner: Owner,
  account: string,
  existing: EntityRow | null,
  request: { readonly stated: StatedRequest; readonly people: readonly PersonRequest[] },
): Promise<Omit<StoreInput, 'replace' | 'documents'>> {
  const { db, random, env } = services;
  const { workspace } = owner;
  const sealer = await sealerOf(services, workspace, account);
  const person = await openAccount(services, workspace, account);
  if (sealer === null || person === null) throw refuse(accountNotFoundInBody);
  const { stated } = request;
  const known = existing === null ? [] : await agentsOfEntity(db, existing);
  const fullName = person.full_name || `${person.first_name} ${person.last_name}`.trim();
  const wished = inOrder(request.people, known, { id: random.uuid(), name: fullName });
  checkParts(wished);
  const people: PersonInput[] = [];
  for (const one of wished) people.push(await personOf(services, owner, one, known));
  const id = existing?.id ?? random.uuid();
  const before = existing === null ? null : businessOf(sealer, existing);
  const country = stated.country ?? existing?.country ?? person.country_iso;
  const registration = await registrationIn(country, registrationOf(stated));
  const business: Business = {
    entity_name: stated.entity_name,
    user_email: stated.user_email ?? '',
    tax_id: stated.tax_id ?? (isAbroad(country) ? '' : (before?.tax_id ?? '')),
    naics_numbers: stated.naics_numbers ?? '',
    duns_numbers: stated.duns_numbers ?? '',
    ...registration,
  };
  return {
    account,
    id,
    known: existing !== null,
    people,
    stated: {
      entity_type: stated.entity_type ?? '',
      country,
      tax_id_given: business.tax_id !== '',
      lacks: JSON.stringify(await lackingIn(country, registration)),
      course: postVerificationOf(business, env === 'staging'),
      sealed: sealer.sealJson('business', id, business),
    },
  };
}

function registrationOf(stated: StatedRequest): Registration {
  return {
    legal_form: stated.legal_form ?? '',
    registration_number: stated.registration_number ?? '',
    register: stated.register ?? '',
    vat_number: stated.vat_number ?? '',
    street: stated.street ?? '',
    street2: stated.street2 ?? '',
    city: stated.city ?? '',
    region: stated.region ?? '',
    postal_code: stated.postal_code ?? '',
  };
}

/** Throws the Refusal that storing a new business with this would. */
async function checkRequest(
  country: string,
  stated: StatedRequest,
  people: readonly PersonRequest[],
): Promise<void> {
  checkParts(inOrder(people, [], { id: '', name: null }));
  await registrationIn(stated.country ?? country, registrationOf(stated));
}

/** The persons of a form. The primary contact is always there, first, and always the same. */
function inOrder(
  people: readonly PersonRequest[],
  known: readonly AgentSeen[],
  otherwise: Pick<PersonRequest, 'id' | 'name'>,
): PersonRequest[] {
  const left = new Set(known.map(({ id }) => id));
  for (const { id, path } of people) {
    if (path !== null && !left.delete(id)) {
      throw refuse(agentNotFoundInBody, {
        [path]: 'does not exist or belongs to another business',
      });
    }
  }
  const [first] = known;
  const isPrimary = ({ id, roles }: PersonRequest): boolean =>
    first === undefined ? roles.includes('primary_contact') : id === first.id;
  const found = people.find(isPrimary);
  const kept =
    first === undefined
      ? { ...otherwise, path: null, roles: [], ownership: '' }
      : { id: first.id, path: '', name: null, roles: rolesOf(first), ownership: first.ownership };
  const primary = found ?? kept;
  const roles = [...primary.roles, 'primary_contact' as const];
  return [{ ...primary, roles }, ...people.filter((one) => one !== found)].map((one) => ({
    ...one,
    roles: ROLES.filter((role) => one.roles.includes(role)),
  }));
}

async function personOf(
  services: Services,
  owner: Owner,
  { id, name, email, roles, ownership }: PersonRequest,
  known: readonly AgentSeen[],
): Promise<PersonInput> {
  const { workspace } = owner;
  const agent = known.find((one) => one.id === id);
  if (agent !== undefined) {
    const sealer = await sealerOf(services, workspace, agent.person_id);
    const before = openName(sealer, agent);
    const same = name === null || sealer === null || name === before;
    const sealed = same ? agent.sealed : sealer.seal('agent', agent.id, name);
    return { id: agent.id, registration: null, roles, ownership, sealed };
  }
  const known_email = email === undefined ? {} : { email: { address: email } };
  const body = { username: wireId('agt', id), full_name: name ?? '', ...known_email };
  const registration = await prepareRegistration(services, owner, body);
  const sealer = await openSealer(services, workspace, registration.id, registration);
  const sealed = sealer.seal('agent', id, name ?? '');
  return { id, registration, roles, ownership, sealed };
}

/** The documents of a body; those of each person with that person's id. */
function handedIn(body: OnboardBody, people: readonly PersonRequest[]): HandedDocument[] {
  const at = (path: string, agent: string | null, documents: readonly DocumentBody[] = []) =>
    documents.map((one, number) => {
      const file = recordOf(one) === null ? '' : '.file';
      return handed(`${path}documents[${number}]${file}`, agent, one);
    });
  const others = (body.agents ?? []).flatMap(({ documents }, number) =>
    at(`agents[${number}].`, people[number]?.id ?? null, documents),
  );
  return [...at('', null, body.documents), ...others];
}

/** Creates a business, or answers with the one that the account has. */
export async function onboard(
  services: Services,
  owner: Pick<Caller, 'workspace' | 'integrator'>,
  account: string,
  body: OnboardBody,
  submission: Submission,
) {
  const { db, engine, random } = services;
  const { workspace } = owner;
  const existing = await entityOf(db, workspace, account);
  const people = (body.agents ?? []).map((one) => {
    const { agent_name: name, agent_email: email, roles, ownership = '' } = one;
    return { id: random.uuid(), path: null, name, email, roles, ownership };
  });
  if (existing !== null) {
    // What a first call would refuse is refused again, though nothing of it is stored.
    await checkRequest(existing.country, body, people);
    await inspectFiles(services, handedIn(body, people));
    return engine.run(onboardedBefore, existing.id, submission);
  }
  const sealer = await sealerOf(services, workspace, account);
  if (sealer === null) throw refuse(accountNotFoundInBody);
  const request = { stated: body, people };
  const input = await prepareStore(services, owner, account, null, request);
  const files = { workspace, account, entity: input.id };
  const handedFiles = handedIn(body, people);
  return withDocuments(services, files, sealer, handedFiles, submission, (documents) =>
    engine.run(storeEntity, { ...input, replace: false, documents }, submission),
  );
}

/** Saves the whole form of an account; creates the business where there is none. */
export async function saveForm(
  services: Services,
  owner: Pick<Caller, 'workspace' | 'integrator'>,
  account: string,
  body: FormBody,
  submission: Submission,
) {
  const { db, engine, random } = services;
  const existing = await entityOf(db, owner.workspace, account);
  const people = (body.agents ?? []).map(({ entity_agent_id: wire, ...rest }, at) => {
    const { agent_name: name, agent_email: email, roles, ownership = '' } = rest;
    const stated = { name, roles, ownership };
    if (wire === undefined) return { id: random.uuid(), path: null, email, ...stated };
    // A malformed id is answered exactly like an unknown one.
    const id = uuidOfWireId('agt', wire) ?? wire;
    return { id, path: `agents[${at}].entity_agent_id`, ...stated };
  });
  const request = { stated: body, people };
  const input = await prepareStore(services, owner, account, existing, request);
  const whole = { ...input, replace: true, documents: [] };
  const answer = await engine.run(storeEntity, whole, submission);
  // Documents of persons who are no longer named.
  if (existing !== null) await dropDocuments(db, owner.workspace, documentsOf(existing));
  return answer;
}
