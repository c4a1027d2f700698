// An account's history as its parties see it: purchases, sales, escrows, refunds and payouts, in a
// stable order, page by page, and nobody else's. [G-43]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { personToken } from '../kit/person-token.ts';
import type { Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine, saleLine, type Body } from '../api/market.ts';
import type { Escrow, Invoice } from '../api/records.ts';

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

interface Seen {
  readonly transaction_id: string;
  readonly transaction_id_type: string;
  readonly transaction_type: string;
  readonly transaction_role: string;
  readonly transaction_status: string;
  readonly transaction_date: string;
  readonly transaction_description: string;
  readonly transaction_data: Body & { readonly recipient_items: Body[] };
}
interface Page {
  readonly total: number;
  readonly account_id: string;
  readonly transactions: readonly Seen[];
}

interface Person {
  readonly account_id: string;
  readonly wallet: string;
  readonly method: string;
}

let count = 0;

/** A fresh account, with money. */
async function person(money = 0): Promise<Person> {
  const { api } = platform;
  const body = { username: `history ${(count += 1)}` };
  const made = await api.must<{ account_id: string }>(200, 'accounts', 'POST', '/register', {
    body,
  });
  const { account_id } = made;
  const path = `/v1/${account_id}/payment_methods`;
  type Method = { id: string; processing_currency: string; psp_reference: string };
  const methods = await api.must<Method[]>(200, 'payments', 'GET', path);
  const found = methods.find((one) => one.processing_currency === 'USD') as Method;
  await api.must(200, 'pii', 'PUT', `/v2/kyc/account/${account_id}/state`, {
    body: { state: 'ACCEPT' },
  });
  if (money > 0) {
    const deposit = { account_id, currency: 'USD', amount: money };
    await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: deposit });
  }
  return { account_id, wallet: found.psp_reference, method: found.id };
}

function sale(buyer: Person, seller: Person, amount: number, more: Body = {}): Body {
  return {
    account_id: buyer.account_id,
    reference_type: 'order',
    reference_id: 'o-1',
    description: 'A lamp',
    payment_methods: [{ payment_method_id: buyer.method }],
    line_items: [saleLine(seller.wallet, amount)],
    ...more,
  };
}

const SESSION = ['read_invoices', 'write_process_credits', 'read_process_credits'];

/** A session's token for the account. */
async function session(account: string, scopes = SESSION) {
  const { ready } = platform;
  const client = { clientId: ready.client.client_id, integrator: ready.integrator };
  const given = { client, kind: 'session', accountId: account, scopes, seconds: 600 } as const;
  return personToken(platform, given);
}

function list({ account_id }: Person, query = ''): Promise<Page> {
  const path = `/v1/transactions?account_id=${account_id}${query}`;
  return platform.api.must(200, 'invoicing', 'GET', path);
}

function one(id: string, { account_id }: Person): Promise<Reply> {
  const path = `/v1/transaction/${id}?account_id=${account_id}`;
  return platform.api.send('invoicing', 'GET', path);
}

function marks({ transactions }: Page): string[] {
  return transactions.map((one) =>
    [one.transaction_type, one.transaction_role, one.transaction_status].join(' '),
  );
}

async function escrow(body: Body): Promise<Escrow> {
  const made = await platform.api.must<Escrow>(201, 'invoicing', 'POST', '/v2/escrow', {
    body,
  });
  return move(made.id, 'pay');
}

function move(id: string, name: string): Promise<Escrow> {
  return platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/${name}`);
}

test('a sale: the buyer sees the invoice, the seller what it was paid, no more', async () => {
  const [buyer, seller] = [await person(1_000), await person()];
  const recipient = {
    amount: 270,
    currency: 'USD',
    destination_wallet_id: seller.wallet,
    fee_amount: 30,
    fee_description: 'our part',
    reference_id: 'r-1',
  };
  const line = saleLine('', 300, { recipients: [recipient], product_sku: 'lamp' });
  const body = sale(buyer, seller, 300, { line_items: [line, ownLine(50)] });
  const { invoice_id } = await market.create(body);
  assert.deepEqual(await list(buyer), {
    total: 0,
    account_id: buyer.account_id,
    transactions: [],
  });
  await market.pay(invoice_id);
  const bought = await list(buyer);
  assert.deepEqual(marks(bought), ['user_purchase buyer processed']);
  const [purchase] = bought.transactions as [Seen];
  assert.equal(purchase.transaction_id, invoice_id);
  assert.equal(purchase.transaction_id_type, 'invoicing.invoice_v2.invoice_id');
  assert.equal(purchase.transaction_description, 'A lamp');
  assert.deepEqual(purchase.transaction_data, await market.read(invoice_id));
  const sold = await list(seller);
  assert.deepEqual(marks(sold), ['user_purchase_recipient seller processed']);
  const [{ transaction_data: data, transaction_id }] = sold.transactions as [Seen];
  assert.equal(transaction_id, invoice_id);
  assert.deepEqual(
    [data['total_received'], data['total_received_less_fees'], data['total_fees_paid']],
    [300, 270, 30],
  );
  assert.equal(data['total_received_display'], 'USD 3.00');
  const [item] = data.recipient_items as [Body];
  assert.deepEqual(
    [item['product_sku'], item['reference_id'], item['payment_method_display_string']],
    ['lamp', 'r-1', 'USD wallet'],
  );
  assert.deepEqual(item['fees'], [
    { amount: 30, amount_display: 'USD 0.30', description: 'our part' },
  ]);
  assert.ok(!JSON.stringify(sold).includes(buyer.account_id), 'nothing of the buyer');
  assert.ok(!JSON.stringify(sold).includes('A lamp'), 'what is said to the buyer stays there');
  for (const [who, page] of [
    [buyer, bought],
    [seller, sold],
  ] as const) {
    const reply = await one(invoice_id, who);
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(reply.body.payload, page.transactions[0]);
  }
  const stranger = await one(invoice_id, await person());
  assert.deepEqual([stranger.status, stranger.code], [404, 'TRANSACTION_NOT_FOUND']);
});

test('money in escrow is pending for both, until it is committed or goes back', async () => {
  const [buyer, seller] = [await person(1_000), await person()];
  const paid = await escrow(sale(buyer, seller, 100));
  const pending = 'user_purchase_recipient seller pending';
  assert.deepEqual(marks(await list(seller)), [pending]);
  assert.deepEqual(marks(await list(buyer)), ['user_purchase_escrow buyer pending']);
  const done = await move(paid.id, 'commit');
  assert.deepEqual(marks(await list(seller)), ['user_purchase_recipient seller processed']);
  assert.deepEqual(marks(await list(buyer)), ['user_purchase_escrow buyer processed']);
  for (const id of [done.id, done.escrow_invoice_id, done.commit_invoice_id]) {
    for (const who of [buyer, seller]) {
      const reply = await one(id, who);
      assert.equal(reply.status, 200, reply.text);
      const seen = reply.body.payload as Seen;
      assert.equal(seen.transaction_id, done.escrow_invoice_id, 'one transaction, one id');
    }
  }
  const other = await escrow(sale(buyer, seller, 40));
  const { cancel_invoice_id } = await move(other.id, 'cancel');
  assert.deepEqual(marks(await list(seller, '&statuses=error')), [
    'user_purchase_recipient seller error',
  ]);
  assert.deepEqual(marks(await list(seller, '&statuses=pending')), []);
  const [back] = (await list(buyer)).transactions as [Seen];
  assert.deepEqual(
    [back.transaction_type, back.transaction_id, back.transaction_data['total']],
    ['refund', cancel_invoice_id, 40],
  );
  assert.equal((await one(cancel_invoice_id, seller)).status, 404, "the buyer's alone");
});

test('a failed payment is an error of the buyer alone', async () => {
  const [buyer, seller] = [await person(), await person()];
  const { invoice_id } = await market.sold(sale(buyer, seller, 100));
  assert.deepEqual(marks(await list(buyer)), ['user_purchase buyer error']);
  assert.deepEqual(marks(await list(buyer, '&statuses=processed,payout-failed')), []);
  assert.deepEqual(marks(await list(seller)), []);
  assert.equal((await one(invoice_id, seller)).status, 404);
});

test('a refund of a part says which line, and goes by its own id and by its invoice', async () => {
  const [buyer, seller] = [await person(1_000), await person()];
  const bought = await market.sold(sale(buyer, seller, 100));
  const [line_item_id] = Object.keys(bought.line_items);
  const body = { line_item_id, amount: 30, reason: 'other' };
  // The integrator bears it.
  const own = { integrator: true, currency: 'USD', amount: 1_000 };
  await platform.api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: own });
  type Made = { refund_id: string; refund_invoice_id: string };
  const made = await platform.api.must<Made>(200, 'invoicing', 'POST', '/v2/line-item/refund', {
    body,
  });
  const page = await list(buyer);
  assert.deepEqual(marks(page), ['refund buyer processed', 'user_purchase buyer processed']);
  const [{ transaction_data: data, transaction_id }] = page.transactions as [Seen];
  assert.equal(transaction_id, made.refund_invoice_id);
  assert.deepEqual(
    [data['total'], data['total_display'], data['original_invoice_id']],
    [30, 'USD 0.30', bought.invoice_id],
  );
  assert.equal(data['partial_refund_line_item_id'], line_item_id);
  assert.equal(data['original_reference_id'], 'o-1');
  for (const id of [made.refund_id, made.refund_invoice_id]) {
    const reply = await one(id, buyer);
    assert.deepEqual(reply.body.payload, page.transactions[0]);
    assert.equal((await one(id, seller)).status, 404);
  }
});

test("a session's payout is listed as pending, then as failed", async () => {
  const who = await person(5_000);
  const { api } = platform;
  const to = { account_id: who.account_id, test_card: 'bank' };
  const attach = '/sandbox/payment_methods';
  const bank = await api.must<{ id: string }>(201, 'invoicing', 'POST', attach, { body: to });
  const token = await session(who.account_id);
  const body = {
    source_payment_method_id: who.method,
    destination_payment_method_id: bank.id,
    amount: 2_000,
    currency: 'USD',
  };
  const path = `/v2/${who.account_id}/payout`;
  const unsigned = await api.send('invoicing', 'POST', path, { body, token });
  assert.deepEqual([unsigned.status, unsigned.code], [403, 'TERMS_NOT_SIGNED']);
  await signTerms(who.account_id);
  type Made = { payout_status_id: string };
  const made = await api.must<Made>(201, 'invoicing', 'POST', path, { body, token });
  const mine = await api.must<Page>(200, 'invoicing', 'GET', '/v1/transactions', { token });
  assert.deepEqual(marks(mine), ['payout user pending']);
  assert.equal(mine.account_id, who.account_id);
  const [seen] = mine.transactions as [Seen];
  assert.equal(seen.transaction_id_type, 'invoicing.payout_status.id');
  const { transaction_data: data } = seen;
  assert.deepEqual(
    [data['payout_total'], data['payout_fee'], data['payout_amount_less_fee_display']],
    [2_000, 20, 'USD 19.80'],
  );
  const shown = `/v2/${who.account_id}/payout/${made.payout_status_id}`;
  assert.equal((await api.send('invoicing', 'DELETE', shown, { token })).status, 200);
  assert.deepEqual(marks(await list(who)), ['payout user payout-failed']);
  const other = await person();
  const foreign = `/v2/${other.account_id}/payout`;
  const reply = await api.send('invoicing', 'POST', foreign, { body, token });
  assert.deepEqual([reply.status, reply.code], [404, 'ACCOUNT_NOT_FOUND']);
  const patched = await api.send('invoicing', 'PATCH', shown, { token });
  assert.deepEqual([patched.status, patched.code], [403, 'TOKEN_KIND_REFUSED']);
});

/** Agrees to the terms in force, as the person does. */
async function signTerms(account_id: string): Promise<void> {
  const { api } = platform;
  type Given = { token: { access_token: string } };
  const body = { account_id, return_token: true };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', { body });
  const call = { body: {}, token: token.access_token };
  const path = '/v1/user-info/tos/service';
  const reply = await api.send('accounts', 'POST', path, call);
  assert.equal(reply.status, 200, reply.text);
}

test('a session sees its own account, and a client must name one', async () => {
  const [buyer, seller] = [await person(1_000), await person()];
  const { invoice_id } = await market.sold(sale(buyer, seller, 10));
  const { api } = platform;
  const token = await session(buyer.account_id);
  const get = (path: string, given: string | null = token): Promise<Reply> =>
    api.send('invoicing', 'GET', path, given === null ? {} : { token: given });
  assert.equal((await get(`/v1/transaction/${invoice_id}`)).status, 200);
  const foreign = await get(`/v1/transactions?account_id=${seller.account_id}`);
  const unknown = await get('/v1/transactions?account_id=acct_00000000000000000000000000');
  assert.deepEqual([foreign.status, foreign.code], [400, 'ACCOUNT_NOT_FOUND']);
  assert.equal(foreign.text, unknown.text);
  for (const path of ['/v1/transactions', `/v1/transaction/${invoice_id}`]) {
    const nobody = await get(path, null);
    assert.deepEqual([nobody.status, nobody.code], [400, 'MISSING_FIELD'], path);
  }
  for (const query of ['limit=101', 'limit=0', 'offset=5001', 'statuses=', 'statuses=open']) {
    const reply = await get(`/v1/transactions?${query}`);
    assert.deepEqual([reply.status, reply.code], [400, 'INVALID_FIELD'], query);
  }
  for (const id of ['x', 'esc_00000000000000000000000000', crypto.randomUUID()]) {
    assert.equal((await get(`/v1/transaction/${id}`)).status, 404, id);
  }
});

test("another tenant's account and transactions are unknown", async () => {
  const [buyer, seller] = [await person(100), await person()];
  const { invoice_id } = await market.sold(sale(buyer, seller, 10));
  const { token } = await platform.tenant();
  const { api } = platform;
  const body = { username: 'theirs' };
  const call = { body, token };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', call);
  const get = async (path: string): Promise<[number, string]> => {
    const { status, text } = await api.send('invoicing', 'GET', path, { token });
    return [status, text];
  };
  const nobody = 'acct_00000000000000000000000000';
  for (const path of ['/v1/transactions?', `/v1/transaction/${invoice_id}?`]) {
    const foreign = await get(`${path}account_id=${buyer.account_id}`);
    assert.equal(foreign[0], 400);
    assert.deepEqual(foreign, await get(`${path}account_id=${nobody}`));
  }
  const found = await get(`/v1/transaction/${invoice_id}?account_id=${account_id}`);
  assert.equal(found[0], 404);
  const unknown = `/v1/transaction/${crypto.randomUUID()}?account_id=${account_id}`;
  assert.deepEqual(found, await get(unknown));
});

test('pages are parts of one order, newest first, and the total counts what fits', async () => {
  const [buyer, seller] = [await person(1_000), await person()];
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    ids.unshift((await market.sold(sale(buyer, seller, 10 + at))).invoice_id);
  }
  const all = (await list(seller)).transactions.map((one) => one.transaction_id);
  assert.deepEqual(all, ids);
  const pages: string[] = [];
  for (const offset of [0, 2, 4, 6]) {
    const page = await list(seller, `&limit=2&offset=${offset}&statuses=processed`);
    assert.equal(page.total, 5);
    pages.push(...page.transactions.map((one) => one.transaction_id));
  }
  assert.deepEqual(pages, ids);
  const dates = (await list(buyer)).transactions.map((one) => one.transaction_date);
  assert.deepEqual(dates, dates.toSorted().toReversed());
});

test('invoices of an account: by state, in either order, with those that pay it', async () => {
  const [buyer, seller] = [await person(50), await person(1_000)];
  const first = await market.sold(sale(buyer, seller, 10));
  const second = await market.sold(sale(buyer, seller, 100));
  assert.equal(second.state, 'failed');
  const third = await market.create(sale(buyer, seller, 5));
  const held = await escrow(sale(seller, buyer, 20));
  const read = async (who: Person, query = ''): Promise<string[]> => {
    const path = `/v2/invoice/account/${who.account_id}?${query}`;
    const found = await platform.api.must<Invoice[]>(200, 'invoicing', 'GET', path);
    for (const one of found) assert.deepEqual(one, await market.read(one.invoice_id));
    return found.map((one) => one.invoice_id);
  };
  const own = [third, second, first].map((one) => one.invoice_id);
  assert.deepEqual(await read(buyer), own);
  assert.deepEqual(await read(buyer, 'sort=asc&sort_field=created'), own.toReversed());
  assert.deepEqual(await read(buyer, 'states=open,failed'), own.slice(0, 2));
  assert.deepEqual(await read(buyer, 'limit=1&offset=1'), own.slice(1, 2));
  assert.deepEqual(await read(buyer, 'include_recipient_transactions=true'), [
    held.escrow_invoice_id,
    ...own,
  ]);
  const sellers = [held.escrow_invoice_id, first.invoice_id];
  assert.deepEqual(await read(seller, 'include_recipient_transactions=true'), sellers);
  assert.deepEqual(await read(seller), sellers.slice(0, 1));
  // As clients of the public service ask: without escrows, or for them alone.
  const plain = 'invoice_types=user_purchase,user_purchase_virtual';
  assert.deepEqual(await read(seller, plain), []);
  assert.deepEqual(await read(buyer, plain), own);
  assert.deepEqual(await read(buyer, `${plain}&include_recipient_transactions=true`), own);
  assert.deepEqual(await read(seller, 'invoice_types=user_purchase_escrow'), sellers.slice(0, 1));
  const unknown = `/v2/invoice/account/${buyer.account_id}?invoice_types=escrow`;
  assert.equal((await platform.api.send('invoicing', 'GET', unknown)).code, 'INVALID_FIELD');
  const nobody = '/v2/invoice/account/acct_00000000000000000000000000';
  assert.equal((await platform.api.send('invoicing', 'GET', nobody)).status, 404);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
