// The ready line, the hosts behind it and the token endpoint, field by field. [G-02, G-03, G-10]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from './kit.ts';
import type { Call, Reply } from '../kit/api.ts';
import type { HostName } from '../../src/core/operation.ts';
import type { PaymentMethod } from './records.ts';

const HOSTS = [
  'pii',
  'invoicing',
  'payments',
  'auth',
  'widget',
  'hosted',
  'console',
  'accounts',
  'wallets',
  'shop',
  'processor',
  'internal',
] as const;
const SCOPES = [
  ...['read_kycs', 'write_kycs', 'write_entities', 'read_payment_methods', 'write_user_tokens'],
  ...['write_invoices', 'read_invoices', 'read_invoice', 'write_invoice', 'read_payment_method'],
  ...['write_payment_method', 'read_kyc', 'verify_kyc', 'write_registrations', 'search_accounts'],
  ...['read_accounts', 'read_entities', 'write_process_credits', 'read_process_credits'],
  ...['read_wallets', 'read_events', 'write_webhooks', 'write_settings', 'write_sandbox'],
  ...['write_disagreements', 'deliver_escrow', 'release_escrow'],
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ACCOUNT = /^acct_[0-9a-z]{26}$/;

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly error?: string;
  readonly error_description?: string;
}

async function ask(call: Call): Promise<Reply & { readonly token: TokenAnswer }> {
  const reply = await platform.api.send('auth', 'POST', '/token', { token: null, ...call });
  return { ...reply, token: reply.body as unknown as TokenAnswer };
}

const form = (more: Record<string, string> = {}): Record<string, string> => ({
  grant_type: 'client_credentials',
  ...platform.ready.client,
  ...more,
});

test('the ready line has every field of the contract', () => {
  const { ready, env, urls, client, integrator, webhook, accounts } = platform.ready;
  assert.equal(ready, true);
  assert.equal(env, 'staging');
  assert.deepEqual(Object.keys(urls), [...HOSTS]);
  const ports = HOSTS.map((host) => Number(new URL(urls[host]).port));
  assert.deepEqual(
    ports,
    ports.map((_, at) => (ports[0] as number) + at),
    'in the order of urls',
  );
  assert.equal(new URL(urls.shop).hostname, 'localhost');
  assert.equal(new URL(urls.pii).hostname, '127.0.0.1');
  for (const url of Object.values(urls)) assert.equal(url, url.replace(/\/$/, ''));
  assert.ok(client.client_id.length > 0 && client.client_secret.length >= 32);
  assert.match(integrator, UUID);
  assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{32,}=*$/);
  for (const account of Object.values(accounts)) {
    assert.match(account.account_id, ACCOUNT);
    assert.ok(account.account_id.length <= 36);
    assert.match(account.wallet_id, UUID);
  }
  const { buyer } = accounts;
  assert.match(buyer.wallet_payment_method_id, UUID);
  assert.match(buyer.card_payment_method_id, UUID);
  assert.match(buyer.declined_card_payment_method_id, UUID);
});

test('the sandbox is as promised: funds, verification, scopes', async () => {
  const { api, ready } = platform;
  const { buyer, seller, seller2 } = ready.accounts;
  const path = `/v1/${buyer.account_id}/payment_methods`;
  const methods = await api.must<PaymentMethod[]>(200, 'payments', 'GET', path);
  const wallet = methods.find((one) => one.id === buyer.wallet_payment_method_id);
  assert.equal(wallet?.wallet_balance, '100000');
  for (const [account, state] of [
    [buyer, 'NODATA'],
    [seller, 'ACCEPT'],
    [seller2, 'NODATA'],
  ] as const) {
    const kyc = await api.must<{ state: string }>(
      200,
      'pii',
      'GET',
      `/v1/kyc/${account.account_id}`,
    );
    assert.equal(kyc.state, state);
  }
  const { token } = await ask({ form: form() });
  assert.deepEqual(token.scope.split(' ').toSorted(), SCOPES.toSorted());
});

test('every host answers unknown paths and methods with the envelope', async () => {
  const { api } = platform;
  for (const host of HOSTS) {
    const unknown = await api.send(host, 'GET', '/there/is/nothing');
    assert.deepEqual([unknown.status, unknown.code], [404, 'NOT_FOUND'], host);
    const method = await api.send(host, 'DELETE', '/openapi.json', { token: null });
    assert.deepEqual([method.status, method.code], [405, 'METHOD_NOT_ALLOWED'], host);
    assert.match(method.headers.get('allow') ?? '', /GET/);
  }
  const wrongHost = await api.send('payments', 'POST', '/v2/invoice', { body: {} });
  assert.equal(wrongHost.status, 404);
  const slash = await api.send('invoicing', 'GET', '/v2/invoice/');
  assert.equal(slash.status, 404);
});

test('each host describes itself in OpenAPI 3.1', async () => {
  const { documents, places } = platform.api;
  const ids = new Set<string>();
  for (const host of HOSTS) {
    const document = documents[host];
    assert.ok(document);
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.equal(document.servers[0]?.url, platform.ready.urls[host]);
    const answer = await fetch(`${platform.ready.urls[host]}/openapi.json`);
    assert.equal(answer.headers.get('content-type'), 'application/json');
  }
  assert.equal(
    documents['pii']?.info.version,
    '1.0.0',
    'the identity description is version 1.0.0',
  );
  for (const { host, path, operation } of places) {
    assert.ok(!ids.has(operation.operationId), `${operation.operationId} is unique`);
    ids.add(operation.operationId);
    const named = [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]);
    const inPath = operation.parameters.filter((one) => one.in === 'path').map((one) => one.name);
    assert.deepEqual(inPath, named, `${host} ${path} describes its path parameters`);
    assert.ok(
      Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status)),
      path,
    );
  }
  const paths = places.map(({ host, method, path }) => `${host} ${method} ${path}`);
  for (const wanted of [
    'pii GET /v1/kyc/{account_id}',
    'pii PUT /v2/kyc/account/{account_id}/state',
    'payments GET /v1/{account_id}/payment_methods',
    'auth POST /authorize/user',
    'auth POST /token',
    'invoicing POST /v2/invoice',
    'invoicing POST /v2/invoice/{invoice_id}/pay',
    'invoicing GET /v2/invoice/{invoice_id}',
    'accounts POST /register',
    'invoicing POST /v1/webhook_endpoints',
    'invoicing GET /v1/events',
  ]) {
    assert.ok(paths.includes(wanted), wanted);
  }
});

test('a token by form, by JSON and by Basic, in OAuth members and in the envelope', async () => {
  const { client_id, client_secret } = platform.ready.client;
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const ways: Record<string, Call> = {
    form: { form: form() },
    body: { body: form() },
    basic: {
      form: { grant_type: 'client_credentials' },
      headers: { authorization: `Basic ${basic}` },
    },
    'basic with an empty scope': {
      form: { grant_type: 'client_credentials', scope: '' },
      headers: { authorization: `Basic ${basic}` },
    },
  };
  for (const [way, call] of Object.entries(ways)) {
    const { status, token, body, headers } = await ask(call);
    assert.equal(status, 200, way);
    assert.equal(token.token_type, 'Bearer');
    assert.equal(token.expires_in, 3600);
    assert.equal(token.access_token.split('.').length, 3);
    assert.deepEqual([body.status, body.message, body.codes], ['Success', [], []]);
    const payload = body.payload as TokenAnswer;
    assert.equal(payload.access_token, token.access_token);
    assert.equal(payload.scope, token.scope);
    assert.equal(payload.expires_in, 3600);
    assert.match(headers.get('cache-control') ?? '', /no-store/);
  }
});

test('scopes separated by spaces or commas, exactly those requested', async () => {
  for (const scope of [
    'read_invoices write_invoices',
    'read_invoices,write_invoices',
    'read_invoices, write_invoices',
    ' read_invoices  write_invoices ',
  ]) {
    const { status, token } = await ask({ form: form({ scope }) });
    assert.equal(status, 200, scope);
    assert.equal(token.scope, 'read_invoices write_invoices');
  }
});

test("token errors have both OAuth's members and the envelope's", async () => {
  const { client_id } = platform.ready.client;
  const narrow = await platform.client(['read_invoices']);
  const wrong: readonly [string, Call, number, string][] = [
    ['unknown scope', { form: form({ scope: 'read_everything' }) }, 400, 'invalid_scope'],
    ['scope in capitals', { form: form({ scope: 'READ_INVOICES' }) }, 400, 'invalid_scope'],
    [
      "another client's scope",
      { form: { ...form({ scope: 'read_invoice' }), ...narrow } },
      400,
      'invalid_scope',
    ],
    ['no grant', { form: { ...platform.ready.client } }, 400, 'invalid_request'],
    ['password grant', { form: form({ grant_type: 'password' }) }, 400, 'unsupported_grant_type'],
    ['wrong secret', { form: form({ client_secret: 'x' }) }, 401, 'invalid_client'],
    ['empty secret', { form: form({ client_secret: '' }) }, 401, 'invalid_client'],
    ['unknown client', { form: form({ client_id: 'nobody' }) }, 401, 'invalid_client'],
    ['no secret', { form: { grant_type: 'client_credentials', client_id } }, 401, 'invalid_client'],
    ['no client', { form: { grant_type: 'client_credentials' } }, 401, 'invalid_client'],
    [
      'broken Basic',
      { form: { grant_type: 'client_credentials' }, headers: { authorization: 'Basic !' } },
      401,
      'invalid_client',
    ],
    [
      'twice the same',
      {
        raw: `${new URLSearchParams(form())}&grant_type=x`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      400,
      'invalid_request',
    ],
    [
      'not JSON',
      { raw: '{', headers: { 'content-type': 'application/json' } },
      400,
      'invalid_request',
    ],
    ['a number as grant', { body: { ...form(), grant_type: 5 } }, 400, 'invalid_request'],
    [
      'text/plain',
      { raw: 'x=y', headers: { 'content-type': 'text/plain' } },
      415,
      'invalid_request',
    ],
    [
      'a client as JSON list',
      { body: { ...form(), client_id: [client_id] } },
      400,
      'invalid_request',
    ],
    ['no body at all', {}, 400, 'invalid_request'],
  ];
  for (const [what, call, status, error] of wrong) {
    const reply = await ask(call);
    assert.equal(reply.status, status, `${what}: ${reply.text}`);
    assert.equal(reply.token.error, error, `${what}: ${reply.text}`);
    assert.equal(typeof reply.token.error_description, 'string');
    if (status === 401) assert.ok(reply.headers.get('www-authenticate'), what);
  }
});

test('tokens are described by introspection and ended by revocation', async () => {
  const { api, ready } = platform;
  const { token } = await ask({ form: form({ scope: 'read_invoices' }) });
  const question = (path: string): Promise<Reply> =>
    api.send('auth', 'POST', path, {
      form: { token: token.access_token, ...ready.client },
      token: null,
    });
  const alive = (await question('/introspect')).body as unknown as Record<string, unknown>;
  assert.equal(alive['active'], true);
  assert.equal(alive['scope'], 'read_invoices');
  assert.equal((await question('/revoke')).status, 200);
  const dead = (await question('/introspect')).body as unknown as Record<string, unknown>;
  assert.deepEqual(dead, { active: false });
  const call = { token: token.access_token };
  const refused = await api.send('invoicing', 'GET', '/v2/invoice/x', call);
  assert.deepEqual([refused.status, refused.code], [401, 'TOKEN_INVALID']);
});

test('a refresh token works once; using it twice ends the family', async () => {
  const { api, ready } = platform;
  interface Pair {
    readonly token: {
      access_token: string;
      refresh_token: string;
      token_type: string;
      expiry: string;
    };
  }
  const { token } = await api.must<Pair>(200, 'auth', 'POST', '/authorize/user', {
    body: { account_id: ready.accounts.buyer.account_id, return_token: true },
  });
  assert.equal(token.token_type, 'Bearer');
  assert.match(token.expiry, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const renew = (refresh_token: string): Promise<Reply & { token: TokenAnswer }> =>
    ask({ form: { grant_type: 'refresh_token', refresh_token, ...ready.client } });
  const renewed = await renew(token.refresh_token);
  assert.equal(renewed.status, 200, renewed.text);
  const next = renewed.token as TokenAnswer & { refresh_token: string };
  const path = `/v1/kyc/${ready.accounts.buyer.account_id}`;
  assert.equal((await api.send('pii', 'GET', path, { token: next.access_token })).status, 200);
  const again = await renew(token.refresh_token);
  assert.deepEqual([again.status, again.token.error], [400, 'invalid_grant']);
  const after = await api.send('pii', 'GET', path, { token: next.access_token });
  assert.equal(after.status, 401, 'the family is revoked');
  assert.equal((await renew(next.refresh_token)).status, 400);
});

test('a link to a web flow carries a nonce that is not its id', async () => {
  const { api, ready } = platform;
  const body = { account_id: ready.accounts.buyer.account_id };
  interface Link {
    readonly redirect: string;
    readonly nonce_auth_id: string;
  }
  const link = await api.must<Link>(200, 'auth', 'POST', '/authorize/user', { body });
  assert.deepEqual(Object.keys(link).toSorted(), ['nonce_auth_id', 'redirect']);
  assert.ok(URL.canParse(link.redirect) && !link.redirect.includes(link.nonce_auth_id));
  const status = await api.must(200, 'auth', 'GET', `/authorize/user/${link.nonce_auth_id}`);
  assert.deepEqual(status, { nonce_auth_id: link.nonce_auth_id, status: 'unused' });
  const other = await api.must<Link>(200, 'auth', 'POST', '/authorize/user', { body });
  assert.notEqual(other.redirect, link.redirect);
  const unknown = await api.send('auth', 'POST', '/authorize/user', {
    body: { account_id: 'acct_00000000000000000000000000' },
  });
  assert.deepEqual([unknown.status, unknown.code], [400, 'ACCOUNT_NOT_FOUND']);
});

test('keys and metadata are published for verification', async () => {
  const { urls } = platform.ready;
  const keys = (await (await fetch(`${urls.auth}/.well-known/jwks.json`)).json()) as {
    keys: Record<string, string>[];
  };
  assert.ok(keys.keys.length >= 1);
  for (const key of keys.keys) assert.equal(key['d'], undefined, 'no private half');
  const metadata = (await (
    await fetch(`${urls.auth}/.well-known/oauth-authorization-server`)
  ).json()) as Record<string, unknown>;
  assert.equal(metadata['token_endpoint'], `${urls.auth}/token`);
  assert.equal(metadata['jwks_uri'], `${urls.auth}/.well-known/jwks.json`);
});

test('health is told without a token', async () => {
  const answer = await fetch(`${platform.ready.urls.internal}/readyz`);
  assert.equal(answer.status, 200);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
  assert.ok(platform.api.seen.size > 10);
});

/** Hosts as the type names them, so that one that is added is looked at here. */
const ALL: readonly HostName[] = HOSTS;
assert.equal(ALL.length, 12);
