// Operations on the KYC status of an account. [seed: Identity host]
import { refuse } from '../../../core/refusal.ts';
import { strictObject, wireIdOf } from '../../../core/schema.ts';
import { accountNotFoundInBody, ownAccountOnly } from '../account/index.ts';
import { operation, submit, type DomainOperation } from '../../context.ts';
import { matchesOf, mayCompare } from '../matching/index.ts';
import { setKycState } from './decide.ts';
import { kycOf } from './read.ts';
import { kycStatus, kycStatusRecord, setterBody } from './schema.ts';

const accountParams = strictObject({ account_id: wireIdOf('acct') });

const getKycStatus = operation({
  id: 'getKYCStatus',
  route: 'GET pii /v1/kyc/{account_id}',
  summary: 'Retrieves the identity state of an account, and accounts with matching data.',
  cites: 'seed: Identity host',
  access: { client: 'read_kycs', user: 'read_kycs', session: 'read_kycs', missingScope: 401 },
  params: accountParams,
  answers: { 200: kycStatusRecord },
  refusals: [accountNotFoundInBody],
  async run({ db }, { caller, params }) {
    const account = ownAccountOnly(caller, params.account_id, accountNotFoundInBody);
    const row = await kycOf(db, caller.workspace, account);
    if (row === null) throw refuse(accountNotFoundInBody);
    const application = mayCompare(caller) ? row.application_id : null;
    const matches = await matchesOf(db, caller.workspace, application);
    return { status: 200, payload: kycStatus(row, matches) };
  },
});

const setAccountKycState = operation({
  id: 'setAccountKYCState',
  route: 'PUT pii /v2/kyc/account/{account_id}/state',
  summary: 'Sets the identity state of an account, for testing.',
  cites: 'seed: Identity host',
  access: { client: 'write_kycs', missingScope: 401 },
  params: accountParams,
  body: setterBody,
  answers: { 200: null },
  refusals: [accountNotFoundInBody],
  stagingOnly: true,
  async run(services, request) {
    const { caller, params, body } = request;
    const account = ownAccountOnly(caller, params.account_id, accountNotFoundInBody);
    const input = { ...body, account, fresh_application_id: services.random.uuid() };
    const { status } = await submit(services, request, setKycState, input);
    return { status };
  },
});

export const operations: readonly DomainOperation[] = [getKycStatus, setAccountKycState];
