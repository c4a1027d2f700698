// From a one-time link to a session: loading the page uses nothing up, one browser opens it, a
// reload continues, and what must be agreed to comes first. [G-13, ID1] Two processes where it
// races.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startFleet, type Fleet } from '../kit/platform.ts';
import type { Api, Ready } from '../kit/api.ts';

let fleet: Fleet;
let api: Api;
let urls: Ready['urls'];

before(async () => {
  fleet = await startFleet(2);
  api = fleet.apis[0] as Api;
  urls = api.ready.urls;
});
after(() => fleet?.stop());

interface Session {
  readonly flow: string;
  readonly account_id: string;
  readonly to_agree: { terms: { version: number } | null; consent: unknown[] } | null;
  readonly scopes: readonly string[];
  readonly access_token: string;
  readonly resume: string;
}

interface Opened {
  readonly status: number;
  readonly codes: readonly string[];
  readonly session: Session;
  readonly cookie: string;
}

async function post(base: string, path: string, body: object, cookie = ''): Promise<Opened> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const said = (text === '' ? {} : JSON.parse(text)) as { codes?: string[]; payload?: Session };
  const { codes = [], payload } = said;
  const set = response.headers.get('set-cookie') ?? '';
  const session = payload as Session;
  return { status: response.status, codes, session, cookie: set.split(';')[0] ?? '' };
}

const open = (body: object, cookie = '', base = urls.widget): Promise<Opened> =>
  post(base, '/ui/api/session', body, cookie);

async function linkFor(account: string, more: object = {}) {
  const body = { account_id: account, ...more };
  const link = await api.must<{ redirect: string; nonce_auth_id: string }>(
    200,
    'auth',
    'POST',
    '/authorize/user',
    { body },
  );
  const nonce = new URL(link.redirect).pathname.split('/').at(-1) ?? '';
  return { ...link, nonce };
}

const statusOf = async (id: string): Promise<string> => {
  const told = await api.must<{ status: string }>(200, 'auth', 'GET', `/authorize/user/${id}`);
  return told.status;
};

let names = 0;

async function person(): Promise<string> {
  names += 1;
  return (await api.register(`person${names}`)).account_id;
}

async function agreed(nonce: string, more: object = {}): Promise<Opened> {
  const first = await open({ nonce, ...more });
  assert.equal(first.status, 200);
  const version = first.session.to_agree?.terms?.version;
  const agree = { consent: true, ...(version === undefined ? {} : { terms_version: version }) };
  return open({ nonce, ...more, resume: first.session.resume, agree });
}

function asSession(token: string, path: string, base = urls.widget): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(base + path, { headers, signal: AbortSignal.timeout(30_000) });
}

test('a link that is only read stays unused; opening it asks for terms and consent', async () => {
  const account = await person();
  const { nonce, redirect, nonce_auth_id: id } = await linkFor(account, { flow: 'purchase' });
  assert.match(nonce, /^[A-Za-z0-9_-]{43}$/);
  for (let at = 0; at < 5; at += 1) await (await fetch(redirect)).text();
  await fetch(redirect, { method: 'HEAD' });
  assert.equal(await statusOf(id), 'unused');
  const first = await open({ nonce });
  assert.equal(first.status, 200);
  assert.equal(first.session.access_token, '');
  assert.ok((first.session.to_agree?.terms?.version ?? 0) > 0);
  assert.ok((first.session.to_agree?.consent.length ?? 0) > 0);
  assert.equal(await statusOf(id), 'used');
  const stale = { consent: true, terms_version: 999 };
  const refused = await open({ nonce, resume: first.session.resume, agree: stale });
  assert.deepEqual([refused.status, refused.codes], [400, ['TERMS_VERSION_STALE']]);
  const version = first.session.to_agree?.terms?.version;
  const agree = { consent: true, terms_version: version };
  const second = await open({ nonce, resume: first.session.resume, agree });
  assert.equal(second.session.to_agree, null);
  const methods = `/ui/api/payments/v1/${account}/payment_methods`;
  assert.equal((await asSession(second.session.access_token, methods)).status, 200);
  assert.equal((await asSession(second.session.access_token, methods, urls.hosted)).status, 200);
});

test('the same browser goes on after a reload, by cookie; another is told', async () => {
  const { nonce } = await linkFor(await person(), { flow: 'tos' });
  const first = await agreed(nonce);
  const again = await open({ nonce }, first.cookie);
  assert.equal(again.status, 200);
  assert.notEqual(again.session.access_token, '');
  const elsewhere = await open({ nonce });
  assert.deepEqual([elsewhere.status, elsewhere.codes], [410, ['LINK_USED']]);
  const forged = await open({ nonce }, `${first.cookie.split('=')[0]}=AAAA`);
  assert.deepEqual(forged.codes, ['LINK_USED']);
});

test('a page that lost the answer asks again with its secret, as often as it likes', async () => {
  const { nonce, nonce_auth_id: id } = await linkFor(await person(), { flow: 'tos' });
  const resume = randomBytes(32).toString('base64url');
  const bases = fleet.apis.map((one) => one.ready.urls.widget);
  const racers = Array.from({ length: 10 }, (_, at) => open({ nonce, resume }, '', bases[at % 2]));
  for (const { status, session } of await Promise.all(racers)) {
    assert.deepEqual([status, session.resume], [200, resume]);
  }
  const other = await open({ nonce, resume: randomBytes(32).toString('base64url') });
  assert.deepEqual([other.status, other.codes], [410, ['LINK_USED']]);
  const opened = await fleet.db.query({
    text: `select 1 from audit_entry where subject = $1`,
    values: [id],
  });
  assert.equal(opened.length, 1);
});

test('who opened a link is in the audit, once, and who was refused is not', async () => {
  const account = await person();
  const { nonce, nonce_auth_id: id } = await linkFor(account, { flow: 'kyc' });
  await open({ nonce, flow: 'payout' });
  const entries = (): Promise<unknown[]> =>
    fleet.db.query({
      text: `select act, actor from audit_entry where subject = $1`,
      values: [id],
    });
  assert.deepEqual(await entries(), []);
  const { session } = await agreed(nonce);
  await open({ nonce, resume: session.resume });
  await open({ nonce });
  assert.deepEqual(await entries(), [{ act: 'session_opened', actor: `account:${account}` }]);
});

test('a session is of one account and ends for good when it is ended', async () => {
  const [account, other] = [await person(), await person()];
  const { nonce } = await linkFor(account);
  const { session, cookie } = await agreed(nonce, { flow: 'purchase' });
  const token = session.access_token;
  const path = (of: string): string => `/v1/${of}/payment_methods`;
  assert.equal((await asSession(token, path(account), urls.payments)).status, 200);
  const foreign = await asSession(token, path(other), urls.payments);
  const unknown = await asSession(token, path(`acct_${'a'.repeat(26)}`), urls.payments);
  assert.equal(foreign.status, 404);
  assert.equal(await foreign.text(), await unknown.text());
  const ended = { nonce, access_token: token };
  assert.equal((await post(urls.widget, '/ui/api/session/end', ended)).status, 200);
  assert.equal((await asSession(token, path(account), urls.payments)).status, 401);
  const late = await open({ nonce }, cookie);
  assert.deepEqual([late.status, late.codes], [410, ['LINK_EXPIRED']]);
});

test('a flow is fixed by its link or by the first opening; refusals burn nothing', async () => {
  const account = await person();
  const fixed = await linkFor(account, { flow: 'kyc' });
  const wrong = await open({ nonce: fixed.nonce, flow: 'payout' });
  assert.deepEqual([wrong.status, wrong.codes], [403, ['LINK_FLOW_MISMATCH']]);
  const checkout = await linkFor(account);
  const bare = await open({ nonce: checkout.nonce, flow: 'checkout' });
  assert.deepEqual(bare.codes, ['LINK_FLOW_MISMATCH']);
  assert.equal(await statusOf(fixed.nonce_auth_id), 'unused');
  assert.equal(await statusOf(checkout.nonce_auth_id), 'unused');
  const loose = await agreed(checkout.nonce, { flow: 'payout' });
  assert.equal(loose.session.flow, 'payout');
  const changed = await open({ nonce: checkout.nonce, flow: 'kyc', resume: loose.session.resume });
  assert.deepEqual(changed.codes, ['LINK_FLOW_MISMATCH']);
  const nothing = await open({ nonce: 'A'.repeat(43) });
  assert.deepEqual([nothing.status, nothing.codes], [404, ['LINK_NOT_FOUND']]);
});

const METHODS = ['read_payment_method', 'write_payment_method'];
const IDENTITY = ['read_kyc', 'read_kycs', 'verify_kyc'];
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  '': METHODS,
  'payment-selection': METHODS,
  tos: [],
  kyc: IDENTITY,
  kyb: IDENTITY,
  purchase: ['read_invoice', 'write_invoice', ...METHODS],
  payout: [...METHODS, 'read_process_credits', 'write_process_credits', ...IDENTITY],
  'payout-full': [...METHODS, 'read_process_credits', 'write_process_credits', ...IDENTITY],
  txnhistory: ['read_invoices', 'read_payment_method'],
  txndetails: ['read_invoices', 'read_payment_method'],
  escrow: ['read_invoices', 'deliver_escrow'],
};

test('a session has what its flow needs, and asks consent for just that', async () => {
  const account = await person();
  const scopesOf = async (made: object, opened: object): Promise<readonly string[]> => {
    const { nonce } = await linkFor(account, made);
    const { session } = await open({ nonce, ...opened });
    const asked = (session.to_agree?.consent ?? []) as { scope: string }[];
    assert.deepEqual(asked.map(({ scope }) => scope), session.scopes.toSorted());
    return session.scopes;
  };
  for (const [name, scopes] of Object.entries(NEEDS)) {
    const flow = name === '' ? {} : { flow: name };
    assert.deepEqual(await scopesOf({}, flow), scopes, `opened for ${name}`);
    assert.deepEqual(await scopesOf(flow, {}), scopes, `made for ${name}`);
  }
  const more = ['read_kyc', 'write_invoice'];
  assert.deepEqual(await scopesOf({ flow: 'tos', scopes: more }, {}), more);
  assert.deepEqual(await scopesOf({ scopes: more }, { flow: 'kyc' }), more);
});

test('a link opens nothing from 24 hours on, and nothing for a blocked account', async () => {
  const account = await person();
  const old = await linkFor(account);
  const just = await linkFor(account);
  const move = (id: string, seconds: number): Promise<unknown> =>
    fleet.db.execute({
      text: `update link set expires = clock_timestamp() + make_interval(secs => $2) where id = $1`,
      values: [id, seconds],
    });
  await move(old.nonce_auth_id, 0);
  await move(just.nonce_auth_id, 20);
  const late = await open({ nonce: old.nonce });
  assert.deepEqual([late.status, late.codes], [410, ['LINK_EXPIRED']]);
  assert.equal((await open({ nonce: just.nonce, flow: 'tos' })).status, 200);
  const { nonce } = await linkFor(account, { flow: 'tos' });
  const block = { block_capability: 'login', block_reason: 'account_close' };
  const body = { account_id: account, ...block };
  await api.must(200, 'accounts', 'POST', '/v2/block', { body });
  const blocked = await open({ nonce });
  assert.ok(['ACCOUNT_BLOCKED', 'LINK_NOT_FOUND'].includes(blocked.codes[0] ?? ''));
});

test('40 racers on each of 20 links through two processes: each opens once', async () => {
  const account = await person();
  const links = await Promise.all(Array.from({ length: 20 }, () => linkFor(account)));
  const bases = fleet.apis.map((one) => one.ready.urls.widget);
  for (const { nonce } of links) {
    const body = { nonce, flow: 'tos' };
    const racers = Array.from({ length: 40 }, (_, at) => open(body, '', bases[at % 2]));
    const all = await Promise.all(racers);
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    assert.ok(all.every(({ status, codes }) => status === 200 || codes[0] === 'LINK_USED'));
  }
});
