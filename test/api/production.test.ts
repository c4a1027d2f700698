// Production: what staging offers for tests does not exist, and tokens of one environment are
// invalid in the other. [G-04, G-12; ID6]
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SCOPE_NAMES } from '../../src/product/access/oauth/index.ts';
import { HOST_NAMES } from '../../src/core/operation.ts';
import { PROVIDERS } from '../../src/providers/registry.ts';
import { run } from '../cli/terminal.ts';
import { submission } from '../kit/identity.ts';
import { personToken } from '../kit/person-token.ts';
import { CHECKOUT } from '../start/launch.ts';
import { startPlatform, type Platform, type Tenant } from './kit.ts';
import type { HostName } from '../../src/core/operation.ts';

const STAGING_ONLY: readonly (readonly [HostName, string, string])[] = [
  ['pii', 'PUT', '/v2/kyc/account/acct_00000000000000000000000000/state'],
  ['invoicing', 'POST', '/sandbox/deposits'],
  ['invoicing', 'POST', '/sandbox/payment_methods'],
  ['invoicing', 'GET', '/sandbox/test_cards'],
  ['invoicing', 'GET', '/sandbox/scenarios'],
  ['invoicing', 'POST', '/sandbox/scenarios'],
  ['invoicing', 'POST', '/sandbox/outside_events'],
  ['invoicing', 'GET', '/sandbox/explain/x'],
  ['invoicing', 'GET', '/sandbox/counterparties'],
  ['invoicing', 'GET', '/sandbox/scripts'],
  ['invoicing', 'POST', '/sandbox/scripts'],
  ['invoicing', 'DELETE', '/sandbox/scripts'],
  ['invoicing', 'GET', '/sandbox/books/processor'],
  ['invoicing', 'POST', '/sandbox/receivers'],
  ['invoicing', 'GET', '/sandbox/clock'],
  ['invoicing', 'POST', '/sandbox/snapshots'],
  ['invoicing', 'GET', '/sandbox/worlds'],
  ['invoicing', 'POST', '/sandbox/worlds'],
  ['invoicing', 'POST', '/sandbox/rollback'],
  ['invoicing', 'POST', '/sandbox/reset'],
  ['invoicing', 'POST', '/sandbox/clock'],
  ['invoicing', 'GET', '/sandbox/test_persons'],
  ['invoicing', 'POST', '/sandbox/identity_events'],
  ['invoicing', 'PUT', '/sandbox/entities/ent_00000000000000000000000000/state'],
  ['invoicing', 'GET', '/sandbox/receivers'],
  ['invoicing', 'GET', '/sandbox/receivers/01a1fa75-0000-7000-8000-00000000000a/requests'],
  ['invoicing', 'DELETE', '/sandbox/receivers/01a1fa75-0000-7000-8000-00000000000a'],
  ['invoicing', 'DELETE', '/sandbox/snapshots/01a1fa75-0000-7000-8000-00000000000a'],
  ['invoicing', 'DELETE', '/sandbox/worlds/01a1fa75-0000-7000-8000-00000000000a'],
];

/** Where the processes of this file write which modules they load. */
const folder = mkdtempSync(join(tmpdir(), 'holdfast-loaded-'));
const watched = {
  NODE_OPTIONS: `--import ${new URL('../kit/loaded.ts', import.meta.url).href}`,
  LOADED_FILES: join(folder, 'loaded'),
};

let platform: Platform;
let tenant: Tenant;
before(async () => {
  platform = await startPlatform({ env: 'production', settings: watched });
  tenant = await platform.tenant();
});
after(() => platform?.stop().finally(() => rmSync(folder, { recursive: true })));

test('the ready line shows no sandbox', () => {
  assert.equal(platform.ready.env, 'production');
  const shown = Object.keys(platform.ready);
  for (const secret of ['client', 'accounts', 'webhook']) assert.ok(!shown.includes(secret));
});

test('hosts that only a sandbox has are not listed and do not listen', async () => {
  const listed = Object.keys(platform.ready.urls);
  const there = HOST_NAMES.filter((name) => name !== 'shop' && name !== 'processor');
  assert.deepEqual(listed, there);
  const first = Number(new URL(platform.ready.urls.pii).port);
  const answered = await Promise.all(
    HOST_NAMES.map((_, at) =>
      fetch(`http://127.0.0.1:${first + at}/openapi.json`).then(({ ok }) => ok, () => false),
    ),
  );
  assert.deepEqual(HOST_NAMES.filter((_, at) => answered[at]), there);
});

test('no sandbox scope is granted, not even to a client that has it', async () => {
  const { url: DATABASE_URL, keyFile: HOLDFAST_KEY_FILE } = platform;
  const settings = { ...watched, DATABASE_URL, HOLDFAST_KEY_FILE };
  const wish = ['--integrator', tenant.integrator, '--name', 'x', '--scopes', 'all', '--json'];
  const made = await run(settings, 'client', 'create', '--env', 'production', ...wish);
  const { scopes } = JSON.parse(made.out) as { scopes: string[] };
  const all = SCOPE_NAMES.filter((name) => name !== 'write_sandbox');
  assert.deepEqual(scopes, all);
  const { auth } = platform.ready.urls;
  const metadata = await fetch(`${auth}/.well-known/oauth-authorization-server`);
  const { scopes_supported } = (await metadata.json()) as { scopes_supported: string[] };
  assert.deepEqual(scopes_supported, all);
  // Its client was made with every scope.
  const form = { grant_type: 'client_credentials', ...tenant.client };
  const { body } = await platform.api.send('auth', 'POST', '/token', { form, token: null });
  assert.equal((body as unknown as { scope: string }).scope, all.join(' '));
  const wanted = { ...form, scope: 'write_sandbox' };
  const refused = await platform.api.send('auth', 'POST', '/token', { form: wanted, token: null });
  assert.deepEqual([refused.status, refused.code], [400, 'INVALID_SCOPE']);
});

test('the staging-only routes are not there, whatever the token', async () => {
  const unknown = await platform.api.send('pii', 'GET', '/there/is/nothing', { token: null });
  for (const [host, method, path] of STAGING_ONLY) {
    for (const token of [null, tenant.token]) {
      const body = method === 'GET' ? {} : { body: { state: 'ACCEPT' } };
      const reply = await platform.api.send(host, method, path, { token, ...body });
      assert.deepEqual([reply.status, reply.text], [404, unknown.text], `${method} ${path}`);
    }
  }
  const paths = platform.api.places.map(({ host, path }) => `${host} ${path}`);
  assert.ok(!paths.some((path) => /sandbox|\/state$|^processor/.test(path)));
});

test('everything else exists and opens with a production token', async () => {
  const { api } = platform;
  const { account_id } = await api.must<{ account_id: string }>(
    200,
    'accounts',
    'POST',
    '/register',
    {
      body: { username: 'first' },
      token: tenant.token,
    },
  );
  const path = `/v1/kyc/${account_id}`;
  assert.equal((await api.send('pii', 'GET', path, { token: tenant.token })).status, 200);
  const form = { grant_type: 'client_credentials', ...tenant.client };
  const given = await api.send('auth', 'POST', '/token', { form, token: null });
  assert.equal(given.status, 200, given.text);
  const { access_token: token } = given.body as unknown as { access_token: string };
  assert.equal((await api.send('pii', 'GET', path, { token })).status, 200);
});

test('no card is entered and no vendor accepts anybody: the tenant has no provider', async () => {
  const { api } = platform;
  const call = { body: { username: 'payer' }, token: tenant.token };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', call);
  const token = await personToken(platform, {
    client: { clientId: tenant.client.client_id, integrator: tenant.integrator },
    kind: 'session',
    accountId: account_id,
    scopes: ['write_payment_method', 'verify_kyc'],
    seconds: 60,
  });
  const asked = { body: { kind: 'card' }, token };
  const reply = await api.send('payments', 'POST', '/v1/payment_method/entry', asked);
  assert.deepEqual([reply.status, reply.code], [400, 'PROVIDER_NOT_CONFIGURED']);
  const form = { body: submission(), token };
  const sent = await api.must<{ state: string }>(200, 'pii', 'POST', '/v2/kyc', form);
  assert.equal(sent.state, 'PROCESSING');
});

test('a receiver of events must be public and speak https', async () => {
  for (const url of [
    ...['http://127.0.0.1:9/', 'https://127.0.0.1/', 'https://localhost/', 'http://example.test/'],
    ...['https://[::1]/', 'https://10.1.2.3/', 'https://example.test:8080/', 'https://0/'],
    ...['https://hooks/', 'https://hooks.local/', 'https://a..b/'],
  ]) {
    const reply = await platform.api.send('invoicing', 'POST', '/v1/webhook_endpoints', {
      body: { url },
      token: tenant.token,
    });
    assert.equal(reply.status, 400, `${url}: ${reply.text}`);
  }
});

test('nobody can agree before there are terms, and no page is on a loopback address', async () => {
  const { api } = platform;
  const none = await api.send('accounts', 'GET', '/v1/tos', { token: null });
  assert.deepEqual([none.status, none.code], [404, 'TERMS_NOT_FOUND']);
  const { token } = tenant;
  for (const [field, entry] of [
    ['registered_origins', 'http://localhost:3000'],
    ['return_addresses', 'http://127.0.0.1/return'],
    ['oauth_return_addresses', 'http://localhost/'],
  ] as const) {
    const call = { body: { [field]: [entry] }, token };
    const reply = await api.send('invoicing', 'PATCH', '/v1/settings', call);
    assert.deepEqual([reply.status, Object.keys(reply.errors)], [400, [`${field}[0]`]]);
  }
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});

/** The packages that only files of one provider's folder import. */
function packagesOf(provider: string): string[] {
  const of = (folder: string): Set<string> => {
    const files = globSync('**/*.ts', { cwd: folder }).filter((path) => !path.includes('.test.'));
    const texts = files.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
    const own = texts.filter(({ path }) => !path.includes(`providers/${provider}/`));
    const imports = own.flatMap(({ text }) => [...text.matchAll(/ from '([^.'][^']*)'/g)]);
    const names = imports.map(([, name = '']) => name);
    return new Set(names.filter((name) => !name.startsWith('node:')));
  };
  const elsewhere = of(join(CHECKOUT, 'src'));
  const here = of(join(CHECKOUT, 'src/providers', provider));
  return [...here].filter((name) => !elsewhere.has(name));
}

/** What was loaded of the providers: their folders, and packages that they alone use. */
function loadedOfProviders(file: string): string[] {
  const loaded = readFileSync(file, 'utf8').split('\n');
  const names = [...new Set(PROVIDERS.map(({ name }) => name))];
  const places = names.flatMap((name) => [
    `/src/providers/${name}/`,
    ...packagesOf(name).map((one) => `/node_modules/${one}/`),
  ]);
  return places.filter((place) => loaded.some((url) => url.includes(place)));
}

test('nothing above has loaded a file of the sandbox, of the demo shop or of a provider', () => {
  const loaded = readFileSync(watched.LOADED_FILES, 'utf8').split('\n');
  const ours = (start: string): string[] => loaded.filter((url) => url.includes(start));
  // The server, and the command that made a client.
  assert.equal(ours('/src/system.ts').length, 2);
  assert.ok(ours('/src/product/').length > 300, String(loaded.length));
  assert.deepEqual([...ours('/src/sandbox/'), ...ours('/shop/')], []);
  assert.deepEqual(ours('/node_modules/@aws-sdk/'), [], 'no key file names a key service');
  assert.deepEqual(loadedOfProviders(watched.LOADED_FILES), []);
});

test("a provider's folder and package are loaded where a tenant is connected to it", async () => {
  const credentials = join(folder, 'stripe.json');
  writeFileSync(credentials, '{"secret_key": "sk_live_loadedonce", "webhook_secrets": []}');
  const { url: DATABASE_URL, keyFile: HOLDFAST_KEY_FILE } = platform;
  const LOADED_FILES = join(folder, 'connected');
  const settings = { ...watched, LOADED_FILES, DATABASE_URL, HOLDFAST_KEY_FILE };
  const place = ['--integrator', tenant.integrator, '--kind', 'processor', '--provider', 'stripe'];
  const wish = [...place, '--credentials', credentials, '--base-url', 'http://127.0.0.1:9'];
  const made = await run(settings, 'provider', 'set', '--env', 'production', ...wish);
  assert.equal(made.code, 0, made.err);
  const expected = ['/src/providers/stripe/', '/node_modules/stripe/'];
  assert.deepEqual(loadedOfProviders(LOADED_FILES), expected);
  const gone = ['--integrator', tenant.integrator, '--kind', 'processor', '--env', 'production'];
  assert.equal((await run(settings, 'provider', 'remove', ...gone)).code, 0);
});
