// Invoices as the interface describes them: every field of every record, the states, who is paid.
// [seed: Invoice, Invoice state; G-30, G-31, G-33, G-39, G-40, G-46, G-48, G-74]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from './kit.ts';
import { Market, ownLine, saleLine } from './market.ts';
import type { Invoice, Subitem } from './records.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const RECORD = [
  ...['invoice_id', 'account_id', 'reference_type', 'reference_id', 'state', 'description'],
  ...['metadata', 'summary', 'created', 'updated', 'payment_methods', 'line_items', 'subitems'],
].toSorted();
const LINE = [
  ...['line_item_id', 'product_sku', 'amount', 'currency', 'display_amount', 'reference_type'],
  ...['reference_id', 'transaction_type', 'description', 'metadata', 'subitems'],
].toSorted();
const SUBITEM = [
  ...['subitem_id', 'amount', 'currency', 'display_amount', 'reference_type', 'reference_id'],
  ...['subitem_type', 'description', 'metadata', 'source_account_id', 'source_payment_method_id'],
  ...['source_wallet_id', 'destination_account_id', 'destination_payment_method_id'],
  'destination_wallet_id',
].toSorted();

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

function typesOf(invoice: Invoice): Record<string, number[]> {
  const groups = Map.groupBy(Object.values(invoice.subitems), (one) => one.subitem_type);
  return Object.fromEntries(
    [...groups].map(([type, group]) => [type, group.map((one) => one.amount).toSorted()]),
  );
}

/** All that holds for any invoice, whatever is in it. */
function isWhole(invoice: Invoice): void {
  const failed = invoice.state === 'failed' ? ['failure_code', 'failure_reason'] : [];
  assert.deepEqual(Object.keys(invoice).toSorted(), [...RECORD, ...failed].toSorted());
  assert.match(invoice.invoice_id, UUID);
  assert.match(invoice.created, TIME);
  assert.match(invoice.updated, TIME);
  assert.ok(invoice.created <= invoice.updated);
  assert.ok(Math.abs(Date.parse(invoice.created) - Date.now()) < 60_000);
  const found = new Map<string, Subitem>();
  const take = (subitems: Readonly<Record<string, Subitem>>): void => {
    for (const [id, subitem] of Object.entries(subitems)) {
      assert.equal(subitem.subitem_id, id);
      assert.match(id, UUID);
      assert.deepEqual(Object.keys(subitem).toSorted(), SUBITEM);
      assert.equal(subitem.currency, invoice.summary.currency);
      assert.ok(!found.has(id), 'a subitem stands in one place');
      found.set(id, subitem);
    }
  };
  let total = 0;
  for (const [id, line] of Object.entries(invoice.line_items)) {
    assert.equal(line.line_item_id, id);
    assert.match(id, UUID);
    assert.deepEqual(Object.keys(line).toSorted(), LINE);
    total += line.amount;
    take(line.subitems);
  }
  assert.equal(invoice.summary.total_amount, total);
  for (const [id, method] of Object.entries(invoice.payment_methods)) {
    assert.equal(method['payment_method_id'], id);
    take(method['subitems'] as Record<string, Subitem>);
  }
  assert.deepEqual(invoice.subitems, Object.fromEntries(found), 'all subitems, and only those');
}

test('an invoice with every field, from open to success', async () => {
  const { buyer, seller } = platform.ready.accounts;
  const metadata = { order: 7, nested: { list: [1, 'two', null, true], price: 1.5 } };
  const body = market.sale(250, {
    reference_type: 'order',
    reference_id: 'ORD-1',
    description: 'Two lamps – größer',
    metadata,
    line_items: [
      saleLine(seller.wallet_id, 250, {
        product_sku: 'LAMP',
        reference_type: 'basket',
        reference_id: 'B-9',
        description: 'a lamp',
        metadata: { shelf: 'A' },
        recipients: [
          {
            amount: 250,
            currency: 'USD',
            source_wallet_id: '',
            destination_wallet_id: seller.wallet_id,
            reference_type: 'payee',
            reference_id: 'P-1',
            description: 'for the lamp',
            metadata: { to: 'seller' },
          },
        ],
      }),
    ],
  });
  const open = await market.create(body);
  isWhole(open);
  assert.equal(open.state, 'open');
  assert.equal(open.account_id, buyer.account_id);
  assert.equal(open.reference_type, 'order');
  assert.equal(open.reference_id, 'ORD-1');
  assert.equal(open.description, 'Two lamps – größer');
  assert.deepEqual(open.metadata, metadata);
  assert.deepEqual(open.summary, { total_amount: 250, currency: 'USD', display_amount: 'USD 2.50' });
  assert.equal(open.created, open.updated);
  const [line] = Object.values(open.line_items);
  const { line_item_id, subitems, ...rest } = line as NonNullable<typeof line>;
  assert.match(line_item_id, UUID);
  assert.deepEqual(rest, {
    product_sku: 'LAMP',
    amount: 250,
    currency: 'USD',
    display_amount: 'USD 2.50',
    reference_type: 'basket',
    reference_id: 'B-9',
    transaction_type: 'user_to_user',
    description: 'a lamp',
    metadata: { shelf: 'A' },
  });
  const [payee] = Object.values(subitems);
  assert.deepEqual(
    { ...payee, subitem_id: '', source_wallet_id: '', destination_payment_method_id: '' },
    {
      subitem_id: '',
      amount: 250,
      currency: 'USD',
      display_amount: 'USD 2.50',
      reference_type: 'payee',
      reference_id: 'P-1',
      subitem_type: 'user_recipient',
      description: 'for the lamp',
      metadata: { to: 'seller' },
      source_account_id: '',
      source_payment_method_id: '',
      source_wallet_id: '',
      destination_account_id: seller.account_id,
      destination_payment_method_id: '',
      destination_wallet_id: seller.wallet_id,
    },
  );
  assert.match(payee?.source_wallet_id ?? '', UUID, 'the default publisher wallet');
  assert.deepEqual(await market.read(open.invoice_id), open);

  const before = [await market.balance(buyer.account_id), await market.balance(seller.account_id)];
  const paid = await market.pay(open.invoice_id);
  isWhole(paid);
  assert.equal(paid.state, 'processing');
  const done = await market.ended(open.invoice_id);
  isWhole(done);
  assert.equal(done.state, 'success');
  const still = { state: '', updated: '' };
  assert.deepEqual({ ...done, ...still }, { ...open, ...still }, 'nothing else changed');
  const after = [await market.balance(buyer.account_id), await market.balance(seller.account_id)];
  assert.deepEqual(after, [(before[0] as number) - 250, (before[1] as number) + 250]);
});

test('what is absent is null for metadata and an empty text elsewhere', async () => {
  const explicit = market.sale(1, { description: null, metadata: null, reference_id: null });
  for (const body of [market.sale(1), explicit]) {
    const invoice = await market.create(body);
    const [line] = Object.values(invoice.line_items);
    for (const record of [invoice, line, ...Object.values(invoice.subitems)]) {
      assert.equal(record?.metadata, null);
      assert.equal(record?.description, '');
      assert.equal(record?.reference_type, '');
      assert.equal(record?.reference_id, '');
    }
    assert.equal(line?.product_sku, '');
  }
});

test('recipients[].currency and source_wallet_id may be left out, the integrator named', async () => {
  const { seller } = platform.ready.accounts;
  const open = await market.create(market.sale(5));
  const payee = Object.values(open.subitems).find((one) => one.subitem_type === 'user_recipient');
  const source = payee?.source_wallet_id ?? '';
  for (const extra of [{}, { source_wallet_id: null }, { source_wallet_id: source }]) {
    const recipients = [{ amount: 5, destination_wallet_id: seller.wallet_id, ...extra }];
    const line = saleLine(seller.wallet_id, 5, { recipients });
    const invoice = await market.create(market.sale(5, { line_items: [line] }));
    const subitems = Object.values(invoice.subitems);
    assert.ok(subitems.every((one) => one.subitem_type !== 'user_recipient' || one.source_wallet_id === source));
  }
});

test('a seller by account id is paid into the wallet of the currency', async () => {
  const { seller2 } = platform.ready.accounts;
  const recipients = [{ amount: 9, destination_account_id: seller2.account_id }];
  const line = saleLine('', 9, { recipients });
  const invoice = await market.sold(market.sale(9, { line_items: [line] }));
  assert.equal(invoice.state, 'success');
  const payee = Object.values(invoice.subitems).find((one) => one.subitem_type === 'user_recipient');
  assert.equal(payee?.destination_wallet_id, seller2.wallet_id);
  assert.equal(payee?.destination_account_id, seller2.account_id);
});

test('user_to_integrator, alone, with an empty list of recipients, and beside a sale', async () => {
  const { buyer, seller } = platform.ready.accounts;
  for (const more of [{}, { recipients: [] }, { recipients: null }]) {
    const invoice = await market.create(market.sale(30, { line_items: [ownLine(30, more)] }));
    isWhole(invoice);
    const [line] = Object.values(invoice.line_items);
    assert.equal(line?.transaction_type, 'user_to_integrator');
    assert.deepEqual(typesOf(invoice), { integrator_share: [30], payment: [30] });
  }
  const lines = [ownLine(30), saleLine(seller.wallet_id, 70)];
  const open = await market.create(market.sale(100, { line_items: lines }));
  assert.deepEqual(typesOf(open), { integrator_share: [30], payment: [100], user_recipient: [70] });
  const share = Object.values(open.subitems).find((one) => one.subitem_type === 'integrator_share');
  const own = share?.destination_wallet_id ?? '';
  const before = [await market.walletBalance(own), await market.balance(seller.account_id)];
  const spent = await market.balance(buyer.account_id);
  await market.pay(open.invoice_id);
  assert.equal((await market.ended(open.invoice_id)).state, 'success');
  const after = [await market.walletBalance(own), await market.balance(seller.account_id)];
  assert.deepEqual(after, [(before[0] as number) + 30, (before[1] as number) + 70]);
  assert.equal(await market.balance(buyer.account_id), spent - 100);
});

test('several recipients of one line, the same seller twice among them', async () => {
  const { seller, seller2 } = platform.ready.accounts;
  const to = (amount: number, destination_wallet_id: string) => ({ amount, destination_wallet_id });
  const recipients = [to(60, seller.wallet_id), to(30, seller2.wallet_id), to(10, seller.wallet_id)];
  const line = saleLine('', 100, { recipients });
  const before = [await market.balance(seller.account_id), await market.balance(seller2.account_id)];
  const invoice = await market.sold(market.sale(100, { line_items: [line] }));
  isWhole(invoice);
  assert.equal(invoice.state, 'success');
  const after = [await market.balance(seller.account_id), await market.balance(seller2.account_id)];
  assert.deepEqual(after, [(before[0] as number) + 70, (before[1] as number) + 30]);
});

test('fees by percentage and by amount go to the integrator', async () => {
  const { seller } = platform.ready.accounts;
  const cases: readonly [number, Record<string, unknown>, number][] = [
    [1000, { fee_percentage: '0.029' }, 29],
    [1000, { fee_percentage: 0.05 }, 50],
    [333, { fee_percentage: 0.5 }, 167],
    [1000, { fee_percentage: '0.000001' }, 0],
    [1000, { fee_percentage: 1 }, 1000],
    [1000, { fee_amount: 25, fee_description: 'for us' }, 25],
    [1000, { fee_amount: 0 }, 0],
  ];
  for (const [amount, fee, expected] of cases) {
    const recipients = [{ amount, destination_wallet_id: seller.wallet_id, ...fee }];
    const line = saleLine('', amount + expected, { recipients });
    const invoice = await market.create(market.sale(0, { line_items: [line] }));
    isWhole(invoice);
    assert.deepEqual(typesOf(invoice)['fee'], [expected], JSON.stringify(fee));
    const subitem = Object.values(invoice.subitems).find((one) => one.subitem_type === 'fee');
    assert.equal(subitem?.description, fee['fee_description'] ?? '');
    const wrong = saleLine('', amount + expected + 1, { recipients });
    const reply = await market.tryCreate(market.sale(0, { line_items: [wrong] }));
    assert.deepEqual([reply.status, reply.code], [400, 'LINE_AMOUNT_MISMATCH']);
    assert.deepEqual(Object.keys(reply.errors), ['line_items[0].amount']);
  }
  for (const fee of ['1.1', '-0.1', '0.0000001', '.5', '1e-2', '', 2, -1, true, 'abc', [0.1]]) {
    const recipients = [{ amount: 10, destination_wallet_id: seller.wallet_id, fee_percentage: fee }];
    const body = market.sale(0, { line_items: [saleLine('', 10, { recipients })] });
    const reply = await market.tryCreate(body);
    assert.deepEqual([reply.status, reply.code], [400, 'INVALID_FIELD'], String(fee));
  }
});

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

test('a card that is declined fails the invoice and gives back the wallet part', async () => {
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
  const again = await platform.api.send('invoicing', 'POST', `/v2/invoice/${invoice.invoice_id}/pay`);
  assert.deepEqual([again.status, again.code], [400, 'INVOICE_NOT_OPEN']);
});

test('each failure code of the cards is the invoice’s own', async () => {
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
        { json: { account_id: buyer.account_id, test_card } },
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
  const json = { account_id: buyer.account_id, currency: 'JPY', amount: 1000 };
  await platform.api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { json });
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

test('amounts at the edges are shown and kept exactly', async () => {
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

test('every answer so far was declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
