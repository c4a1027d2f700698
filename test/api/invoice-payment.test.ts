// How invoices are paid: methods and remainders, failures with their reason, zero totals,
// currencies, and what is refused at pay. [seed: Invoice state; G-30, G-31, G-33, G-37, G-39, G-48]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from './kit.ts';
import { Market, ownLine, saleLine } from './market.ts';
import { isWhole, typesOf } from './whole-invoice.ts';

const NOWHERE = '01890000-0000-7000-8000-000000000000';

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

test('several methods: one has 0 and takes the remainder', async () => {
  const { buyer } = platform.ready.accounts;
  const before = await market.balance(buyer.account_id);
  const methods = [
    { payment_method_id: buyer.wallet_payment_method_id, amount: 120 },
    { payment_method_id: buyer.card_payment_method_id, amount: 0 },
  ];
  const open = await market.create(market.sale(200, { payment_methods: methods }));
  isWhole(open);
  assert.deepEqual(typesOf(open)['payment'], [120, 80].toSorted());
  const { wallet_payment_method_id: wallet, card_payment_method_id: card } = buyer;
  assert.equal(open.payment_methods[wallet]?.['authorized_amount'], 120);
  assert.equal(open.payment_methods[card]?.['authorized_amount'], 80);
  await market.pay(open.invoice_id);
  assert.equal((await market.ended(open.invoice_id)).state, 'success');
  assert.equal(await market.balance(buyer.account_id), before - 120);
});

test('one method: the amount absent, 0 or the total', async () => {
  const { buyer } = platform.ready.accounts;
  for (const more of [{}, { amount: 0 }, { amount: 200 }, { amount: null }]) {
    const methods = [{ payment_method_id: buyer.card_payment_method_id, ...more }];
    const invoice = await market.sold(market.sale(200, { payment_methods: methods }));
    assert.equal(invoice.state, 'success');
  }
});

test('a declined card fails the invoice and returns the wallet part', async () => {
  const { buyer, seller } = platform.ready.accounts;
  const balances = async (): Promise<number[]> =>
    Promise.all([market.balance(buyer.account_id), market.balance(seller.account_id)]);
  const before = await balances();
  const methods = [
    { payment_method_id: buyer.wallet_payment_method_id, amount: 50 },
    { payment_method_id: buyer.declined_card_payment_method_id, amount: 0 },
  ];
  const invoice = await market.sold(market.sale(200, { payment_methods: methods }));
  isWhole(invoice);
  assert.equal(invoice.state, 'failed');
  assert.equal(invoice.failure_code, 'card_declined');
  assert.ok((invoice.failure_reason ?? '').length > 5);
  assert.deepEqual(await balances(), before);
  const again = await platform.api.send(
    'invoicing',
    'POST',
    `/v2/invoice/${invoice.invoice_id}/pay`,
  );
  assert.deepEqual([again.status, again.code], [400, 'INVOICE_NOT_OPEN']);
});

test("each failure code of the cards is the invoice's own", async () => {
  const { buyer } = platform.ready.accounts;
  const names = [
    ...['generic_error', 'insufficient_funds', 'card_declined', 'card_expired', 'incorrect_cvc'],
    ...['processing_error', 'authentication_required', 'limit_exceeded'],
  ];
  await Promise.all(
    names.map(async (test_card) => {
      const card = await platform.api.must<{ id: string }>(
        201,
        'invoicing',
        'POST',
        '/sandbox/payment_methods',
        { body: { account_id: buyer.account_id, test_card } },
      );
      const payment_methods = [{ payment_method_id: card.id }];
      const invoice = await market.sold(market.sale(40, { payment_methods }));
      assert.deepEqual([invoice.state, invoice.failure_code], ['failed', test_card]);
      isWhole(invoice);
    }),
  );
});

test('a wallet that holds too little fails at pay, not at create', async () => {
  const { buyer } = platform.ready.accounts;
  const invoice = await market.sold(market.sale(90_000_000));
  isWhole(invoice);
  assert.deepEqual([invoice.state, invoice.failure_code], ['failed', 'insufficient_funds']);
  assert.ok((await market.balance(buyer.account_id)) > 0);
});

test('a zero total needs no method and succeeds', async () => {
  const { buyer, seller } = platform.ready.accounts;
  for (const payment_methods of [
    undefined,
    [],
    null,
    [{ payment_method_id: buyer.wallet_payment_method_id, amount: 0 }],
  ]) {
    const line_items = [saleLine(seller.wallet_id, 0), ownLine(0)];
    const invoice = await market.sold(market.sale(0, { payment_methods, line_items }));
    isWhole(invoice);
    assert.equal(invoice.state, 'success');
    assert.equal(invoice.summary.display_amount, 'USD 0.00');
  }
});

test('a currency without minor digits', async () => {
  const { buyer, seller } = platform.ready.accounts;
  const body = { account_id: buyer.account_id, currency: 'JPY', amount: 1000 };
  await platform.api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
  type Method = { id: string; provider: string; processing_currency: string };
  const path = `/v1/${buyer.account_id}/payment_methods`;
  const methods = await platform.api.must<Method[]>(200, 'payments', 'GET', path);
  const yen = methods.find((one) => one.provider === 'wallet' && one.processing_currency === 'JPY');
  const line = {
    amount: 155,
    currency: 'JPY',
    transaction_type: 'user_to_user',
    recipients: [{ amount: 155, currency: 'JPY', destination_account_id: seller.account_id }],
  };
  const payment_methods = [{ payment_method_id: yen?.id }];
  const invoice = await market.sold(market.sale(0, { payment_methods, line_items: [line] }));
  assert.equal(invoice.state, 'success');
  assert.equal(invoice.summary.display_amount, 'JPY 155');
  for (const one of Object.values(invoice.subitems)) assert.equal(one.display_amount, 'JPY 155');
  assert.equal(await market.balance(seller.account_id, 'JPY'), 155);
});

test('currencies with three and four minor digits, of a tenant that has only those', async () => {
  const { token } = await platform.tenant(['BHD', 'CLF']);
  const body = { username: 'buyer' };
  type Made = { account_id: string };
  const { account_id } = await platform.api.must<Made>(200, 'accounts', 'POST', '/register', {
    body,
    token,
  });
  const path = `/v1/${account_id}/payment_methods`;
  type Method = { id: string; processing_currency: string };
  const methods = await platform.api.must<Method[]>(200, 'payments', 'GET', path, { token });
  for (const [currency, shown] of [
    ['BHD', 'BHD 1.234'],
    ['CLF', 'CLF 0.1234'],
  ] as const) {
    const method = methods.find((one) => one.processing_currency === currency);
    const payment_methods = [{ payment_method_id: method?.id }];
    const line_items = [ownLine(1234, { currency })];
    const invoice = await market.create({ account_id, payment_methods, line_items }, { token });
    isWhole(invoice);
    assert.equal(invoice.summary.display_amount, shown);
  }
  const dollars = { account_id, line_items: [ownLine(0)] };
  assert.equal((await market.tryCreate(dollars, { token })).code, 'CURRENCY_NOT_ENABLED');
});

test('twenty methods are the most', async () => {
  const { account_id } = platform.ready.accounts.buyer;
  const cards: { payment_method_id: string; amount: number }[] = [];
  for (let at = 0; at < 20; at += 1) {
    const body = { account_id, test_card: 'visa' };
    const path = '/sandbox/payment_methods';
    const card = await platform.api.must<{ id: string }>(201, 'invoicing', 'POST', path, { body });
    cards.push({ payment_method_id: card.id, amount: at === 7 ? 0 : 3 });
  }
  const invoice = await market.sold(market.sale(200, { payment_methods: cards }));
  isWhole(invoice);
  assert.equal(invoice.state, 'success');
  assert.equal(Object.keys(invoice.payment_methods).length, 20);
  const remainder = cards[7]?.payment_method_id ?? '';
  assert.equal(invoice.payment_methods[remainder]?.['authorized_amount'], 200 - 19 * 3);
});

test('amounts at the limits are shown and stored exactly', async () => {
  for (const [amount, shown] of [
    [1, 'USD 0.01'],
    [99, 'USD 0.99'],
    [100_000, 'USD 1000.00'],
    [99_999_999_999, 'USD 999999999.99'],
  ] as const) {
    const invoice = await market.create(market.sale(amount));
    assert.equal(invoice.summary.display_amount, shown);
    assert.equal(invoice.summary.total_amount, amount);
  }
  const line = ownLine(99_999_999_999);
  const { buyer } = platform.ready.accounts;
  const large = {
    account_id: buyer.account_id,
    payment_methods: [{ payment_method_id: buyer.card_payment_method_id }],
    line_items: Array.from({ length: 4_000 }, () => line),
  };
  const { summary } = await market.create(large);
  assert.equal(summary.total_amount, 99_999_999_999 * 4_000);
  assert.equal(summary.display_amount, 'USD 3999999999960.00');
});

test('paying an unknown invoice, or the same one twice, is refused', async () => {
  const { api } = platform;
  const unknown = await api.send('invoicing', 'POST', `/v2/invoice/${NOWHERE}/pay`);
  assert.deepEqual([unknown.status, unknown.code], [404, 'INVOICE_NOT_FOUND']);
  const ids = ['x', '0', NOWHERE.toUpperCase(), 'null', '%20', `${'a'.repeat(4_000)}`, '..%2f'];
  for (const id of ids) {
    for (const [method, path] of [
      ['POST', `/v2/invoice/${id}/pay`],
      ['GET', `/v2/invoice/${id}`],
    ] as const) {
      const reply = await api.send('invoicing', method, path);
      assert.equal(reply.status, 404, `${method} ${path.slice(0, 80)}: ${reply.text}`);
      assert.equal(reply.text, unknown.text, 'one answer for all that names nothing');
    }
  }
  const { invoice_id } = await market.create(market.sale(3));
  await market.pay(invoice_id);
  const again = await api.send('invoicing', 'POST', `/v2/invoice/${invoice_id}/pay`);
  assert.deepEqual([again.status, again.code], [400, 'INVOICE_NOT_OPEN']);
});

test('fifty clicks pay once', async () => {
  const { buyer } = platform.ready.accounts;
  const before = await market.balance(buyer.account_id);
  const { invoice_id } = await market.create(market.sale(7));
  const path = `/v2/invoice/${invoice_id}/pay`;
  const clicks = Array.from({ length: 50 }, () => platform.api.send('invoicing', 'POST', path));
  const statuses = (await Promise.all(clicks)).map((reply) => reply.status);
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.equal(statuses.filter((status) => status === 400).length, 49);
  assert.equal((await market.ended(invoice_id)).state, 'success');
  assert.equal(await market.balance(buyer.account_id), before - 7);
});

test('operations without a body accept none, an empty one, null or {} only', async () => {
  for (const raw of [undefined, '', 'null', '{}', ' { } ']) {
    const { invoice_id } = await market.create(market.sale(1));
    const call = raw === undefined ? {} : { raw };
    const reply = await platform.api.send(
      'invoicing',
      'POST',
      `/v2/invoice/${invoice_id}/pay`,
      call,
    );
    assert.equal(reply.status, 200, `${raw}: ${reply.text}`);
  }
  const { invoice_id } = await market.create(market.sale(1));
  for (const raw of ['{"amount":1}', '[]', '0', 'false', '"x"', '{', 'undefined', '[null]']) {
    const reply = await platform.api.send('invoicing', 'POST', `/v2/invoice/${invoice_id}/pay`, {
      raw,
    });
    assert.equal(reply.status, 400, `${raw}: ${reply.text}`);
  }
  assert.equal((await market.read(invoice_id)).state, 'open');
});

test('a blocked buyer neither creates nor pays', async () => {
  const { api } = platform;
  const made = await api.must<{ account_id: string }>(200, 'accounts', 'POST', '/register', {
    body: { username: 'to be blocked' },
  });
  const { account_id } = made;
  const deposit = { account_id, currency: 'USD', amount: 100 };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: deposit });
  type Method = { id: string; processing_currency: string };
  const methods = await api.must<Method[]>(
    200,
    'payments',
    'GET',
    `/v1/${account_id}/payment_methods`,
  );
  const method = methods.find((one) => one.processing_currency === 'USD');
  const body = market.sale(10, {
    account_id,
    payment_methods: [{ payment_method_id: method?.id }],
  });
  const open = await market.create(body);
  const block = { account_id, block_capability: 'login', block_reason: 'account_close' };
  await api.must(200, 'accounts', 'POST', '/v2/block', { body: block });
  const reply = await market.tryCreate(body);
  assert.deepEqual([reply.status, reply.code], [403, 'ACCOUNT_BLOCKED']);
  await market.pay(open.invoice_id);
  const failed = await market.ended(open.invoice_id);
  assert.deepEqual([failed.state, failed.failure_code], ['failed', 'account_blocked']);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
