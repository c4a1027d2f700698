// The operations behind the business form, which a person fills in for their own account in a
// session from a magic link. [G-54, G-55]
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { Caller } from '../../../core/operation.ts';
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
import { DOCUMENT_BODY_BYTES } from './api.ts';
import { attachDocument, detachDocument } from './attach.ts';
import { submitEntity } from './decide.ts';
import { saveForm } from './onboard.ts';
import { emptyForm, entityOf, formOf } from './read.ts';
import { agentNotFoundInBody, entityNotStarted, refusals as no } from './refusals.ts';
import {
  documentAnswer,
  documentBody,
  formBody,
  formRecord,
  statusRecord,
} from './schema.ts';

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

export const formOperations: readonly DomainOperation[] = [
  getForm,
  saveEntityForm,
  addDocument,
  removeDocument,
  submitForm,
];
