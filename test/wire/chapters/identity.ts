// Who people and businesses are: applications, what the vendor says, forms, documents.
import { makeBusiness } from '../../api/fixtures.ts';
import { germanBusiness } from '../../api/business-scene.ts';
import { PICTURE, submission } from '../../kit/identity.ts';
import type { Walk } from '../walk.ts';
import { NOBODY, signedIn, type Made } from './cast.ts';

const nobody = { account_id: NOBODY.account };

/** An account, and its person's token. */
async function applicant(walk: Walk, username: string): Promise<readonly [string, string]> {
  const { account_id } = await walk.ok<Made>('registerAccount', { body: { username } });
  return [account_id, (await signedIn(walk, account_id)).user];
}

export async function kyc(walk: Walk): Promise<void> {
  walk.chapter('14-kyc');
  await walk.ok('listKYCCountries', { token: null });
  await walk.no('listKYCCountries', { token: null, query: { surprise: 1 } });
  const [account_id, token] = await applicant(walk, 'applicant');
  const at = { account_id };
  await walk.ok('getKYCApplication', { token });
  await walk.no('getKYCApplication', { token, query: { kyc_id: NOBODY.kyc } });
  await walk.ok('getKYCForm', { token });
  await walk.no('getKYCForm', { token: null });
  await walk.no('getKYCVendorPage', { token });
  await walk.no('submitKYC', { token, body: submission({ last: undefined, country: 'XX' }) });
  await walk.no('submitKYC', { token, body: submission({ document_front: 'data:,bad' }) });
  await walk.no('submitKYC', { body: {} });
  const body = submission({ middle: 'M', street2: 'S' });
  const sent = await walk.ok('submitKYC', { token, body });
  await walk.no('submitKYC', { token, body });
  await walk.ok('getKYCApplication', { token });
  await walk.ok('getKYCForm', { token });
  await walk.ok('getKYCStatus', { at });
  await walk.no('getKYCStatus', { at: nobody });
  await walk.no('getKYCStatus', { at, token: await walk.api.token('read_events') });
  await walk.ok('recheckKYC', { at, body: { note: 'n' } });
  await walk.no('recheckKYC', { at: nobody, body: {} });
  await walk.ok('sandboxIdentityEvent', { body: { kyc_id: sent['kyc_id'], event: 'deny' } });
  await walk.no('sandboxIdentityEvent', { body: { kyc_id: NOBODY.kyc, event: 'deny' } });
  await walk.ok('getKYCStatus', { at });
  await walk.no('recheckKYC', { at, body: { note: 'n' } });
  const forced = { state: 'DENY', pii_level: 'BASIC', kyc_requirements: 'FULL_KYC' };
  await walk.ok('setAccountKYCState', { at, body: forced });
  await walk.no('setAccountKYCState', { at: nobody, body: forced });
  await walk.no('setAccountKYCState', { at, body: { state: 'PERHAPS' } });
  for (const last of ['Specimen-Review', 'Specimen-Watch-List']) {
    const [account, own] = await applicant(walk, last);
    await walk.ok('submitKYC', { token: own, body: submission({ last }) });
    await walk.ok('getKYCApplication', { token: own });
    await walk.ok('getKYCStatus', { at: { account_id: account } });
  }
}

export async function business(walk: Walk): Promise<void> {
  walk.chapter('15-business');
  const { account_id } = await walk.ok<Made>('registerAccount', { body: { username: 'firm' } });
  const at = { account_id };
  const roles = ['control_prong', 'beneficial_owner'];
  const stated = {
    entity_name: 'Satchels & Sons',
    entity_type: 'partnership',
    tax_id: '12-3456789',
    agents: [{ agent_name: 'Ada Bell', roles }],
    documents: [PICTURE],
  };
  const begun = await walk.ok('onboardEntity', { at, body: stated });
  await walk.no('onboardEntity', { at: nobody, body: stated });
  await walk.no('onboardEntity', { at, body: { entity_name: '', tax_id: 'x' } });
  const named = { entity_id: begun['entity_id'] ?? '' };
  type Seen = { agents: readonly { entity_agent_id: string }[] };
  const seen = await walk.ok<Seen>('getEntity', { at: named });
  await walk.no('getEntity', { at: { entity_id: NOBODY.entity } });
  const agent = { entity_agent_id: seen.agents[0]?.entity_agent_id ?? '' };
  await walk.ok('linkEntityAgent', { at: agent });
  await walk.no('linkEntityAgent', { at: { entity_agent_id: NOBODY.agent } });
  await walk.ok('sandboxSetEntity', { at: named, body: { status: 'INCOMPLETE' } });
  await walk.no('sandboxSetEntity', { at: named, body: { status: 'PERHAPS' } });
  const body = { status: 'INCOMPLETE' };
  await walk.no('sandboxSetEntity', { at: { entity_id: NOBODY.entity }, body });
  await walk.ok('sandboxSetEntity', { at: named, body: { status: 'ACCEPT' } });
  await walk.ok('getEntity', { at: named });
  await walk.ok('getKYCStatus', { at });
  await abroad(walk);
  await form(walk);
}

/** A German company, which has other fields. */
async function abroad(walk: Walk): Promise<void> {
  const body = { username: 'lampen', country_iso: 'DE' };
  const { account_id } = await walk.ok<Made>('registerAccount', { body });
  const at = { account_id };
  const stated = germanBusiness({ documents: [PICTURE] });
  const { entity_id = '' } = await walk.ok('onboardEntity', { at, body: stated });
  await walk.no('onboardEntity', { at, body: { ...stated, tax_id: '12-3456789' } });
  await walk.no('onboardEntity', { at, body: { ...stated, vat_number: 'FR40303265045' } });
  await walk.ok('getEntity', { at: { entity_id } });
}

/** The form, which the person behind an account fills in. */
async function form(walk: Walk): Promise<void> {
  const begun = await makeBusiness(walk.api);
  const { session: token } = await signedIn(walk, begun.business);
  await walk.ok('getEntityForm', { token });
  await walk.no('getEntityForm');
  const form = { entity_name: 'Firm & Co', entity_type: 'trust', tax_id: '12-3456789' };
  const body = { ...form, naics_numbers: '123456', country: 'US' };
  const agent = { entity_agent_id: begun.agent, agent_name: 'B', roles: ['control_prong'] };
  await walk.ok('saveEntityForm', { token, body: { ...body, agents: [agent] } });
  const stranger = { ...agent, entity_agent_id: NOBODY.agent };
  await walk.no('saveEntityForm', { token, body: { ...body, agents: [stranger] } });
  await walk.no('saveEntityForm', { token, body: { naics_numbers: 'x' } });
  const file = { pii_document_name: 'Charter', file: PICTURE };
  type Added = { entity_document_id: string };
  const added = await walk.ok<Added>('addEntityDocument', { token, body: file });
  await walk.no('addEntityDocument', { token, body: { ...file, file: 'data:,bad' } });
  const at = { entity_document_id: added.entity_document_id };
  await walk.ok('removeEntityDocument', { token, at });
  await walk.no('removeEntityDocument', { token, at });
  const other = await walk.ok<Made>('registerAccount', { body: { username: 'no firm' } });
  const { session } = await signedIn(walk, other.account_id);
  await walk.no('submitEntityForm', { token: session });
  await walk.ok('submitEntityForm', { token });
  await walk.no('submitEntityForm', { token: null });
}
