// A production process with a provider that only this test registers: two tenants, one connection,
// set and removed while it runs. [G-90]
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemRandom as random } from '../../src/core/random.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { createClient, SCOPE_NAMES, tokensOf } from '../../src/product/access/oauth/index.ts';
import { connectProvider, disconnectProvider } from '../../src/product/tenant/provider/index.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import type { ProviderRow } from '../../src/providers/port.ts';
import { startSystem } from '../../src/system.ts';
import { Api, type Ready, type Reply } from '../kit/api.ts';
import { productionDatabase, type TestDatabase } from '../kit/database.ts';
import { signatureOf } from '../kit/fake-provider/index.ts';
import { personToken } from '../kit/person-token.ts';
import { dataFolder } from '../kit/platform.ts';

const SECRET = 'sk_live_neverseen';
/** A little longer than connections are cached. */
const FOLLOWED_MS = 5_000;

let loads = 0;
const FAKE: ProviderRow = {
  kind: 'processor',
  name: 'fake',
  holdDays: 30,
  async load() {
    loads += 1;
    return import('../kit/fake-provider/index.ts');
  },
};

const folder = dataFolder();
const settings = {
  HOLDFAST_KEY_FILE: join(folder, 'keys.json'),
  HOLDFAST_ACCESS_LOG: '1',
  HOLDFAST_CHECK_ANSWERS: '1',
  HOLDFAST_ADDRESS_CALLS: '0',
};
const said: string[] = [];
let logged = '';
let base: TestDatabase;
let system: Awaited<ReturnType<typeof startSystem>>;
let api: Api;
const write = process.stderr.write.bind(process.stderr);

before(async () => {
  base = await productionDatabase();
  process.stderr.write = (text: string | Uint8Array) => Boolean((logged += String(text)));
  const before = { ...process.env };
  Object.assign(process.env, settings, { DATABASE_URL: base.served });
  const starting = startSystem({
    ...{ env: 'production', databaseUrl: base.served, portBase: 0, forwardTo: null },
    ...{ dataDir: folder, ephemeral: false, log: (line) => said.push(line), providers: [FAKE] },
  });
  for (const name of Object.keys(settings)) delete process.env[name];
  Object.assign(process.env, before);
  if (before['DATABASE_URL'] === undefined) delete process.env['DATABASE_URL'];
  system = await starting;
  api = new Api(system.ready as unknown as Ready, 'none');
});
after(async () => {
  await system?.stop();
  process.stderr.write = write;
  await base.drop();
  rmSync(folder, { recursive: true });
});

const keysOf = () => fileKeys(settings.HOLDFAST_KEY_FILE);

/** A tenant with a buyer, who has a card from earlier, and its tokens. */
async function tenant() {
  const urls = api.ready.urls;
  const services = { env: 'production', db: base.db, keys: await keysOf(), random, urls } as const;
  const tokens = await tokensOf(services);
  const made = await createWorkspace(base.db, { name: 'Shop', currencies: ['USD'] });
  const { workspace, integrator } = made;
  const client = await createClient(services, { workspace, name: 'x', scopes: SCOPE_NAMES });
  const named = { clientId: client.client_id, integrator };
  const grant = { client: named, seconds: 600 } as const;
  const all = { ...grant, kind: 'client', accountId: null, scopes: SCOPE_NAMES } as const;
  const { token } = await tokens.issue(all);
  const call = { body: { username: 'buyer' }, token };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', call);
  const card = random.uuid();
  await base.db.execute({
    text: `insert into payment_method (workspace, id, account_id, provider, method_class,
        display_string, currency, pm_state, processor_token, created, updated)
      values ($1, $2, $3, 'card', 'credit_card', 'Visa', 'USD', 'ACTIVE', 't', now(), now())`,
    values: [workspace, card, uuidOfWireId('acct', account_id)],
  });
  const scopes = ['write_payment_method'];
  const own = { ...grant, kind: 'session', accountId: account_id, scopes } as const;
  const session = await personToken({ db: base.db, tokens }, own);
  return { workspace, token, account_id, card, session };
}
type Tenant = Awaited<ReturnType<typeof tenant>>;

const enter = ({ session: token }: Tenant) =>
  api.send('payments', 'POST', '/v1/payment_method/entry', { body: { kind: 'card' }, token });

/** Enters cards until one is answered so: a change is followed while the process runs. */
async function entered(of: Tenant, code: string): Promise<Reply> {
  for (const until = Date.now() + FOLLOWED_MS; ; await sleep(100)) {
    const reply = await enter(of);
    if (reply.code === code) return reply;
    assert.ok(Date.now() < until, reply.text);
  }
}

const deposit = ({ account_id, card: payment_method_id, token }: Tenant) => {
  const body = { account_id, payment_method_id, currency: 'USD', amount: 700 };
  return api.send('invoicing', 'POST', '/v1/deposits', { body, token });
};

async function connect({ workspace }: Tenant): Promise<string> {
  const credentials = { account: 'acme', secret_key: SECRET };
  const named = { workspace, kind: 'processor', provider: 'fake', base_url: null } as const;
  const parts = { db: base.db, keys: await keysOf(), random };
  return connectProvider(parts, { ...named, mode: 'live', credentials }, 'operator');
}

test('the start says what is configured and what is not', () => {
  assert.match(said.join('\n'), /^processor +none +without one cards are not entered, and/m);
  assert.match(said.join('\n'), /^identity +none +without one operators review every/m);
  assert.match(said.join('\n'), /^keys +file/m);
});

/** Creates a sale that the card pays, and tries to pay it. */
async function sell(of: Tenant, kind: 'invoice' | 'escrow') {
  const { token, account_id, card: payment_method_id } = of;
  const call = { body: { username: `seller ${random.uuid()}` }, token };
  const seller = await api.must<{ account_id: string }>(200, 'accounts', 'POST', '/register', call);
  const line = { transaction_type: 'user_to_user', product_sku: 'sku', currency: 'USD' };
  const recipient = { amount: 5, currency: 'USD', destination_account_id: seller.account_id };
  const sale = {
    ...{ account_id, reference_type: 'test', reference_id: '1' },
    payment_methods: [{ payment_method_id }],
    line_items: [{ ...line, amount: 5, recipients: [recipient] }],
  };
  const created = `/v2/${kind}`;
  type Created = Record<string, string>;
  const made = await api.must<Created>(201, 'invoicing', 'POST', created, { body: sale, token });
  const id = made['invoice_id'] ?? made['id'] ?? '';
  const paid = await api.send('invoicing', 'POST', `${created}/${id}/pay`, { token });
  const now = await api.must<Created>(200, 'invoicing', 'GET', `${created}/${id}`, { token });
  return [paid.status, paid.code, now['state'] ?? now['status']];
}

let one: Tenant;
let two: Tenant;
let connection = '';

test('a tenant without a provider is refused at once, and nothing is loaded', async () => {
  [one, two] = [await tenant(), await tenant()];
  for (const reply of [await enter(one), await deposit(one)]) {
    assert.deepEqual([reply.status, reply.code], [400, 'PROVIDER_NOT_CONFIGURED']);
  }
  assert.deepEqual(await sell(one, 'invoice'), [400, 'PROVIDER_NOT_CONFIGURED', 'open']);
  assert.deepEqual(await sell(one, 'escrow'), [400, 'PROVIDER_NOT_CONFIGURED', 'OPEN']);
  assert.equal(loads, 0);
  assert.equal((await base.db.query('select from attempt')).length, 0);
});

test('a connection that another process makes works within seconds, for its tenant', async () => {
  connection = await connect(one);
  const { payload } = await entered(one, '');
  assert.equal((payload as { origin: string }).origin, api.ready.urls.payments);
  assert.equal((await enter(two)).code, 'PROVIDER_NOT_CONFIGURED');
  const asked = await deposit(one);
  assert.equal(asked.status, 201, asked.text);
  const { deposit_id } = asked.payload as { deposit_id: string };
  const path = `/v1/deposits/${deposit_id}`;
  const { token } = one;
  let state = 'requested';
  for (const until = Date.now() + 20_000; state === 'requested'; await sleep(20)) {
    ({ state } = await api.must<{ state: string }>(200, 'invoicing', 'GET', path, { token }));
    assert.ok(Date.now() < until, 'the provider is not asked');
  }
  assert.equal(state, 'success');
  const [attempt] = await base.db.query<{ processor_reference: string }>(
    'select processor_reference from attempt',
  );
  assert.match(attempt?.processor_reference ?? '', /^acme /);
  assert.equal(loads, 1);
});

test('no escrow is held longer than the provider lets money wait', async () => {
  const created = await sell(one, 'escrow');
  assert.equal(created[0], 200);
  const held = await base.db.query({
    text: `select hold_seconds / 86400 as days from escrow where workspace = $1 order by created`,
    values: [one.workspace],
  });
  assert.deepEqual(held, [{ days: 90 }, { days: 30 }]);
});

test('its webhooks are read as the bytes that were sent, by the key of that tenant', async () => {
  const bytes = Buffer.from('{"id":"n1",  "key":"k","about":"charge", "id":"n2"}');
  const headers = { 'fake-signature': signatureOf(SECRET, bytes), 'content-type': 'text/weird' };
  const path = `/v1/processor_notices/${connection}`;
  const call = { raw: new Uint8Array(bytes), headers, token: null };
  const good = await api.send('payments', 'POST', path, call);
  assert.equal(good.status, 200, good.text);
  const seen = await base.db.query('select workspace, notice_id from processor_notice_seen');
  assert.deepEqual(seen, [{ workspace: one.workspace, notice_id: 'n2' }]);
  const wrong: [string, object, number][] = [
    [path, { raw: new Uint8Array(Buffer.from(`${bytes.toString()} `)), headers }, 401],
    [path, { raw: new Uint8Array(bytes), headers: {} }, 401],
    [path, {}, 401],
    [path, { raw: new Uint8Array(70_000), headers }, 413],
    [path, { raw: new Uint8Array(bytes), headers: { 'content-encoding': 'gzip' } }, 415],
    [`/v1/processor_notices/${random.uuid()}`, call, 401],
    ['/v1/processor_notices/x', call, 401],
  ];
  for (const [to, what, status] of wrong) {
    const reply = await api.send('payments', 'POST', to, { ...what, token: null });
    assert.equal(reply.status, status, reply.text);
  }
  const other = await api.send('pii', 'POST', `/v1/identity_notices/${connection}`, call);
  assert.equal(other.code, 'IDENTITY_NOTICE_NOT_PROVEN');
});

test('after a removal the tenant is refused again', async () => {
  await disconnectProvider(base.db, { workspace: one.workspace, kind: 'processor' }, 'operator');
  await entered(one, 'PROVIDER_NOT_CONFIGURED');
  assert.equal((await deposit(one)).code, 'PROVIDER_NOT_CONFIGURED');
});

test('credentials that cannot be opened are a fault that quotes none of them', async () => {
  await connect(one);
  await base.db.execute(`update provider_connection set base_url = 'https://elsewhere.example'`);
  await entered(one, 'METHOD_ENTRY_UNAVAILABLE');
  assert.match(logged, /"event":"fault".*"operation":"providers"/);
  assert.match(logged, /"event":"request"/);
  assert.doesNotMatch(logged + said.join('\n'), /neverseen/);
});
