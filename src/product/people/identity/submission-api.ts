// Operations on applications: submit, read, re-verify an accepted person, and the vendor's
// webhooks. [G-51, G-52]
import { z } from 'zod';
import { uuidOfWireId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  optional,
  rawBody,
  reference,
  strictObject,
  text,
  wireIdOf,
} from '../../../core/schema.ts';
import { fileRefusals } from '../../../providers/files/port.ts';
import {
  accountNotFoundInBody,
  ownAccountOnly,
  refusals as ofAccount,
  sealerOf,
} from '../account/index.ts';
import { operation, submissionOf, submit, type DomainOperation } from '../../context.ts';
import {
  applicationRecord,
  checkResponse,
  renderWithout,
  renderWithRules,
} from './application-record.ts';
import { recheckKyc } from './decide.ts';
import { takeNotice } from './notices.ts';
import { applicationOf, kycOf } from './read.ts';
import { refusals as no } from './refusals.ts';
import { kycStatusRecord } from './schema.ts';
import { submissionBody } from './submission-schema.ts';
import { takeSubmission } from './submission.ts';

/** The largest submission in bytes, with its files. [G-52] */
const SUBMISSION_BYTES = 40 * 1_048_576;
const NOTICE_BYTES = 65_536;

const submitKycData = operation({
  id: 'submitKYC',
  route: 'POST pii /v2/kyc',
  summary: "Submits a person's own identity data and documents for verification.",
  cites: 'G-52',
  access: { user: 'verify_kyc', session: 'verify_kyc' },
  body: submissionBody,
  bodyLimit: SUBMISSION_BYTES,
  heavy: true,
  answers: { 200: checkResponse },
  refusals: [
    inputRefusals.MISSING_FIELD,
    inputRefusals.INVALID_FIELD,
    accountNotFoundInBody,
    ofAccount.ACCOUNT_BLOCKED,
    no.KYC_FOLLOWS_ENTITY,
    no.KYC_ALREADY_ACCEPTED,
    no.KYC_IN_PROGRESS,
    no.KYC_TAX_FORM_NOT_DUE,
    no.KYC_CHANGED_MEANWHILE,
    ...Object.values(fileRefusals),
  ],
  async run(services, request) {
    const { caller, body } = request;
    const payload = await takeSubmission(services, caller, body, submissionOf(request));
    return { status: 200, payload };
  },
});

const getKycApplication = operation({
  id: 'getKYCApplication',
  route: 'GET pii /v2/kyc',
  summary: "Retrieves an identity application of the token's person, by default the latest.",
  cites: 'G-52',
  access: { user: 'read_kyc', session: 'read_kyc' },
  query: strictObject({ kyc_id: optional(wireIdOf('kyc')) }),
  answers: { 200: applicationRecord },
  refusals: [accountNotFoundInBody, no.KYC_NOT_FOUND],
  async run({ db }, { caller, query }) {
    const { workspace, integrator } = caller;
    const account = ownAccountOnly(caller, caller.accountId ?? '', accountNotFoundInBody);
    const kyc = await kycOf(db, workspace, account);
    if (kyc === null) throw refuse(accountNotFoundInBody);
    const asked = query.kyc_id === undefined ? null : uuidOfWireId('kyc', query.kyc_id);
    const id = query.kyc_id === undefined ? kyc.application_id : asked;
    if (id === null && query.kyc_id === undefined) {
      return { status: 200, payload: renderWithout(kyc, integrator) };
    }
    const row = id === null ? null : await applicationOf(db, workspace, account, id);
    if (row === null) throw refuse(no.KYC_NOT_FOUND);
    return { status: 200, payload: renderWithRules(row, integrator) };
  },
});

const recheckAccount = operation({
  id: 'recheckKYC',
  route: 'POST pii /v1/kyc/{account_id}/recheck',
  summary: 'Requires an accepted person to verify again with new data.',
  cites: 'G-51',
  access: { client: 'write_kycs' },
  params: strictObject({ account_id: wireIdOf('acct') }),
  body: strictObject({ note: optional(text()) }),
  answers: { 200: kycStatusRecord },
  refusals: [ofAccount.ACCOUNT_NOT_FOUND, no.KYC_FOLLOWS_ENTITY, no.KYC_NOT_ACCEPTED],
  async run(services, request) {
    const { caller, params, body } = request;
    const { workspace } = caller;
    const account = ownAccountOnly(caller, params.account_id, ofAccount.ACCOUNT_NOT_FOUND);
    const sealer = await sealerOf(services, workspace, account);
    if (sealer === null) throw refuse(ofAccount.ACCOUNT_NOT_FOUND);
    const id = services.random.uuid();
    const { note = '' } = body;
    const sealed_note = note === '' ? null : sealer.seal('applicationNote', id, note);
    const input = { account, fresh_application_id: id, sealed_note };
    return submit(services, request, recheckKyc, input);
  },
});

const takeIdentityNotice = operation({
  id: 'takeIdentityNotice',
  route: 'POST pii /v1/identity_notices',
  highPriority: true,
  summary: 'Receives a webhook of the identity vendor; the change is then retrieved from it.',
  cites: 'EV6',
  access: 'public',
  body: z.record(z.string(), z.unknown()),
  bodyLimit: NOTICE_BYTES,
  answers: { 200: strictObject({}) },
  refusals: [no.IDENTITY_NOTICE_NOT_PROVEN],
  async run({ db, identityVendor }, { headers, body }) {
    const notice = identityVendor.readNotice(headers, body);
    if (notice === null) throw refuse(no.IDENTITY_NOTICE_NOT_PROVEN);
    await takeNotice(db, notice);
    return { status: 200, payload: {} };
  },
});

const takeConnectionCheck = operation({
  id: 'takeIdentityConnectionNotice',
  route: 'POST pii /v1/identity_notices/{connection_id}',
  summary: "Receives a webhook of a tenant's identity vendor, as it was sent.",
  cites: 'G-90',
  access: 'public',
  params: strictObject({ connection_id: reference() }),
  accepts: 'bytes',
  body: rawBody,
  bodyLimit: NOTICE_BYTES,
  answers: { 200: strictObject({}) },
  refusals: [no.IDENTITY_NOTICE_NOT_PROVEN],
  async run({ db, providers }, { params, headers, body }) {
    const connection = await providers.connection('identity', params.connection_id);
    const notice = connection?.identityVendor.readNotice(headers, body) ?? null;
    if (connection === null || notice === null) throw refuse(no.IDENTITY_NOTICE_NOT_PROVEN);
    await takeNotice(db, { ...notice, workspace: connection.workspace });
    return { status: 200, payload: {} };
  },
});

export const applicationOperations: readonly DomainOperation[] = [
  submitKycData,
  getKycApplication,
  recheckAccount,
  takeIdentityNotice,
  takeConnectionCheck,
];
