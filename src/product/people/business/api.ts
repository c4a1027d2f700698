// Operations on businesses: onboarding, reading and magic links for the persons behind one, for
// integrators; the form that a person fills in for their own account in a session from a magic
// link; and the sandbox's setter. [seed: Identity host, G-54, G-55, G-64]
import { uuidOfWireId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { strictObject, wireIdOf } from '../../../core/schema.ts';
import { fileRefusals } from '../../../providers/files/port.ts';
import {
  accountNotFoundInBody,
  openAccount,
  ownAccountOnly,
  refusals as ofAccount,
} from '../account/index.ts';
import { operation, submissionOf, submit, type DomainOperation } from '../../context.ts';
import { refusals as ofIdentity } from '../identity/index.ts';
import { setEntity, submitEntity } from './decide.ts';
import { agentLink, agentLinkAnswer } from './agent-link.ts';
import { onboard, saveForm } from './onboard.ts';
import { emptyForm, entityById, entityOf, entityRecordOf, formOf } from './read.ts';
import { agentNotFoundInBody, entityNotStarted, refusals as no } from './refusals.ts';
import {
  documentAnswer,
  documentBody,
  entityRecord,
  formBody,
  formRecord,
  onboardAnswer,
  onboardBody,
  setterBody,
  statusRecord,
} from './schema.ts';
import type { Caller } from '../../../core/operation.ts';
import { attachDocument, detachDocument } from './attach.ts';

/** The largest body with documents, in bytes. [G-54] */
export const DOCUMENT_BODY_BYTES = 40 * 1_048_576;

const onboardEntity = operation({
  id: 'onboardEntity',
  route: 'POST pii /v1/entity/{account_id}/onboard',
  summary: 'Starts the verification of a business for an account; repeating it changes nothing.',
  cites: 'seed: Identity host, G-54',
  access: { client: 'write_entities', missingScope: 401 },
  params: strictObject({ account_id: wireIdOf('acct') }),
  body: onboardBody,
  bodyLimit: DOCUMENT_BODY_BYTES,
  heavy: true,
  answers: { 200: onboardAnswer },
  refusals: [
    inputRefusals.INVALID_FIELD,
    accountNotFoundInBody,
    no.ACCOUNT_IS_AGENT,
    ofIdentity.KYC_IN_PROGRESS,
    no.PRIMARY_CONTACT_TAKEN,
    no.CONTROL_PRONG_TAKEN,
    no.TOO_MANY_BENEFICIAL_OWNERS,
    no.OWNERSHIP_OVER_ALL,
    ...Object.values(fileRefusals),
  ],
  async run(services, request) {
    const { caller, params, body } = request;
    const account = ownAccountOnly(caller, params.account_id, accountNotFoundInBody);
    return onboard(services, caller, account, body, submissionOf(request));
  },
});

const getEntity = operation({
  id: 'getEntity',
  route: 'GET pii /v1/entity/{entity_id}',
  summary: 'Retrieves a business with its people and documents, without tax number and files.',
  cites: 'G-54',
  access: { client: 'read_entities' },
  params: strictObject({ entity_id: wireIdOf('ent') }),
  answers: { 200: entityRecord },
  refusals: [no.ENTITY_NOT_FOUND],
  async run(services, { caller, params }) {
    const id = uuidOfWireId('ent', params.entity_id);
    const entity = await entityById(services.db, caller.workspace, id);
    if (entity === null) throw refuse(no.ENTITY_NOT_FOUND);
    return { status: 200, payload: await entityRecordOf(services, entity) };
  },
});

const linkAgent = operation({
  id: 'linkEntityAgent',
  route: 'POST pii /v1/entity/agents/{entity_agent_id}/link',
  summary: 'Creates a one-time link for an associated person to verify their identity.',
  cites: 'G-55',
  access: { client: 'write_entities', session: 'verify_kyc' },
  params: strictObject({ entity_agent_id: wireIdOf('agt') }),
  answers: { 200: agentLinkAnswer },
  refusals: [no.ENTITY_AGENT_NOT_FOUND, no.ENTITY_AGENT_VERIFIED],
  run: (services, { caller, params, idempotency }) =>
    agentLink(services, caller, params.entity_agent_id, idempotency),
});

const setEntityState = operation({
  id: 'sandboxSetEntity',
  route: 'PUT invoicing /sandbox/entities/{entity_id}/state',
  summary: 'Sets the status of a business, for testing.',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  params: strictObject({ entity_id: wireIdOf('ent') }),
  body: setterBody,
  answers: { 200: statusRecord },
  refusals: [no.ENTITY_NOT_FOUND],
  stagingOnly: true,
  async run(services, request) {
    const entity = uuidOfWireId('ent', request.params.entity_id);
    if (entity === null) throw refuse(no.ENTITY_NOT_FOUND);
    return submit(services, request, setEntity, { entity, ...request.body });
  },
});

const access = { session: 'verify_kyc' } as const;
const form = { cites: 'G-54', access } as const;

/** Whose form it is. */
function ownOf(caller: Caller) {
  const account = ownAccountOnly(caller, caller.accountId ?? '', accountNotFoundInBody);
  return { workspace: caller.workspace, account };
}

const getForm = operation({
  ...form,
  id: 'getEntityForm',
  route: 'GET pii /v1/entity/form',
  summary: "Retrieves the business form of the token's account, and what it still lacks.",
  answers: { 200: formRecord },
  refusals: [accountNotFoundInBody],
  async run(services, { caller }) {
    const { workspace, account } = ownOf(caller);
    const entity = await entityOf(services.db, workspace, account);
    if (entity !== null) return { status: 200, payload: await formOf(services, entity) };
    const person = await openAccount(services, workspace, account);
    if (person === null) throw refuse(accountNotFoundInBody);
    return { status: 200, payload: emptyForm(person.country_iso) };
  },
});

const saveEntityForm = operation({
  ...form,
  id: 'saveEntityForm',
  route: 'PUT pii /v1/entity/form',
  summary: 'Replaces the business form; the first request creates the business.',
  body: formBody,
  answers: { 200: statusRecord },
  refusals: [
    inputRefusals.INVALID_FIELD,
    accountNotFoundInBody,
    agentNotFoundInBody,
    no.ACCOUNT_IS_AGENT,
    ofIdentity.KYC_IN_PROGRESS,
    no.ENTITY_CLOSED,
    no.PRIMARY_CONTACT_TAKEN,
    no.CONTROL_PRONG_TAKEN,
    no.TOO_MANY_BENEFICIAL_OWNERS,
    no.OWNERSHIP_OVER_ALL,
    no.BUSINESS_PEOPLE_LIMIT,
    no.ENTITY_CHANGED_MEANWHILE,
  ],
  async run(services, request) {
    const { caller, body } = request;
    const { account } = ownOf(caller);
    return saveForm(services, caller, account, body, submissionOf(request));
  },
});

const addDocument = operation({
  ...form,
  id: 'addEntityDocument',
  route: 'POST pii /v1/entity/form/documents',
  summary: 'Adds a document to the business form.',
  body: documentBody,
  bodyLimit: DOCUMENT_BODY_BYTES,
  heavy: true,
  answers: { 201: documentAnswer },
  refusals: [
    inputRefusals.INVALID_FIELD,
    accountNotFoundInBody,
    entityNotStarted,
    agentNotFoundInBody,
    no.ENTITY_CLOSED,
    no.TOO_MANY_ENTITY_DOCUMENTS,
    ...Object.values(fileRefusals),
  ],
  run: async (services, request) =>
    attachDocument(services, ownOf(request.caller), request.body, submissionOf(request)),
});

const removeDocument = operation({
  ...form,
  id: 'removeEntityDocument',
  route: 'DELETE pii /v1/entity/form/documents/{entity_document_id}',
  summary: 'Deletes a document of the business form with its file.',
  params: strictObject({ entity_document_id: wireIdOf('doc') }),
  answers: { 200: strictObject({}) },
  refusals: [no.ENTITY_DOCUMENT_NOT_FOUND, no.ENTITY_CLOSED],
  async run(services, request) {
    const { entity_document_id: id } = request.params;
    return detachDocument(services, ownOf(request.caller), id, submissionOf(request));
  },
});

const submitForm = operation({
  ...form,
  id: 'submitEntityForm',
  route: 'POST pii /v1/entity/form/submit',
  summary: 'Submits the business for verification; errors list what is missing.',
  cites: 'G-55',
  answers: { 200: statusRecord },
  refusals: [
    entityNotStarted,
    ofAccount.ACCOUNT_BLOCKED,
    no.ENTITY_CLOSED,
    no.ENTITY_NEEDS_MORE,
  ],
  async run(services, request) {
    const { account } = ownOf(request.caller);
    return submit(services, request, submitEntity, { account });
  },
});

export const operations: readonly DomainOperation[] = [
  onboardEntity,
  getEntity,
  linkAgent,
  setEntityState,
  getForm,
  saveEntityForm,
  addDocument,
  removeDocument,
  submitForm,
];
