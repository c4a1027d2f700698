// Who may call what: every operation against every kind of bad or insufficient token, by the access
// that the documents declare. [G-11, G-12; ID2, ID4]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { UnsecuredJWT } from 'jose';
import { personToken } from '../kit/person-token.ts';
import type { Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from './kit.ts';
import { Market } from './market.ts';
import type { Place } from './answers.ts';

/** The identity operations whose statuses the interface lists: a missing scope is 401 there. */
const IDENTITY: ReadonlySet<string> = new Set([
  'getKYCStatus',
  'setAccountKYCState',
  'onboardEntity',
  'KYBEntityOnboard',
]);
/** True: each operation gets every wrong token; else each a third of them, in turns. */
const EVERY_TOKEN = process.env['HOLDFAST_EVERY_TOKEN'] === '1';
const SHARE = 3;
const SCOPES: Readonly<Record<string, string>> = {
  getKYCStatus: 'read_kycs',
  setAccountKYCState: 'write_kycs',
  listPaymentMethods: 'read_payment_methods',
  listPaymentMethodsUnversioned: 'read_payment_methods',
  renamePaymentMethod: 'write_payment_method',
  removePaymentMethod: 'write_payment_method',
  createBankAccount: 'write_payment_method',
  createOneTimePaymentMethod: 'write_payment_method',
  createPayeeLink: 'write_payment_method',
  getPayee: 'read_payment_methods',
  authorizeUser: 'write_user_tokens',
  getLinkStatus: 'write_user_tokens',
  createInvoice: 'write_invoices',
  payInvoice: 'write_invoices',
  giveUpInvoicePayment: 'write_invoices',
  authorizeInvoice: 'write_invoices',
  getAuthorizedInvoice: 'read_invoices',
  getInvoice: 'read_invoices',
  refundInvoice: 'write_invoices',
  refundLineItem: 'write_invoices',
  withdrawRefund: 'write_invoices',
  getRefund: 'read_invoices',
  listInvoiceRefunds: 'read_invoices',
  createPayout: 'write_process_credits',
  cancelPayout: 'write_process_credits',
  executePayout: 'write_process_credits',
  listPayouts: 'read_process_credits',
  getPayout: 'read_process_credits',
  quotePayout: 'read_process_credits',
  listPayoutWays: 'read_process_credits',
  getPayoutStatement: 'read_process_credits',
  listPayoutScheduleDefaults: 'read_process_credits',
  setPayoutScheduleDefault: 'write_process_credits',
  listPayoutSchedules: 'read_process_credits',
  setPayoutSchedule: 'write_process_credits',
  listTransactions: 'read_invoices',
  getTransaction: 'read_invoices',
  getReceipt: 'read_invoices',
  sendReceipt: 'write_invoices',
  listAccountInvoices: 'read_invoices',
  registerAccount: 'write_registrations',
  searchUserInfo: 'search_accounts',
  getUserInfo: 'search_accounts',
  getAccountBlocks: 'read_accounts',
  getBalances: 'read_wallets',
  getWallet: 'read_wallets',
  listEvents: 'read_events',
  getEvent: 'read_events',
  createWebhookEndpoint: 'write_webhooks',
  recheckKYC: 'write_kycs',
  onboardEntity: 'write_entities',
  getEntity: 'read_entities',
  linkEntityAgent: 'write_entities',
  sandboxSetEntity: 'write_sandbox',
  getTermsSignature: 'read_accounts',
  listConsents: 'read_accounts',
  getSettings: 'write_settings',
  changeSettings: 'write_settings',
  sandboxDeposit: 'write_sandbox',
  sandboxBankTransfer: 'write_sandbox',
  getDepositInstructions: 'read_wallets',
  listBankTransfers: 'read_wallets',
  sandboxAttachCard: 'write_sandbox',
  sandboxTestCards: 'write_sandbox',
  getReconciliation: 'read_process_credits',
  resolveReconciliation: 'write_process_credits',
  sandboxScenarios: 'write_sandbox',
  sandboxPlayScenario: 'write_sandbox',
  sandboxOutsideEvent: 'write_sandbox',
  sandboxSettlementTerms: 'write_sandbox',
  sandboxTestPersons: 'write_sandbox',
  sandboxIdentityEvent: 'write_sandbox',
  sandboxTakeSnapshot: 'write_sandbox',
  sandboxForkWorld: 'write_sandbox',
  sandboxRollBack: 'write_sandbox',
  sandboxReset: 'write_sandbox',
  sandboxCounterparties: 'write_sandbox',
  sandboxScript: 'write_sandbox',
  sandboxScripts: 'write_sandbox',
  sandboxClearScripts: 'write_sandbox',
  sandboxBook: 'write_sandbox',
  sandboxCreateReceiver: 'write_sandbox',
  sandboxReceivers: 'write_sandbox',
  sandboxMail: 'write_sandbox',
  sandboxReceiverRequests: 'write_sandbox',
  sandboxEndReceiver: 'write_sandbox',
};

let platform: Platform;
let market: Market;
let guarded: Place[] = [];
let all: readonly string[] = [];
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
  guarded = platform.api.places.filter((place) => place.operation['x-access'] !== undefined);
  const { client_id } = platform.ready.client;
  const rows = await platform.db.query<{ scopes: string[] }>({
    text: 'select scopes from client where client_id = $1',
    values: [client_id],
  });
  all = rows[0]?.scopes ?? [];
  await signTermsForAll();
  // Every operation is really called here: a workspace without a first snapshot refuses a reset.
  await platform.db.execute('update workspace set snapshot_id = null');
});
after(() => platform?.stop());

/** What a session may not do before the person agreed to the terms is tested with the terms. */
async function signTermsForAll(): Promise<void> {
  await platform.db.execute(
    `insert into terms_signature (workspace, account_id, version, signed)
      select a.workspace, a.id, v.version, clock_timestamp() from account a, terms_version v`,
  );
}

/** The real path of an operation, about the buyer's own resources. */
function addressOf(place: Place): string {
  const { buyer } = platform.ready.accounts;
  return place.path
    .replace('{account_id}', buyer.account_id)
    .replace('{wallet_id}', buyer.wallet_id)
    .replace(/\{[a-z_]+\}/g, '01890000-0000-7000-8000-000000000000');
}

function call(place: Place, token: string | null, headers = {}): Promise<Reply> {
  const body = place.operation.requestBody === undefined ? {} : { body: {} };
  return platform.api.send(place.host, place.method, addressOf(place), { token, headers, ...body });
}

interface Grant {
  readonly kind?: 'client' | 'user' | 'session';
  readonly scopes?: readonly string[];
  readonly seconds?: number;
  readonly account?: string;
  readonly production?: boolean;
}

/** Signs a token with the installation's own key, as its token endpoint would. */
async function signed(grant: Grant): Promise<string> {
  const { ready, tokens, productionTokens } = platform;
  const signer = grant.production === true ? productionTokens : tokens;
  const kind = grant.kind ?? 'client';
  const { scopes = all, seconds = 600, account = ready.accounts.buyer.account_id } = grant;
  const client = { clientId: ready.client.client_id, integrator: ready.integrator };
  const given = { client, scopes, seconds };
  if (kind !== 'client') return personToken(platform, { ...given, kind, accountId: account });
  return (await signer.issue({ ...given, kind, accountId: null })).token;
}

test('the documents state the scope that the interface gives', () => {
  assert.ok(guarded.length > 25);
  for (const [id, scope] of Object.entries(SCOPES)) {
    const place = platform.api.places.find((one) => one.operation.operationId === id);
    assert.equal(place?.operation['x-access']?.['client'], scope, id);
  }
  for (const { operation } of guarded) {
    const scope = operation['x-access']?.['client'];
    assert.ok(scope === undefined || all.includes(String(scope)), operation.operationId);
  }
});

test('without a token, or with invalid ones: 401 at every operation', async () => {
  const good = await signed({});
  const [head, body, sign] = good.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const flipped = (sign[0] === 'A' ? 'B' : 'A') + sign.slice(1);
  const wider = Buffer.from(JSON.stringify({ ...claims, jti: 'x' })).toString('base64url');
  const plain = new UnsecuredJWT(claims).encode();
  const webhook = (await platform.tokens.signWebhookToken(platform.ready.integrator)).token;
  const tokens: Record<string, string> = {
    expired: await signed({ seconds: -5 }),
    production: await signed({ production: true }),
    'of a webhook': webhook,
    'alg none': plain,
    'signature changed': `${head}.${body}.${flipped}`,
    'claims changed': `${head}.${wider}.${sign}`,
    'signature cut': `${head}.${body}.`,
    'two parts': `${head}.${body}`,
    'four parts': `${good}.x`,
    garbage: 'garbage',
    'client secret': platform.ready.client.client_secret,
    'client id': platform.ready.client.client_id,
  };
  const kinds = Object.entries(tokens);
  for (const [at, place] of guarded.entries()) {
    const none = await call(place, null);
    const { operationId } = place.operation;
    assert.deepEqual([none.status, none.code], [401, 'TOKEN_MISSING'], operationId);
    assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer /);
    const some = kinds.filter((_, n) => EVERY_TOKEN || (n + at) % SHARE === 0);
    for (const [what, token] of some) {
      const reply = await call(place, token);
      const said = [reply.status, reply.code];
      assert.deepEqual(said, [401, 'TOKEN_INVALID'], `${operationId} ${what}: ${reply.text}`);
    }
  }
});

test('a valid token in the wrong place is not accepted', async () => {
  const good = await signed({});
  const place = guarded.find((one) => one.operation.operationId === 'getBalances') as Place;
  assert.equal((await call(place, good)).status, 200);
  for (const authorization of [
    ...[good, `Basic ${good}`, `Bearer  ${good}`, `Bearer ${good} x`, `Bearer ${good},${good}`],
    ...[`Token ${good}`, 'Bearer', `Bearer "${good}"`, `Bearer:${good}`, `JWT ${good}`],
  ]) {
    const reply = await call(place, null, { authorization });
    assert.equal(reply.status, 401, authorization.slice(0, 12));
  }
  assert.equal((await call(place, null, { authorization: `bearer ${good}` })).status, 200);
  for (const headers of [{ cookie: `access_token=${good}` }, { 'x-access-token': good }]) {
    assert.equal((await call(place, null, headers)).status, 401);
  }
  const query = await platform.api.send(
    'wallets',
    'GET',
    `${addressOf(place)}?access_token=${good}`,
    { token: null },
  );
  assert.equal(query.status, 401);
  const both = await platform.api.send(
    'wallets',
    'GET',
    `${addressOf(place)}?access_token=${good}`,
  );
  assert.equal(both.status, 401, 'refused, not ignored');
});

test('each operation needs its one scope, and only that', async () => {
  for (const place of guarded) {
    const { operationId, 'x-access': access } = place.operation;
    const scope = access?.['client'] as string | undefined;
    if (scope === undefined) continue;
    const status = IDENTITY.has(operationId) ? 401 : 403;
    const twins = [
      scope.replace(/s$/, ''),
      `${scope}s`,
      scope.toUpperCase(),
      `${scope} `,
      '*',
      'admin',
    ];
    for (const scopes of [
      all.filter((one) => one !== scope),
      [],
      twins.filter((one) => one !== scope),
    ]) {
      const reply = await call(place, await signed({ scopes }));
      const said = [reply.status, reply.code];
      assert.deepEqual(said, [status, 'INSUFFICIENT_SCOPE'], `${operationId}: ${reply.text}`);
    }
    const alone = await call(place, await signed({ scopes: [scope] }));
    assert.ok(![401, 403].includes(alone.status), `${operationId} with ${scope}: ${alone.text}`);
  }
});

test('user and session tokens open only operations that list them', async () => {
  for (const kind of ['user', 'session'] as const) {
    const token = await signed({ kind, scopes: all });
    for (const place of guarded) {
      const { operationId, 'x-access': access } = place.operation;
      const reply = await call(place, token);
      if (access?.[kind] !== undefined) {
        assert.ok(![401, 403].includes(reply.status), `${operationId} by ${kind}: ${reply.text}`);
        continue;
      }
      const status = IDENTITY.has(operationId) ? 401 : 403;
      assert.deepEqual([reply.status, reply.code], [status, 'TOKEN_KIND_REFUSED'], operationId);
    }
  }
});

test('a user token, as the platform gives it, has three scopes and one account', async () => {
  const { api, ready } = platform;
  const { buyer, seller } = ready.accounts;
  type Given = { token: { access_token: string } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', {
    body: { account_id: buyer.account_id, return_token: true },
  });
  const user = token.access_token;
  const own = await api.send('pii', 'GET', `/v1/kyc/${buyer.account_id}`, { token: user });
  assert.equal(own.status, 200, own.text);
  const NOBODY = 'acct_00000000000000000000000000';
  const unknown = await api.send('pii', 'GET', `/v1/kyc/${NOBODY}`, { token: user });
  const other = await api.send('pii', 'GET', `/v1/kyc/${seller.account_id}`, { token: user });
  assert.deepEqual([other.status, other.text], [unknown.status, unknown.text]);
  const link = await api.send('auth', 'POST', '/authorize/user', { token: user, body: {} });
  assert.equal(link.status, 200, 'a user opens its own flows without naming itself');
  for (const account_id of [seller.account_id, NOBODY]) {
    const body = { account_id };
    const reply = await api.send('auth', 'POST', '/authorize/user', { token: user, body });
    assert.deepEqual([reply.status, reply.code], [400, 'ACCOUNT_NOT_FOUND']);
  }
  const more = { return_token: true };
  const raised = await api.send('auth', 'POST', '/authorize/user', { token: user, body: more });
  assert.equal(raised.status, 403, 'no token begets a longer one');
  for (const [host, method, path] of [
    ['invoicing', 'GET', '/v2/invoice/x'],
    ['invoicing', 'POST', '/v2/invoice'],
    ['invoicing', 'POST', '/v2/authorize/invoice'],
    ['payments', 'GET', `/v1/${buyer.account_id}/payment_methods`],
    ['wallets', 'GET', `/balances/${buyer.account_id}`],
  ] as const) {
    const body = method === 'POST' ? { body: {} } : {};
    const reply = await api.send(host, method, path, { token: user, ...body });
    assert.equal(reply.status, 403, `${method} ${path}`);
  }
});

test('a session sees the payment methods of its own account only', async () => {
  const { buyer, seller } = platform.ready.accounts;
  const token = await signed({ kind: 'session', scopes: ['read_payment_method'] });
  const list = (id: string): Promise<Reply> =>
    platform.api.send('payments', 'GET', `/v1/${id}/payment_methods`, { token });
  assert.equal((await list(buyer.account_id)).status, 200);
  const unknown = await list('acct_00000000000000000000000000');
  const other = await list(seller.account_id);
  assert.deepEqual([other.status, other.text], [404, unknown.text]);
  const plural = await signed({ kind: 'session', scopes: ['read_payment_methods'] });
  const path = `/v1/${buyer.account_id}/payment_methods`;
  assert.equal((await platform.api.send('payments', 'GET', path, { token: plural })).status, 403);
});

test('requesting a scope that a user may not have does not grant it', async () => {
  const { buyer } = platform.ready.accounts;
  for (const scopes of ['write_invoices', ['read_kycs', 'write_kycs'], 'read_kycs write_sandbox']) {
    const body = { account_id: buyer.account_id, return_token: true, scopes };
    const reply = await platform.api.send('auth', 'POST', '/authorize/user', { body });
    assert.deepEqual([reply.status, reply.code], [400, 'INVALID_SCOPE'], String(scopes));
  }
});

test('a blocked account gets neither link nor token', async () => {
  const { api, ready } = platform;
  const { account_id } = ready.accounts.seller2;
  const block = { account_id, block_capability: 'login', block_reason: 'account_close' };
  await api.must(200, 'accounts', 'POST', '/v2/block', { body: block });
  for (const return_token of [true, false]) {
    const body = { account_id, return_token };
    const reply = await api.send('auth', 'POST', '/authorize/user', { body });
    assert.deepEqual([reply.status, reply.code], [403, 'ACCOUNT_BLOCKED']);
  }
});

test('an unauthorized caller learns nothing about body, path or anything else', async () => {
  const before = await platform.rows();
  const narrow = await signed({ scopes: ['read_events'] });
  const reply = await market.tryCreate({ account_id: 5 }, { token: narrow });
  assert.deepEqual([reply.status, reply.code], [403, 'INSUFFICIENT_SCOPE']);
  const sale = await market.tryCreate(market.sale(5), { token: narrow });
  assert.equal(sale.status, 403);
  for (const id of ['x', platform.ready.accounts.buyer.wallet_id]) {
    const path = `/v2/wallet/${id}`;
    assert.equal((await platform.api.send('wallets', 'GET', path, { token: narrow })).status, 403);
  }
  assert.deepEqual(await platform.rows(), before);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
