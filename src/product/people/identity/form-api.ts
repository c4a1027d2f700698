// The operations that a page needs to build the identity form. [G-52]
import { z } from 'zod';
import { refuse } from '../../../core/refusal.ts';
import { accountNotFoundInBody, openAccount, ownAccountOnly } from '../account/index.ts';
import { operation, type DomainOperation } from '../../context.ts';
import { COUNTRIES, countryCode, countryRecord, formOf, formRecord } from './form.ts';
import { standingOf } from './submission.ts';

const getKycForm = operation({
  id: 'getKYCForm',
  route: 'GET pii /v2/kyc/form',
  summary: 'Retrieves the required parts of the identity form and the reasons of past failures.',
  cites: 'G-52',
  access: { user: 'verify_kyc', session: 'verify_kyc' },
  answers: { 200: formRecord },
  refusals: [accountNotFoundInBody],
  async run(services, { caller }) {
    const { workspace } = caller;
    const account = ownAccountOnly(caller, caller.accountId ?? '', accountNotFoundInBody);
    const standing = await standingOf(services.db, workspace, account);
    const person = standing === null ? null : await openAccount(services, workspace, account);
    if (standing === null || person === null) throw refuse(accountNotFoundInBody);
    return { status: 200, payload: formOf(standing, countryCode(person.country_iso)) };
  },
});

const listCountries = operation({
  id: 'listKYCCountries',
  route: 'GET pii /v2/kyc/countries',
  summary: 'Lists countries with the fields that the identity form requires there.',
  cites: 'G-52',
  access: 'public',
  answers: { 200: z.array(countryRecord) },
  async run() {
    return { status: 200, payload: COUNTRIES };
  },
});

export const formOperations: readonly DomainOperation[] = [getKycForm, listCountries];
