// Fixtures for the cross-tenant tests: one of each resource that a tenant can have, created through
// the interface.
import assert from 'node:assert/strict';
import { SESSION_SCOPES } from '../../src/product/access/oauth/index.ts';
import { dataUri, png } from '../kit/sample-files.ts';
import type { Api } from '../kit/api.ts';
import type { Platform, Tenant } from './kit.ts';
import { disagree } from './escrow-bodies.ts';
import { pause, saleLine, type Body } from './market.ts';
import type { Escrow, Event, Invoice, PaymentMethod } from './records.ts';

/** One tenant's resources, by kind. */
export interface Fixtures {
  readonly token: string;
  readonly account: string;
  readonly seller: string;
  readonly wallet: string;
  readonly sellerWallet: string;
  readonly ownWallet: string;
  readonly method: string;
  readonly card: string;
  /** A card that was entered and not attached. */
  readonly entry: string;
  readonly bank: string;
  readonly payout: string;
  readonly invoice: string;
  readonly authorized: string;
  readonly paid: string;
  readonly line: string;
  readonly refund: string;
  readonly escrow: string;
  readonly escrowInvoice: string;
  /** In the disagreement about the escrow. */
  readonly statement: string;
  readonly endpoint: string;
  readonly receiver: string;
  readonly snapshot: string;
  /** A clone of it. */
  readonly workspace: string;
  readonly event: string;
  readonly deposit: string;
  /** Of the charge of another deposit. */
  readonly dispute: string;
  readonly attempt: string;
  readonly link: string;
  readonly kyc: string;
  /** The account of a business. */
  readonly business: string;
  readonly entity: string;
  readonly agent: string;
  readonly document: string;
  readonly consent: string;
  /** Of a code that was mailed to the account's person. */
  readonly nonce: string;
  /** Not an id: the same for all. */
  readonly word: string;
  /** Tokens of the account's person. */
  readonly user: string;
  readonly session: string;
  readonly secrets: { readonly client_id: string; readonly client_secret: string };
}

type Caller = Pick<Tenant, 'token' | 'client'>;

/** Makes them, and waits until nothing moves by itself any more. */
export async function furnish(platform: Platform, { token, client }: Caller): Promise<Fixtures> {
  const people = await makePeople(platform, token);
  const { account, method } = people;
  const post = poster(platform, token);
  const money = { currency: 'USD', amount: 1_000 };
  await post('/sandbox/deposits', { account_id: account, ...money });
  const own = await post<Body>('/sandbox/deposits', { integrator: true, ...money });
  const card = await attach(post, account, 'visa');
  const { deposit_id: deposit } = await post<{ deposit_id: string }>('/v1/deposits', {
    account_id: account,
    payment_method_id: card,
    ...money,
  });
  const hook = { url: 'http://127.0.0.1:9/', event_names: ['kyb-webhook'] };
  const endpoint = await post<{ endpoint_id: string }>('/v1/webhook_endpoints', hook);
  const receiver = await hostedReceiver(post);
  const sale = {
    account_id: account,
    payment_methods: [{ payment_method_id: method }],
    line_items: [saleLine(people.sellerWallet, 10)],
  };
  const invoice = await post<Invoice>('/v2/invoice', sale);
  const escrow = await post<Escrow>('/v2/escrow', sale);
  const { payment_methods: _, ...plain } = sale;
  const authorized = await platform.api.must<{ authorized_invoice_id: string }>(
    ...([200, 'invoicing', 'POST', '/v2/authorize/invoice'] as const),
    { body: { ...plain, invoice_mechanism: 'widget' }, token },
  );
  const person = await agree(platform.api, account, { token });
  const call = { body: { account_id: account }, token };
  const link = await platform.api.must<Link>(200, 'auth', 'POST', '/authorize/user', call);
  const fixtures = {
    ...people,
    ...(await makePayout(platform, token, people)),
    ...(await makeRefund(platform, token, sale)),
    token,
    secrets: client,
    ownWallet: String(own['destination_wallet_id']),
    card,
    invoice: invoice.invoice_id,
    authorized: authorized.authorized_invoice_id,
    escrow: escrow.id,
    escrowInvoice: escrow.escrow_invoice_id,
    statement: await disagree(platform.api, token, { id: escrow.id, account }),
    endpoint: endpoint.endpoint_id,
    receiver,
    event: (await depositEvent(platform, token, deposit)).event_id,
    deposit,
    dispute: await makeDispute(platform.api, token, [account, card]),
    attempt: await attemptOf(platform, deposit),
    link: link.nonce_auth_id,
    kyc: (await kycOf(platform, token, account)).kyc_id,
    ...(await makeBusiness(platform.api, token)),
    ...person,
    nonce: (await beginEmail(platform.api, person.user)).nonce,
    entry: await enterCard(platform.api, person.session),
    word: 'service',
  };
  return { ...fixtures, ...(await makeWorkspace(post)) };
}

/** A snapshot of everything so far, and a workspace created from it. */
async function makeWorkspace(post: Post): Promise<Pick<Fixtures, 'snapshot' | 'workspace'>> {
  type Taken = { snapshot_id: string };
  const { snapshot_id } = await post<Taken>('/sandbox/snapshots', { name: 'all' });
  const { world_id } = await post<{ world_id: string }>('/sandbox/worlds', { snapshot_id });
  return { snapshot: snapshot_id, workspace: world_id };
}

/** A clone of a snapshot of the current workspace, with a token of its own. */
export async function ownWorkspace(
  api: Api,
): Promise<{ readonly snapshot_id: string; readonly world_id: string; readonly token: string }> {
  type Clone = { world_id: string; client_id: string; client_secret: string };
  const snapshots = '/sandbox/snapshots';
  const { snapshot_id } = await api.must<{ snapshot_id: string }>(
    ...([201, 'invoicing', 'POST', snapshots, { body: {} }] as const),
  );
  const call = { body: { snapshot_id } };
  const clone = await api.must<Clone>(201, 'invoicing', 'POST', '/sandbox/worlds', call);
  const { world_id, client_id, client_secret } = clone;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const { body } = await api.send('auth', 'POST', '/token', { form, token: null });
  const { access_token: token } = body as unknown as { access_token: string };
  return { snapshot_id, world_id, token };
}

/** A top-up that its cardholder disputes. */
export async function makeDispute(
  api: Api,
  token: string | undefined,
  [account_id, payment_method_id]: readonly [account: string, card: string],
): Promise<string> {
  const as = token === undefined ? {} : { token };
  const body = { account_id, payment_method_id, currency: 'USD', amount: 5 };
  type Deposit = { deposit_id: string };
  const { deposit_id: id } = await api.must<Deposit>(
    ...([201, 'invoicing', 'POST', '/v1/deposits', { body, ...as }] as const),
  );
  type Page = { disputes: readonly { dispute_id: string }[] };
  for (let open = false; ; await pause()) {
    const call = { body: { event: 'chargeback', id }, ...as };
    const path = '/sandbox/outside_events';
    open ||= (await api.send('invoicing', 'POST', path, call)).status === 201;
    const page = await api.must<Page>(200, 'invoicing', 'GET', '/v1/disputes', as);
    if (page.disputes[0] !== undefined) return page.disputes[0].dispute_id;
  }
}

/** The application that the setter made. */
function kycOf({ api }: Platform, token: string, id: string): Promise<{ kyc_id: string }> {
  return api.must(200, 'pii', 'GET', `/v1/kyc/${id}`, { token });
}

/** A business of an account of its own, with somebody behind it and a document. */
export async function makeBusiness(
  api: Api,
  token?: string,
): Promise<Pick<Fixtures, 'business' | 'entity' | 'agent' | 'document'>> {
  const by = token === undefined ? {} : { token };
  type Made = { account_id: string };
  const call = { body: { username: `business ${crypto.randomUUID()}` }, ...by };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', call);
  const path = `/v1/entity/${account_id}/onboard`;
  const body = {
    entity_name: 'Firm',
    entity_type: 'trust',
    tax_id: '123456789',
    agents: [{ agent_name: 'A', roles: ['control_prong'] }],
    documents: [dataUri('image/png', png(2, 2))],
  };
  type Begun = { entity_id: string };
  const begun = await api.must<Begun>(200, 'pii', 'POST', path, { body, ...by });
  const { entity_id: entity } = begun;
  type Seen = {
    agents: { entity_agent_id: string }[];
    documents: { entity_document_id: string }[];
  };
  const seen = await api.must<Seen>(200, 'pii', 'GET', `/v1/entity/${entity}`, by);
  const agent = seen.agents.at(-1)?.entity_agent_id ?? '';
  const document = seen.documents[0]?.entity_document_id ?? '';
  return { business: account_id, entity, agent, document };
}

interface Link {
  readonly nonce_auth_id: string;
  readonly redirect: string;
}

/** A person with a token of their own, who opened a link and agreed to what it asked. */
export async function agree(
  api: Api,
  account_id: string,
  { token, scopes = SESSION_SCOPES }: { token?: string; scopes?: readonly string[] } = {},
): Promise<Pick<Fixtures, 'user' | 'session' | 'consent'>> {
  const by = token === undefined ? {} : { token };
  const authorize = <T>(more: Body): Promise<T> => {
    const call = { body: { account_id, ...more }, ...by };
    return api.must(200, 'auth', 'POST', '/authorize/user', call);
  };
  type Given = { token: { access_token: string } };
  const user = (await authorize<Given>({ return_token: true })).token.access_token;
  const { redirect } = await authorize<Link>({ flow: 'kyc', scopes });
  const nonce = new URL(redirect).pathname.split('/').at(-1);
  type Session = {
    access_token: string;
    resume: string;
    to_agree: { terms: { version: number } | null } | null;
  };
  const open = (body: Body): Promise<Session> =>
    api.must(200, 'widget', 'POST', '/ui/api/session', { body, token: null });
  const { to_agree, resume } = await open({ nonce });
  const terms_version = to_agree?.terms?.version;
  const agreed = { nonce, resume, agree: { terms_version, consent: true } };
  const { access_token: session } = await open(agreed);
  type List = { consents: { consent_id: string }[] };
  const { consents } = await api.must<List>(200, 'accounts', 'GET', '/v1/consents', {
    token: user,
  });
  return { user, session, consent: consents.at(-1)?.consent_id ?? '' };
}

const EMAIL = '/v1/user-info/email';

/** Has a code mailed to an address. */
function beginEmail(api: Api, user: string, email = 'new@people.example') {
  type Begun = { readonly nonce: string };
  const call = { body: { email }, token: user };
  return api.must<Begun>(200, 'accounts', 'POST', `${EMAIL}/begin-verify`, call);
}

/** A code that was mailed, with its nonce. */
export async function emailCode(api: Api, user: string, email: string) {
  const { nonce } = await beginEmail(api, user, email);
  return { code: await mailedCode(api, email), nonce };
}

/** The code in the newest mail to an address. */
export async function mailedCode(api: Api, email: string): Promise<string> {
  type Page = { readonly mails: readonly { readonly text: string }[] };
  for (;;) {
    const at = `/sandbox/mail?to=${email}`;
    const { mails } = await api.must<Page>(200, 'invoicing', 'GET', at);
    const code = /\b\d{6}\b/.exec(mails[0]?.text ?? '')?.[0];
    if (code !== undefined) return code;
    await pause();
  }
}

/** Enters a card at the processor's page, as the person of a session; gives the entry's id. */
export async function enterCard(api: Api, token: string): Promise<string> {
  const call = { body: { kind: 'card' }, token };
  type Entry = { entry_id: string; url: string };
  const path = '/v1/payment_method/entry';
  const { entry_id, url } = await api.must<Entry>(201, 'payments', 'POST', path, call);
  const card = { number: '4111111111111111', expiry_month: 12, expiry_year: 2060, cvc: '123' };
  const headers = { 'content-type': 'application/json' };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(card) });
  return entry_id;
}

type Post = <T>(path: string, body: Body) => Promise<T>;

function poster({ api }: Platform, token: string): Post {
  return (path, body) => api.must(201, 'invoicing', 'POST', path, { body, token });
}

async function attach(post: Post, account_id: string, test_card: string): Promise<string> {
  return (await post<{ id: string }>('/sandbox/payment_methods', { account_id, test_card })).id;
}

type People = Pick<Fixtures, 'account' | 'seller' | 'wallet' | 'sellerWallet' | 'method'>;

async function makePeople({ api }: Platform, token: string): Promise<People> {
  const register = (body: Body): Promise<{ account_id: string }> =>
    api.must(200, 'accounts', 'POST', '/register', { body, token });
  const { account_id: account } = await register({ username: 'buyer', full_name: 'Bea' });
  const { account_id: seller } = await register({ username: 'seller', full_name: 'Sam' });
  const walletOf = async (id: string): Promise<PaymentMethod> => {
    const path = `/v1/${id}/payment_methods`;
    const methods = await api.must<PaymentMethod[]>(200, 'payments', 'GET', path, { token });
    return methods.find((one) => one.processing_currency === 'USD') as PaymentMethod;
  };
  const [buyers, sellers] = [await walletOf(account), await walletOf(seller)];
  const wallet = buyers.provider_data.wallet_id ?? '';
  const sellerWallet = sellers.provider_data.wallet_id ?? '';
  return { account, seller, wallet, sellerWallet, method: buyers.id };
}

async function makePayout(
  platform: Platform,
  token: string,
  { account, method }: People,
): Promise<Pick<Fixtures, 'bank' | 'payout'>> {
  const post = poster(platform, token);
  const path = `/v2/kyc/account/${account}/state`;
  await platform.api.must(200, 'pii', 'PUT', path, { body: { state: 'ACCEPT' }, token });
  const bank = await attach(post, account, 'bank');
  const payout = await post<{ payout_status_id: string }>(`/v2/${account}/payout`, {
    source_payment_method_id: method,
    destination_payment_method_id: bank,
    currency: 'USD',
    amount: 10,
  });
  return { bank, payout: payout.payout_status_id };
}

/** A paid invoice, and the refund of a part of it. */
async function makeRefund(
  platform: Platform,
  token: string,
  sale: Body,
): Promise<Pick<Fixtures, 'paid' | 'line' | 'refund'>> {
  const { api } = platform;
  const made = await poster(platform, token)<Invoice>('/v2/invoice', sale);
  const { invoice_id: paid, line_items } = made;
  await api.must(200, 'invoicing', 'POST', `/v2/invoice/${paid}/pay`, { token });
  const [line = ''] = Object.keys(line_items);
  const body = { line_item_id: line, amount: 4, reason: 'other' };
  const call = { body, token };
  const path = '/v2/line-item/refund';
  const refund = await api.must<{ refund_id: string }>(200, 'invoicing', 'POST', path, call);
  return { paid, line, refund: refund.refund_id };
}

/** Waits until the deposit has come to its end, so that nothing moves by itself any more. */
async function depositEvent({ api }: Platform, token: string, id: string): Promise<Event> {
  for (;;) {
    const path = '/v1/events';
    type Page = { events: Event[] };
    const { events } = await api.must<Page>(200, 'invoicing', 'GET', path, { token });
    const found = events.find(({ event_name, message }) => {
      return event_name === 'deposit-completed' && message['deposit_id'] === id;
    });
    if (found !== undefined) return found;
    await pause();
  }
}

/** The charge of a deposit, which people may have to decide about. */
async function attemptOf({ db }: Platform, deposit: string): Promise<string> {
  const text = 'select id from attempt where resource_id = $1';
  const [row] = await db.query<{ id: string }>({ text, values: [deposit] });
  return row?.id ?? '';
}

/** A receiver hosted by the sandbox, for events that nobody here causes. */
async function hostedReceiver(post: Post): Promise<string> {
  const body = { events: ['kyb-webhook'] };
  return (await post<{ receiver_id: string }>('/sandbox/receivers', body)).receiver_id;
}

/**
 * Requires that a person can ask for ten mails and no more, however many ask at once, and for none
 * where mails are off; `ask` gives the code of the refusal, or ''.
 */
export async function requireTenMails(
  api: Api,
  ask: (address: string) => Promise<string>,
): Promise<void> {
  const many = Array.from({ length: 30 }, (_, n) => ask(`n${n}@people.example`));
  const codes = await Promise.all(many);
  assert.equal(codes.filter((code) => code === '').length, 10, 'however many ask at once');
  assert.equal(await ask('more@people.example'), 'TOO_MANY_MAILS');
  const settings = (enabled: boolean) =>
    api.must(200, 'invoicing', 'PUT', '/v1/settings/mail', { body: { enabled } });
  await settings(false);
  assert.equal(await ask('off@people.example'), 'MAIL_OFF');
  await settings(true);
}
