// Deposits by bank transfer as an integrator tests them: instructions, a transfer that names the
// reference, one that does not, and the event. [G-91]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import type { Body } from '../api/market.ts';

interface Transfer {
  readonly transfer_id: string;
  readonly state: string;
  readonly why: string;
  readonly deposit_id: string;
  readonly wallet_id: string;
  readonly account_id: string;
}

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

const send = (body: Body, headers = {}): Promise<Reply> =>
  platform.api.send('invoicing', 'POST', '/sandbox/bank_transfers', { body, headers });

async function sent(body: Body, headers = {}): Promise<Transfer> {
  const { status, payload } = await send(body, headers);
  assert.equal(status, 201, JSON.stringify(payload));
  return payload as Transfer;
}

async function reference(wallet_id: string): Promise<string> {
  const path = `/v2/wallet/${wallet_id}/deposit_instructions`;
  const told = await platform.api.must<Record<string, string>>(200, 'wallets', 'GET', path);
  assert.deepEqual([told['currency'], told['bank_name']], ['USD', 'Sandbox Bank']);
  return told['reference_display'] ?? '';
}

async function balance(): Promise<number> {
  const { wallet_id } = platform.ready.accounts.buyer;
  const path = `/v2/wallet/${wallet_id}`;
  type Wallet = { current_balance: number };
  return (await platform.api.must<Wallet>(200, 'wallets', 'GET', path)).current_balance;
}

test('a transfer with the reference of the instructions is a deposit', async () => {
  const { wallet_id, account_id } = platform.ready.accounts.buyer;
  const remittance_text = `Top up, ${await reference(wallet_id)} <&> thanks`;
  const before = await balance();
  const made = await sent({ currency: 'USD', amount: 2_500, remittance_text });
  assert.deepEqual([made.state, made.why, made.wallet_id, made.account_id],
    ['credited', '', wallet_id, account_id]);
  assert.equal(await balance(), before + 2_500);
  const deposit = await platform.api.must<Record<string, unknown>>(
    ...([200, 'invoicing', 'GET', `/v1/deposits/${made.deposit_id}`] as const),
  );
  assert.deepEqual([deposit['state'], deposit['deposit_provider']], ['success', 'bank']);
});

test('a wrong reference, and none, are left to a person', async () => {
  const typo = (await reference(platform.ready.accounts.buyer.wallet_id)).replace(/.$/, (digit) =>
    String((Number(digit) + 1) % 10),
  );
  const wrong = await sent({ currency: 'USD', amount: 5, remittance_text: typo });
  assert.deepEqual([wrong.state, wrong.why, wrong.deposit_id],
    ['unallocated', 'reference_mistyped', '']);
  const missing = await sent({ currency: 'JPY', amount: 5 });
  assert.deepEqual([missing.state, missing.why], ['unallocated', 'no_reference']);
});

test('one key is one transfer, and a currency must be enabled', async () => {
  const body = { currency: 'EUR', amount: 7 };
  const headers = { 'idempotency-key': 'one transfer' };
  const [first, again] = [await sent(body, headers), await sent(body, headers)];
  assert.deepEqual(again, first);
  assert.notEqual((await sent(body)).transfer_id, first.transfer_id);
  assert.equal((await send({ ...body, currency: 'CHF' })).code, 'CURRENCY_NOT_ENABLED');
});

test('two transfers at a time are two deposits', async () => {
  const remittance_text = await reference(platform.ready.accounts.buyer.wallet_id);
  const before = await balance();
  const body = { currency: 'USD', amount: 100, remittance_text };
  const made = await Promise.all([sent(body), sent(body), sent(body)]);
  assert.equal(new Set(made.map(({ deposit_id }) => deposit_id)).size, 3);
  assert.equal(await balance(), before + 300);
});

interface Listed {
  readonly total: number;
  readonly bank_transfers: readonly (Transfer & { readonly on_statement: boolean })[];
}

const listed = (query: string): Promise<Listed> =>
  platform.api.must(200, 'wallets', 'GET', `/v2/bank_transfers?${query}`);

test('a tenant lists its transfers page by page, and sees nobody who paid', async () => {
  const { account_id, wallet_id } = await platform.api.register('sends-a-transfer');
  const remittance_text = await reference(wallet_id);
  const mine = await sent({ currency: 'USD', amount: 700, remittance_text });
  await sent({ currency: 'USD', amount: 800 });
  const { total, bank_transfers: all } = await listed('limit=100');
  assert.equal(all.length, total);
  assert.deepEqual(all.slice(0, 2).map(({ state }) => state), ['unallocated', 'credited']);
  assert.doesNotMatch(JSON.stringify(all), /Payer|RF\d\d/);
  const pages = await Promise.all([0, 1].map((offset) => listed(`limit=1&offset=${offset}`)));
  const ids = pages.flatMap((page) => page.bank_transfers.map((one) => one.transfer_id));
  assert.deepEqual(ids, all.slice(0, 2).map(({ transfer_id }) => transfer_id));
  for (const query of [`account_id=${account_id}`, `wallet_id=${wallet_id}&state=credited`]) {
    const page = await listed(query);
    assert.deepEqual(page.bank_transfers.map((one) => one.transfer_id), [mine.transfer_id]);
    assert.deepEqual(page.bank_transfers.map((one) => one.on_statement), [true]);
  }
  const returned = `wallet_id=${wallet_id}&state=returned`;
  for (const query of ['account_id=acct_x', 'wallet_id=x', returned]) {
    assert.deepEqual(await listed(query), { total: 0, bank_transfers: [] });
  }
  for (const query of ['limit=0', 'limit=101', 'offset=x', 'state=lost', 'more=1']) {
    const path = `/v2/bank_transfers?${query}`;
    assert.equal((await platform.api.send('wallets', 'GET', path)).status, 400, query);
  }
  const other = await platform.tenant();
  const path = '/v2/bank_transfers';
  const headers = { authorization: `Bearer ${other.token}` };
  const theirs = await platform.api.send('wallets', 'GET', path, { headers });
  assert.deepEqual(theirs.payload, { total: 0, bank_transfers: [] });
});
