// Operations on businesses for integrators: onboarding, reading, magic links for the persons behind
// one, and the sandbox's setter. [seed: Identity host, G-54, G-64]
import { uuidOfWireId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { strictObject, wireIdOf } from '../../../core/schema.ts';
import { fileRefusals } from '../../../providers/files/port.ts';
import { accountNotFoundInBody, ownAccountOnly } from '../account/index.ts';
import { operation, submissionOf, submit, type DomainOperation } from '../../context.ts';
import { refusals as ofIdentity } from '../identity/index.ts';
import { setEntity } from './decide.ts';
import { agentLink, agentLinkAnswer } from './agent-link.ts';
import { onboard } from './onboard.ts';
import { entityById, entityRecordOf } from './read.ts';
import { refusals as no } from './refusals.ts';
import {
  entityRecord,
  onboardAnswer,
  onboardBody,
  setterBody,
  statusRecord,
} from './schema.ts';

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

export const operations: readonly DomainOperation[] = [
  onboardEntity,
  getEntity,
  linkAgent,
  setEntityState,
];
