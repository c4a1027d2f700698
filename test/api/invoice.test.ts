// Invoices as the interface describes them: every field of every record, and who is paid.
// [seed: Invoice; G-30, G-33, G-40, G-46]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from './kit.ts';
import { Market, ownLine, saleLine } from './market.ts';
import { isWhole, typesOf } from './whole-invoice.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** What a caller states of a line item and gets back. */
const STATED = {
  product_sku: 'LAMP',
  reference_type: 'basket',
  reference_id: 'B-9',
  description: 'a lamp',
  metadata: { shelf: 'A' },
};

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

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
        ...STATED,
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
  assert.deepEqual(open.summary, {
    total_amount: 250,
    currency: 'USD',
    display_amount: 'USD 2.50',
  });
  assert.equal(open.created, open.updated);
  const [line] = Object.values(open.line_items);
  const { line_item_id, subitems, ...rest } = line as NonNullable<typeof line>;
  assert.match(line_item_id, UUID);
  assert.deepEqual(rest, {
    ...STATED,
    amount: 250,
    currency: 'USD',
    display_amount: 'USD 2.50',
    transaction_type: 'user_to_user',
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

test('what a line item states is in its authorized, sold and refund invoice', async () => {
  const sale = market.sale(0, { line_items: [ownLine(70, STATED)] });
  const sold = await market.sold(sale);
  const { payment_methods: _, ...alone } = sale;
  const call = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    platform.api.must<T>(200, 'invoicing', method, path, { body });
  type Ids = Readonly<Record<'authorized_invoice_id' | 'refund_invoice_id', string>>;
  const path = '/v2/authorize/invoice';
  const { authorized_invoice_id: id } = await call<Ids>('POST', path, {
    ...alone,
    invoice_mechanism: 'widget',
  });
  const refund = { invoice_id: sold.invoice_id, reason: 'other' };
  const { refund_invoice_id } = await call<Ids>('POST', '/v2/refund', refund);
  const authorized = await call<Pick<typeof sold, 'line_items'>>('GET', `${path}/${id}`);
  for (const { line_items } of [authorized, sold, await market.read(refund_invoice_id)]) {
    const [line] = Object.values(line_items);
    assert.deepEqual({ ...line, ...STATED }, line);
  }
});

test('what is absent is null for metadata and an empty text elsewhere', async () => {
  const nulls = { description: null, metadata: null, authorized_invoice_id: null };
  const explicit = market.sale(1, { ...nulls, reference_id: null });
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

test('currency and source_wallet_id of a recipient may be left out', async () => {
  const { seller } = platform.ready.accounts;
  const open = await market.create(market.sale(5));
  const payee = Object.values(open.subitems).find((one) => one.subitem_type === 'user_recipient');
  const source = payee?.source_wallet_id ?? '';
  for (const extra of [{}, { source_wallet_id: null }, { source_wallet_id: source }]) {
    const recipients = [{ amount: 5, destination_wallet_id: seller.wallet_id, ...extra }];
    const line = saleLine(seller.wallet_id, 5, { recipients });
    const invoice = await market.create(market.sale(5, { line_items: [line] }));
    const subitems = Object.values(invoice.subitems);
    assert.ok(
      subitems.every(
        (one) => one.subitem_type !== 'user_recipient' || one.source_wallet_id === source,
      ),
    );
  }
});

test('a seller by account id is paid into the wallet of the currency', async () => {
  const { seller2 } = platform.ready.accounts;
  const recipients = [{ amount: 9, destination_account_id: seller2.account_id }];
  const line = saleLine('', 9, { recipients });
  const invoice = await market.sold(market.sale(9, { line_items: [line] }));
  assert.equal(invoice.state, 'success');
  const payee = Object.values(invoice.subitems).find(
    (one) => one.subitem_type === 'user_recipient',
  );
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
  const recipients = [
    to(60, seller.wallet_id),
    to(30, seller2.wallet_id),
    to(10, seller.wallet_id),
  ];
  const line = saleLine('', 100, { recipients });
  const before = [
    await market.balance(seller.account_id),
    await market.balance(seller2.account_id),
  ];
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
    const recipients = [
      { amount: 10, destination_wallet_id: seller.wallet_id, fee_percentage: fee },
    ];
    const body = market.sale(0, { line_items: [saleLine('', 10, { recipients })] });
    const reply = await market.tryCreate(body);
    assert.deepEqual([reply.status, reply.code], [400, 'INVALID_FIELD'], String(fee));
  }
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
