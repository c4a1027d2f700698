// Reads businesses and builds the records of answers. Personal texts are opened for one answer
// only; those of an erased person are blank. [seed: KYB entity, G-54]
import { prepared, readRow, type Queryable } from '../../../db/index.ts';
import { accountId, wireId } from '../../../core/ids.ts';
import { invoiceTime } from '../../../core/time.ts';
import { sealerOf, type PersonSealer } from '../account/index.ts';
import type { Services } from '../../context.ts';
import { addressLines } from '../identity/index.ts';
import { rolesOf } from './change.ts';
import { documentsOfEntity, type StoredDocument } from './documents.ts';
import { registrationDocument, stateOfDocument, type NamedDocument } from './judged.ts';
import { OPEN_STATES } from './machine.ts';
import { ENTITY_REASONS, type EntityReason } from './reasons.ts';
import { isAbroad, REGISTRATION_NEEDS, type Registration } from './registered.ts';
import { needsOf } from './rules.ts';
import type { AgentRecord, DocumentRecord, EntityRecord, FormRecord } from './schema.ts';
import { ENTITY_TYPES } from './stated.ts';
import { agentIdsOf, documentsOf, entityTable, type AgentRow, type EntityRow } from './tables.ts';

export async function entityById(
  db: Queryable,
  workspace: number,
  id: string | null,
): Promise<EntityRow | null> {
  return id === null ? null : readRow(db, entityTable, { workspace, id });
}

export function entityOf(
  db: Queryable,
  workspace: number,
  account_id: string,
): Promise<EntityRow | null> {
  return readRow(db, entityTable, { workspace, account_id });
}

/** An agent with the identity state of its person. */
export interface AgentSeen extends AgentRow {
  readonly kyc_status: string;
}

/** The agents of a business, in its order. */
export async function agentsOfEntity(db: Queryable, entity: EntityRow): Promise<AgentSeen[]> {
  return db.query<AgentSeen>(prepared('entity_agents')`
    select a.workspace, a.id, a.entity_id, a.account_id, a.person_id, a.state, a.version,
      a.roles, a.ownership, a.sealed, a.created, a.updated, k.state as kyc_status
    from entity_agent a join kyc k on k.workspace = a.workspace and k.id = a.person_id
    where a.workspace = ${entity.workspace} and a.id = any(${agentIdsOf(entity)}::uuid[])
    order by array_position($2::uuid[], a.id)`);
}

/** What creating a link for an agent needs. */
export interface AgentOwned extends Pick<AgentSeen, 'person_id' | 'kyc_status'> {
  /** The account of its business. */
  readonly owner_id: string;
}

/** An agent that is not removed, with the account of its business; or null. */
export async function agentById(
  db: Queryable,
  workspace: number,
  id: string | null,
): Promise<AgentOwned | null> {
  const rows = await db.query<AgentOwned>(prepared('entity_agent_by_id')`
    select a.person_id, k.state as kyc_status, e.account_id as owner_id
    from entity_agent a join kyc k on k.workspace = a.workspace and k.id = a.person_id
    join entity e on e.workspace = a.workspace and e.id = a.entity_id
    where a.workspace = ${workspace} and a.id = ${id} and a.state <> 'INACTIVE'`);
  return rows[0] ?? null;
}

type Parts = Pick<Services, 'db' | 'keys' | 'random'>;

/** What a business states. Absent texts are ''. */
export interface Business extends Registration {
  readonly entity_name: string;
  readonly user_email: string;
  readonly tax_id: string;
  readonly naics_numbers: string;
  readonly duns_numbers: string;
}

const NOTHING: Business = {
  ...{ entity_name: '', user_email: '', tax_id: '', naics_numbers: '', duns_numbers: '' },
  ...{ legal_form: '', registration_number: '', register: '', vat_number: '' },
  ...{ street: '', street2: '', city: '', region: '', postal_code: '' },
};

/** What a business stated; blank where the person was erased. */
export function businessOf(sealer: PersonSealer | null, { id, sealed }: EntityRow): Business {
  if (sealer === null || sealed === null) return NOTHING;
  // Those that 0.2.0 stored state no registration.
  return { ...NOTHING, ...sealer.openJson<Partial<Business>>('business', id, sealed) };
}

/** As `businessOf`, for who has no sealer yet. */
export async function openBusiness(parts: Parts, entity: EntityRow): Promise<Business> {
  return businessOf(await sealerOf(parts, entity.workspace, entity.account_id), entity);
}

/** The address of a business in one line, as its country writes it. */
export async function addressOf({ country }: EntityRow, business: Business): Promise<string> {
  return (await addressLines({ ...business, country })).join(', ');
}

/** The names of those accounts that are verified businesses, in the order of the accounts. */
export async function businessNames(
  parts: Parts,
  workspace: number,
  accounts: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(accounts.map((one) => entityOf(parts.db, workspace, one)));
  const known = found.flatMap((one) => (one?.state === 'ACCEPT' ? [one] : []));
  const stated = await Promise.all(known.map((one) => openBusiness(parts, one)));
  return stated.map(({ entity_name }) => entity_name).filter((name) => name !== '');
}

/** An agent's name, opened with that person's key; blank where the person was erased. */
export function openName(sealer: PersonSealer | null, { id, sealed }: AgentRow): string {
  return sealer === null || sealed === null ? '' : sealer.open('agent', id, sealed);
}

function renderDocument(
  sealer: PersonSealer | null,
  entity: EntityRow,
  named: NamedDocument,
  { id, mime, sealed_name, created }: StoredDocument,
): DocumentRecord {
  const document = wireId('doc', id);
  const { agent, reason: code, judged = created } = named;
  return {
    entity_document_id: document,
    entity_id: wireId('ent', entity.id),
    entity_agent_id: agent === null ? '' : wireId('agt', agent),
    pii_document_name: sealer?.open('businessDocumentName', id, sealed_name) ?? '',
    pii_document_id: document,
    mime_type: mime,
    status: stateOfDocument(named),
    reason: code === undefined ? null : { code, sentence: ENTITY_REASONS[code] },
    created: invoiceTime(created),
    updated: invoiceTime(judged),
  };
}

async function renderAgent(
  parts: Parts,
  agent: AgentSeen,
  documents: readonly DocumentRecord[],
): Promise<AgentRecord> {
  const id = wireId('agt', agent.id);
  const sealer = await sealerOf(parts, agent.workspace, agent.person_id);
  return {
    entity_agent_id: id,
    entity_id: wireId('ent', agent.entity_id),
    agent_name: openName(sealer, agent),
    account_id: accountId(agent.account_id),
    status: agent.state,
    kyc_status: agent.kyc_status as AgentRecord['kyc_status'],
    roles: rolesOf(agent),
    ownership: agent.ownership,
    created: invoiceTime(agent.created),
    updated: invoiceTime(agent.updated),
    documents: documents.filter((document) => document.entity_agent_id === id),
  };
}

async function render(
  parts: Parts,
  entity: EntityRow,
  sealer: PersonSealer | null,
  business: Business,
): Promise<EntityRecord> {
  const { db } = parts;
  const { workspace, id } = entity;
  const stored = await documentsOfEntity(db, workspace, id);
  const named = new Map(documentsOf(entity).map((document) => [document.id, document]));
  const documents = stored.flatMap((one) => {
    const document = named.get(one.id);
    return document === undefined ? [] : [renderDocument(sealer, entity, document, one)];
  });
  const agents = await agentsOfEntity(db, entity);
  const { user_email: _mail, tax_id: _secret, ...stated } = business;
  return {
    entity_id: wireId('ent', id),
    ...stated,
    account_id: accountId(entity.account_id),
    entity_type: entity.entity_type as EntityRecord['entity_type'],
    country: entity.country,
    registration_document: registrationDocument([...named.values()]),
    status: entity.state,
    created: invoiceTime(entity.created),
    updated: invoiceTime(entity.updated),
    agents: await Promise.all(agents.map((agent) => renderAgent(parts, agent, documents))),
    documents: documents.filter((document) => document.entity_agent_id === ''),
  };
}

export async function entityRecordOf(parts: Parts, entity: EntityRow): Promise<EntityRecord> {
  const sealer = await sealerOf(parts, entity.workspace, entity.account_id);
  return render(parts, entity, sealer, businessOf(sealer, entity));
}

/** The form of an account without a business. */
export function emptyForm(country: string): FormRecord {
  const lacks = JSON.stringify(isAbroad(country) ? REGISTRATION_NEEDS : []);
  const none = { entity_type: '', country, tax_id_given: false, lacks };
  return {
    entity: null,
    open: true,
    country,
    entity_types: [...ENTITY_TYPES],
    tax_id_given: false,
    user_email: '',
    needs: needsOf(none, [], []),
    reasons: [],
  };
}

export async function formOf(parts: Parts, row: EntityRow): Promise<FormRecord> {
  const sealer = await sealerOf(parts, row.workspace, row.account_id);
  const business = businessOf(sealer, row);
  const entity = await render(parts, row, sealer, business);
  const reasons = JSON.parse(row.reasons) as EntityReason[];
  return {
    entity,
    open: OPEN_STATES.includes(row.state),
    country: row.country,
    entity_types: [...ENTITY_TYPES],
    tax_id_given: row.tax_id_given,
    user_email: business.user_email,
    needs: needsOf(row, documentsOf(row), entity.agents),
    reasons: reasons.map((code) => ({ code, sentence: ENTITY_REASONS[code] })),
  };
}

/** The country of an account's business; '' without a business or where it is unknown. */
export async function countryOfBusiness(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<string> {
  const rows = await db.query<{ country: string }>(prepared('country_of_business')`
    select country from entity where workspace = ${workspace} and account_id = ${account}`);
  return rows[0]?.country ?? '';
}
