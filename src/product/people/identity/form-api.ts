// The operations that a page needs to build the identity form. [G-52]
import { z } from 'zod';
import { refuse } from '../../../core/refusal.ts';
import { strictObject } from '../../../core/schema.ts';
import { accountNotFoundInBody, openAccount, ownAccountOnly } from '../account/index.ts';
import { operation, type DomainOperation } from '../../context.ts';
import { countriesOf, countryCode, countryRecord, formOf, formRecord } from './form.ts';
import { lookAgain } from './notices.ts';
import { checkAtVendor } from './read.ts';
import { refusals as no } from './refusals.ts';
import { standingOf } from './submission.ts';

/** Where the person goes on; neither stored nor logged. */
const vendorPageRecord = strictObject({
  /** Opens once, within a day or two; to be opened in a window of its own. */
  url: z.string(),
}).meta({ title: 'IdentityVendorPage' });

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
    const form = formOf(standing, countryCode(person.country_iso));
    const at_vendor = true as const;
    const waits =
      form.state === 'PROCESSING' && (await checkAtVendor(services.db, workspace, account));
    return { status: 200, payload: waits ? { ...form, at_vendor } : form };
  },
});

const getVendorPage = operation({
  id: 'getKYCVendorPage',
  route: 'GET pii /v2/kyc/vendor_page',
  summary: "Retrieves a fresh address of the identity vendor's page for the token's person.",
  cites: 'G-51',
  access: { user: 'verify_kyc', session: 'verify_kyc' },
  answers: { 200: vendorPageRecord },
  refusals: [accountNotFoundInBody, no.KYC_NOT_AT_VENDOR, no.KYC_VENDOR_UNAVAILABLE],
  async run({ db, identityVendor }, { caller }) {
    const { workspace } = caller;
    const account = ownAccountOnly(caller, caller.accountId ?? '', accountNotFoundInBody);
    const check = await checkAtVendor(db, workspace, account);
    if (check === null) throw refuse(no.KYC_NOT_AT_VENDOR);
    const url = await identityVendor.page(workspace, check);
    if (url === null) {
      // The person may be done already, and the webhook on its way, or lost.
      await lookAgain(db, workspace, check);
      throw refuse(no.KYC_VENDOR_UNAVAILABLE, {}, 1);
    }
    return { status: 200, payload: { url } };
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
    return { status: 200, payload: await countriesOf() };
  },
});

export const formOperations: readonly DomainOperation[] = [
  getKycForm,
  getVendorPage,
  listCountries,
];
