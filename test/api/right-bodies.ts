// A valid body with every field filled, for each operation that takes one; the bad-input tests
// spoil these. Written from the interface.
import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../kit/api.ts';
import type { Body } from './market.ts';
import { submission } from '../kit/identity.ts';
import { dataUri, png } from '../kit/sample-files.ts';
import { payoutBodies, payoutBody } from './payout-bodies.ts';
import { agree, emailCode, enterCard, ownWorkspace } from './fixtures.ts';
import { escrowBodies, plan } from './escrow-bodies.ts';
import { makeBusiness, makeDispute } from './fixtures.ts';

/** The address, the body, and the token where the client's is not the right one. */
type RightBody = readonly [path: string, body: Body, token?: string];
/** By operation. */
export type RightBodies = Readonly<Record<string, RightBody>>;

const TEXTS = { reference_type: 'a', reference_id: 'b', description: 'c', metadata: { d: 1 } };
const PERSON = {
  email: { address: 'p@example.test', requires_verification: true },
  full_name: 'P',
  first_name: 'P',
  last_name: 'P',
  street_address_1: 'S',
  street_address_2: 'S',
  street_address_3: 'S',
  city: 'C',
  state_province: 'S',
  country_iso: 'US',
  zip_postal_code: '1',
  external_platforms: { x: 1 },
};

/** The bodies, about the accounts of the ready line. */
export async function rightBodies(api: Api): Promise<RightBodies> {
  const payout = await payoutBody(api);
  return {
    createInvoice: ['/v2/invoice', invoiceBody(api)],
    createEscrow: ['/v2/escrow', { ...invoiceBody(api), ...plan() }],
    ...(await escrowBodies(api)),
    authorizeInvoice: ['/v2/authorize/invoice', saleBody(api)],
    ...(await sessionBodies(api)),
    ...accountBodies(api.ready.accounts.buyer.account_id),
    mergeAccounts: await mergeBody(api),
    ...moneyBodies(api),
    createPayout: payout,
    ...payoutBodies(api, payout),
    ...(await identityBodies(api)),
    ...(await businessBodies(api)),
    ...(await refundBodies(api)),
    addDisputeEvidence: await evidenceBody(api),
    ...(await sandboxBodies(api)),
    ...(await reconciliationBodies(api)),
    ...(await webhookBodies(api)),
    ...(await termsBodies(api)),
    ...(await methodBodies(api)),
    changeSettings: ['/v1/settings', settingsBody()],
    changeDisputeSettings: ['/v1/settings/disputes', { bearer: 'integrator' }],
    changePayeeSettings: ['/v1/settings/payees', { processor_verifies: true }],
    changeCoverageSettings: ['/v1/settings/coverage', { published: false }],
    changeMailSettings: ['/v1/settings/mail', { enabled: true }],
  };
}

function invoiceBody(api: Api): Body {
  const { buyer, seller } = api.ready.accounts;
  const recipient = {
    ...TEXTS,
    amount: 90,
    currency: 'USD',
    source_wallet_id: '',
    destination_wallet_id: seller.wallet_id,
    destination_account_id: seller.account_id,
    fee_amount: 10,
    fee_description: 'fee',
  };
  const line = {
    ...TEXTS,
    amount: 100,
    currency: 'USD',
    transaction_type: 'user_to_user',
    product_sku: 'sku',
    recipients: [recipient],
  };
  const payment_methods = [
    { payment_method_id: buyer.wallet_payment_method_id, amount: 40 },
    { payment_method_id: buyer.card_payment_method_id, amount: 0 },
  ];
  return { ...TEXTS, account_id: buyer.account_id, payment_methods, line_items: [line] };
}

/** What the buyer is to choose is not authorized. */
function saleBody(api: Api): Body {
  const { payment_methods: _, ...sale } = invoiceBody(api);
  return { ...sale, is_escrow: true, invoice_mechanism: 'widget' };
}

/** A link that this caller opened: the same body goes on with it. Ending ends nothing real. */
async function sessionBodies(api: Api): Promise<RightBodies> {
  const wish = { account_id: api.ready.accounts.seller2.account_id, flow: 'tos' };
  type Link = { redirect: string };
  const { redirect } = await api.must<Link>(200, 'auth', 'POST', '/authorize/user', { body: wish });
  const nonce = new URL(redirect).pathname.split('/').at(-1);
  const first = { nonce, flow: 'tos' };
  const path = '/ui/api/session';
  type Session = { resume: string; to_agree: { terms: { version: number } | null } | null };
  const opened = await api.must<Session>(200, 'widget', 'POST', path, { body: first });
  const terms_version = opened.to_agree?.terms?.version ?? 1;
  const body = { ...first, resume: opened.resume, agree: { terms_version, consent: true } };
  const end = { nonce: 'none', access_token: 'none' };
  return {
    openSession: [path, body],
    openHostedSession: [path, body],
    endSession: [`${path}/end`, end],
    endHostedSession: [`${path}/end`, end],
  };
}

function accountBodies(account_id: string): RightBodies {
  const block = { account_id, block_capability: 'login', note: 'n' };
  const authorize = { account_id, return_token: true, mechanism: 'widget', flow: 'kyc' };
  return {
    registerAccount: ['/register', { username: 'new one', ...PERSON }],
    updateUserInfo: [`/user-info/${account_id}`, PERSON],
    blockAccount: ['/v2/block', { ...block, block_reason: 'account_close' }],
    unblockAccount: ['/v2/unblock', block],
    setAccountKYCState: [
      `/v2/kyc/account/${account_id}/state`,
      { state: 'DENY', pii_level: 'BASIC', kyc_requirements: 'FULL_KYC' },
    ],
    authorizeUser: ['/authorize/user', { ...authorize, token_expiration_seconds: 60 }],
  };
}

/** Of two people who have nothing. */
export async function mergeBody(api: Api): Promise<RightBody> {
  const person = async (): Promise<string> => {
    const call = { body: { username: `merged ${crypto.randomUUID()}` } };
    type Made = { account_id: string };
    return (await api.must<Made>(200, 'accounts', 'POST', '/register', call)).account_id;
  };
  const body = { source_account_id: await person(), destination_account_id: await person() };
  return ['/v2/merge-accounts', body];
}

/** Of a person who agreed already: the same version again. */
async function termsBodies(api: Api): Promise<RightBodies> {
  const { user } = await agree(api, api.ready.accounts.seller2.account_id);
  const { version } = await api.must<{ version: number }>(200, 'accounts', 'GET', '/v1/tos');
  const email = '/v1/user-info/email';
  return {
    signTerms: ['/v1/user-info/tos/service', { version }, user],
    beginEmailVerification: [`${email}/begin-verify`, { email: 'q@people.example' }, user],
    finishEmailVerification: [
      `${email}/finish-verify`,
      await emailCode(api, user, 'p@people.example'),
      user,
    ],
  };
}

/** A login that comes back, a card that was entered, and one that has a name. */
async function methodBodies(api: Api): Promise<RightBodies> {
  const { buyer, seller2 } = api.ready.accounts;
  const { session: token } = await agree(api, seller2.account_id);
  const path = '/v1/payment_method';
  const entry_id = await enterCard(api, token);
  const card = { account_id: buyer.account_id, test_card: 'visa' };
  type Made = { id: string };
  const attach = '/sandbox/payment_methods';
  const { id } = await api.must<Made>(201, 'invoicing', 'POST', attach, { body: card });
  const return_url = `${api.ready.urls.widget}/ui/back`;
  const login = { kind: 'paypal', return_url, page: 'widget', dir: 'ltr' };
  return {
    createPaymentMethodEntry: [`${path}/entry`, login, token],
    createPaymentMethod: [path, { entry_id }, token],
    renamePaymentMethod: [`${path}/${id}`, { display_string: 'Named' }],
  };
}

function settingsBody(): Body {
  const colors = { background_color: '#ffffff', primary_color: '#0055AA' };
  return {
    name: 'Shop',
    registered_origins: ['https://shop.example'],
    return_addresses: ['https://shop.example/return', 'http://localhost:3000/done'],
    oauth_return_addresses: ['shop://return'],
    wallet_alerts: [{ currency: 'USD', warning: 20, critical: 10 }],
    look: { ...colors, logo: dataUri('image/png', png(2, 2)), preview_text: 'A shop.' },
  };
}

function moneyBodies(api: Api): RightBodies {
  const { account_id, card_payment_method_id: payment_method_id } = api.ready.accounts.buyer;
  const money = { account_id, currency: 'USD', amount: 5 };
  return {
    createDeposit: ['/v1/deposits', { ...money, payment_method_id }],
    sandboxDeposit: ['/sandbox/deposits', { ...money, integrator: false }],
    sandboxBankTransfer: ['/sandbox/bank_transfers', { currency: 'USD', amount: 5 }],
  };
}

/** The outside event is about a deposit by card, which has ended. */
async function sandboxBodies(api: Api): Promise<RightBodies> {
  const { account_id, card_payment_method_id: payment_method_id } = api.ready.accounts.buyer;
  const body = { account_id, payment_method_id, currency: 'USD', amount: 7 };
  type Made = { deposit_id: string };
  const path = '/v1/deposits';
  const { deposit_id: id } = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
  for (let state = 'requested'; state === 'requested'; ) {
    const read = await api.must<{ state: string }>(200, 'invoicing', 'GET', `${path}/${id}`);
    state = read.state;
  }
  const scripted = { counterparty: 'processor', exchange: 'honest' };
  return {
    sandboxAttachCard: ['/sandbox/payment_methods', { account_id, test_card: 'visa' }],
    sandboxPlayScenario: ['/sandbox/scenarios', { scenario: 'all_well', payment_method_id }],
    sandboxOutsideEvent: ['/sandbox/outside_events', { event: 'chargeback', id }],
    sandboxSettlementTerms: [
      '/sandbox/settlement_terms',
      {
        ...{ fee_basis_points: 290, fee_fixed: 30, dispute_fee: 1_500, monthly_fee: 100 },
        ...{ delay_days: 2, bank_above: 10_000 },
      },
    ],
    sandboxScript: [
      '/sandbox/scripts',
      { ...scripted, operation: 'look', times: 1, on: payment_method_id },
    ],
    sandboxCreateReceiver: [
      '/sandbox/receivers',
      { events: ['kyb-webhook'], script: [{ exchange: 'ok', times: 1 }] },
    ],
    ...(await workspaceBodies(api)),
    sandboxMoveClock: ['/sandbox/clock', { advance_seconds: 1, next: false, until_idle: false }],
  };
}

/** The decision is about a charge that the processor's answer and book contradict each other on. */
async function reconciliationBodies(api: Api): Promise<RightBodies> {
  const { account_id, card_payment_method_id: payment_method_id } = api.ready.accounts.buyer;
  const post = (path: string, body: Body): Promise<unknown> =>
    api.must(201, 'invoicing', 'POST', path, { body });
  await post('/sandbox/scenarios', { scenario: 'declined_but_captured', payment_method_id });
  await post('/v1/deposits', { account_id, payment_method_id, currency: 'USD', amount: 8 });
  type Open = { items: { id: string; kind: string }[] };
  const path = '/v1/reconciliation';
  for (;;) {
    const { items } = await api.must<Open>(200, 'payments', 'GET', path);
    const id = items.find(({ kind }) => kind === 'parked_charge')?.id;
    const body = { decision: 'give_back', note: 'n' };
    if (id !== undefined) return { resolveReconciliation: [`${path}/${id}/resolve`, body] };
    await delay(100);
  }
}

/** Of somebody without data, and of one who is accepted. */
export async function identityBodies(
  api: Api,
): Promise<Record<'submitKYC' | 'recheckKYC' | 'sandboxIdentityEvent', RightBody>> {
  const person = async (username: string): Promise<string> => {
    const call = { body: { username } };
    type Made = { account_id: string };
    return (await api.must<Made>(200, 'accounts', 'POST', '/register', call)).account_id;
  };
  const accepted = await person('to be verified again');
  const accept = { body: { state: 'ACCEPT' } };
  await api.must(200, 'pii', 'PUT', `/v2/kyc/account/${accepted}/state`, accept);
  type Given = { token: { access_token: string } };
  const userOf = async (account_id: string): Promise<string> => {
    const call = { body: { account_id, return_token: true } };
    const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', call);
    return token.access_token;
  };
  const body = submission({ middle: 'M', street2: 'S', ssn_last4: '6789' });
  const token = await userOf(await person('with data'));
  type Sent = { kyc_id: string; state: string };
  const { kyc_id } = await api.must<Sent>(200, 'pii', 'POST', '/v2/kyc', { body, token });
  for (let state = 'PROCESSING'; state === 'PROCESSING'; ) {
    ({ state } = await api.must<Sent>(200, 'pii', 'GET', '/v2/kyc', { token }));
  }
  return {
    submitKYC: ['/v2/kyc', body, await userOf(await person('without data'))],
    sandboxIdentityEvent: ['/sandbox/identity_events', { kyc_id, event: 'deny' }],
    recheckKYC: [`/v1/kyc/${accepted}/recheck`, { note: 'n' }],
  };
}

/** Of an account that has no business, and of one that has begun one. */
async function businessBodies(api: Api): Promise<RightBodies> {
  const stated = {
    entity_name: 'Firm',
    user_email: 'f@example.test',
    entity_type: 'trust',
    tax_id: '12-3456789',
    naics_numbers: '123456',
    duns_numbers: '123456789',
    ...{ country: 'US', legal_form: 'f', registration_number: 'r', register: 'k' },
    ...{ vat_number: 'v', street: 's', street2: 't', city: 'c', region: 'g', postal_code: 'p' },
  };
  const roles = ['control_prong', 'beneficial_owner'];
  const ownership = '25-50';
  const file = dataUri('image/png', png(2, 2));
  const agent = { agent_name: 'A', roles, ownership, documents: [file] };
  const onboarded = {
    ...stated,
    ...{ jurisdiction: 'j', custom_application_id: 'c' },
    agents: [agent],
    documents: [file],
  };
  const begun = await makeBusiness(api);
  const { entity, agent: entity_agent_id } = begun;
  const { session: token } = await agree(api, begun.business);
  const made = { body: { username: 'firm' } };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', made);
  const form = '/v1/entity/form';
  return {
    onboardEntity: [`/v1/entity/${account_id}/onboard`, onboarded],
    saveEntityForm: [
      form,
      { ...stated, agents: [{ entity_agent_id, agent_name: 'A', roles, ownership }] },
      token,
    ],
    addEntityDocument: [
      `${form}/documents`,
      { pii_document_name: 'd', file, entity_agent_id },
      token,
    ],
    sandboxSetEntity: [`/sandbox/entities/${entity}/state`, { status: 'INCOMPLETE' }],
  };
}

/** About two paid invoices. */
async function refundBodies(api: Api): Promise<RightBodies> {
  const { buyer } = api.ready.accounts;
  const method = buyer.wallet_payment_method_id;
  const line = { amount: 5000, currency: 'USD', transaction_type: 'user_to_integrator' };
  const body = {
    account_id: buyer.account_id,
    payment_methods: [{ payment_method_id: method }],
    line_items: [line],
  };
  type Made = { invoice_id: string; line_items: object };
  const paid = async (): Promise<Made> => {
    const made = await api.must<Made>(201, 'invoicing', 'POST', '/v2/invoice', { body });
    return api.must(200, 'invoicing', 'POST', `/v2/invoice/${made.invoice_id}/pay`);
  };
  const { invoice_id } = await paid();
  const [line_item_id] = Object.keys((await paid()).line_items);
  const why = { reason: 'other', sub_reason: 's', note: 'n' };
  const part = { line_item_id, amount: 2, payment_methods: [method] };
  const receipt = { email_address: 'p@example.test', account_id: buyer.account_id };
  return {
    sendReceipt: [`/v1/transaction/${invoice_id}/receipt`, receipt],
    refundInvoice: ['/v2/refund', { invoice_id, ...why }],
    refundLineItem: ['/v2/line-item/refund', { ...part, ...why }],
  };
}

/** A text for a dispute that is open; a file cannot be beside it. */
async function evidenceBody(api: Api): Promise<RightBody> {
  const { account_id } = api.ready.accounts.buyer;
  const card = { account_id, test_card: 'visa' };
  type Card = { payment_method_id: string };
  const { payment_method_id } = await api.must<Card>(
    ...([201, 'invoicing', 'POST', '/sandbox/payment_methods', { body: card }] as const),
  );
  const dispute = await makeDispute(api, undefined, [account_id, payment_method_id]);
  return [`/v1/disputes/${dispute}/evidence`, { kind: 'other', text: 'x' }];
}

/** About a clone, which is rolled back instead of the workspace that all others use. */
async function workspaceBodies(api: Api): Promise<RightBodies> {
  const { snapshot_id, token } = await ownWorkspace(api);
  return {
    sandboxTakeSnapshot: ['/sandbox/snapshots', { name: 'n' }],
    sandboxForkWorld: ['/sandbox/worlds', { name: 'n', snapshot_id }],
    sandboxRollBack: ['/sandbox/rollback', { snapshot_id }, token],
  };
}

async function webhookBodies(api: Api): Promise<RightBodies> {
  const body = { url: 'http://127.0.0.1:9/', event_names: ['kyb-webhook'] };
  const path = '/v1/webhook_endpoints';
  type Made = { endpoint_id: string };
  const made = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
  const endpoint = `${path}/${made.endpoint_id}`;
  return {
    createWebhookEndpoint: [path, { ...body, description: 'd', signing: 'v1' }],
    changeWebhookEndpoint: [endpoint, { ...body, description: 'd', state: 'enabled' }],
    rotateWebhookSecret: [`${endpoint}/rotate_secret`, { overlap_seconds: 60 }],
    replayWebhookDeliveries: [`${endpoint}/replay`, { from: 1, to: 2 }],
  };
}
