// A merged account as integrators see it, beside the account merge itself: access ends as with a
// block, its record and history stay, clones of the workspace have the merge too. [G-22]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Call, Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, pause, type Body } from '../api/market.ts';
import { ownWorkspace } from '../api/fixtures.ts';

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

interface Info {
  readonly account_id: string;
  readonly is_blocked: boolean;
  readonly tags: readonly { readonly tag: string; readonly resource_id: string }[];
}

async function person(username: string): Promise<string> {
  const call = { body: { username } };
  const made = platform.api.must<{ account_id: string }>(
    ...([200, 'accounts', 'POST', '/register', call] as const),
  );
  return (await made).account_id;
}

const info = (id: string, call: Call = {}): Promise<Info> =>
  platform.api.must(200, 'accounts', 'GET', `/v1/user-info/${id}`, call);

function merge(source_account_id: string, destination_account_id: string): Promise<Reply> {
  const body = { source_account_id, destination_account_id };
  return platform.api.send('accounts', 'POST', '/v2/merge-accounts', { body });
}

test('a merged account loses access as if blocked; its history stays readable', async () => {
  const { api } = platform;
  const { buyer, seller2 } = platform.ready.accounts;
  const { invoice_id } = await market.sold(market.sale(10));
  const given = { body: { account_id: buyer.account_id, return_token: true } };
  type Given = { token: { refresh_token: string } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', given);
  await market.lastSequence();
  const merged = await merge(buyer.account_id, seller2.account_id);
  assert.equal(merged.status, 200, merged.text);
  const authorized = await api.send('auth', 'POST', '/authorize/user', given);
  assert.deepEqual([authorized.status, authorized.code], [403, 'ACCOUNT_BLOCKED']);
  const { client_id, client_secret } = platform.ready.client;
  const { refresh_token } = token;
  const form = { grant_type: 'refresh_token', refresh_token, client_id, client_secret };
  assert.equal((await api.send('auth', 'POST', '/token', { form, token: null })).status, 400);
  const refused = await market.tryCreate(market.sale(10));
  assert.deepEqual([refused.status, refused.code], [403, 'ACCOUNT_BLOCKED']);
  const deposit = { account_id: buyer.account_id, currency: 'USD', amount: 5 };
  const none = await api.send('invoicing', 'POST', '/sandbox/deposits', { body: deposit });
  assert.equal(none.code, 'ACCOUNT_BLOCKED');
  const left = await info(buyer.account_id);
  assert.equal(left.is_blocked, true);
  assert.deepEqual(left.tags.map(({ tag, resource_id }) => [tag, resource_id]), [
    ['merged_to', seller2.account_id],
  ]);
  type Listed = { invoice_id: string }[];
  const path = `/v2/invoice/account/${buyer.account_id}`;
  const invoices = await api.must<Listed>(200, 'invoicing', 'GET', path);
  assert.ok(invoices.some((one) => one.invoice_id === invoice_id));
});

test('a clone of the workspace has the merge and enforces it', async () => {
  const { api } = platform;
  const [from, to] = [await person('left'), await person('stays')];
  assert.equal((await merge(from, to)).status, 200);
  const { token } = await ownWorkspace(api);
  for (const id of [from, to]) assert.deepEqual(await info(id, { token }), await info(id));
  const body = { account_id: from, block_capability: 'login' };
  const lifted = await api.send('accounts', 'POST', '/v2/unblock', { body, token });
  assert.deepEqual([lifted.status, lifted.code], [400, 'ACCOUNT_MERGED']);
});

test('escrows, refunds and chargebacks keep an account from being merged', async () => {
  const { api } = platform;
  const post = <T>(status: number, path: string, body: Body = {}): Promise<T> =>
    api.must(status, 'invoicing', 'POST', path, { body });
  const [buyer, seller, into] = [await person('b'), await person('s'), await person('i')];
  const card = await post<{ id: string }>(201, '/sandbox/payment_methods', {
    account_id: buyer,
    test_card: 'visa',
  });
  const recipients = [{ amount: 10, destination_account_id: seller }];
  const line = { amount: 10, currency: 'USD', transaction_type: 'user_to_user', recipients };
  const payment_methods = [{ payment_method_id: card.id }];
  const sale = { account_id: buyer, payment_methods, line_items: [line] };
  const says = async (source: string, what: string): Promise<void> => {
    const { code, errors } = await merge(source, into);
    const said = [code, errors['source_account_id']];
    assert.deepEqual(said, ['MERGE_SOURCE_NOT_AT_REST', `has in progress: ${what}`]);
  };
  const { id } = await post<{ id: string }>(201, '/v2/escrow', sale);
  await post(200, `/v2/escrow/${id}/pay`);
  for (const who of [buyer, seller]) await says(who, 'escrow');
  await post(200, `/v2/escrow/${id}/commit`);
  type Escrow = { escrow_invoice_id: string };
  const { escrow_invoice_id: invoice_id } = await api.must<Escrow>(
    ...([200, 'invoicing', 'GET', `/v2/escrow/${id}`] as const),
  );
  const wish = { invoice_id, reason: 'other' };
  const { refund_id } = await post<{ refund_id: string }>(200, '/v2/refund', wish);
  await says(buyer, 'refund');
  await api.must(200, 'invoicing', 'DELETE', `/v2/refund/${refund_id}`);
  await post(201, '/sandbox/outside_events', { event: 'chargeback', id: invoice_id });
  while ((await platform.db.query('select from reversal')).length === 0) await pause();
  await says(buyer, 'reversal');
  assert.equal((await merge(seller, into)).status, 200, 'the seller has nothing to do with it');
});

test('a merge is explained from both accounts', async () => {
  const [from, to] = [await person('explained'), await person('explained into')];
  const deposit = { account_id: from, currency: 'USD', amount: 12 };
  await platform.api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: deposit });
  assert.equal((await merge(from, to)).status, 200);
  for (const id of [from, to]) {
    const told = await platform.api.send('invoicing', 'GET', `/sandbox/explain/${id}`);
    assert.equal(told.status, 200);
    assert.match(told.text, /merged into another,/);
    assert.match(told.text, /USD 0\.12/);
  }
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
