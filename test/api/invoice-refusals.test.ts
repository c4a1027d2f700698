// Integrators' mistakes in invoices: each is refused with a code that names the rule and the path
// of the field, and changes nothing. [G-11, G-30, G-31, G-32, G-46, G-72]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from './kit.ts';
import { Market, ownLine, saleLine, type Body } from './market.ts';

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const NOBODY = 'acct_00000000000000000000000000';

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
  await market.lastSequence();
});
after(() => platform?.stop());

type Case = readonly [what: string, body: Body, code: string, path: string | null];

async function refuseAll(cases: readonly Case[]): Promise<void> {
  const before = await platform.rows();
  for (const [what, body, code, path] of cases) {
    const reply = await market.tryCreate(body, { headers: { 'idempotency-key': `k ${what}` } });
    assert.deepEqual([reply.status, reply.code], [400, code], `${what}: ${reply.text}`);
    if (path !== null) assert.deepEqual(Object.keys(reply.errors), [path], what);
  }
  assert.deepEqual(await platform.rows(), before, 'a refusal leaves no trace');
  const { invoice_id } = await market.create(market.sale(1));
  assert.ok(invoice_id, 'the next request works');
}

function paid(...recipients: readonly Body[]): Body {
  const amount = recipients.reduce((sum, one) => sum + Number(one['amount'] ?? 0), 0);
  return market.sale(0, { line_items: [saleLine('', amount, { recipients })] });
}

test('wrong currencies are refused', async () => {
  const { seller, buyer } = platform.ready.accounts;
  const line = (currency: unknown): Body =>
    market.sale(0, { line_items: [ownLine(5, { currency })] });
  const yen = { account_id: seller.account_id };
  const path = `/v1/${yen.account_id}/payment_methods`;
  type Method = { processing_currency: string; provider_data: { wallet_id?: string } };
  const methods = await platform.api.must<Method[]>(200, 'payments', 'GET', path);
  const other = methods.find((one) => one.processing_currency === 'EUR')?.provider_data.wallet_id;
  await refuseAll([
    ['lower case', line('usd'), 'INVALID_FIELD', 'line_items[0].currency'],
    ['not a code', line('DOLLAR'), 'INVALID_FIELD', 'line_items[0].currency'],
    ['empty', line(''), 'INVALID_FIELD', 'line_items[0].currency'],
    ['spaces', line('USD '), 'INVALID_FIELD', 'line_items[0].currency'],
    ['unknown', line('ZZZ'), 'CURRENCY_NOT_ENABLED', 'line_items[0].currency'],
    ['not enabled', line('CHF'), 'CURRENCY_NOT_ENABLED', 'line_items[0].currency'],
    ['absent', line(undefined), 'MISSING_FIELD', 'line_items[0].currency'],
    [
      'two in one invoice',
      market.sale(0, { line_items: [ownLine(5), ownLine(5, { currency: 'EUR' })] }),
      'CURRENCY_MIXED',
      'line_items[1].currency',
    ],
    [
      'a recipient of another',
      paid({ amount: 5, currency: 'EUR', destination_wallet_id: seller.wallet_id }),
      'CURRENCY_MIXED',
      'line_items[0].recipients[0].currency',
    ],
    [
      'a wallet of another',
      paid({ amount: 5, destination_wallet_id: other }),
      'WALLET_CURRENCY_MISMATCH',
      'line_items[0].recipients[0].destination_wallet_id',
    ],
    [
      'a method of another',
      market.sale(0, {
        line_items: [ownLine(5, { currency: 'EUR' })],
        payment_methods: [{ payment_method_id: buyer.wallet_payment_method_id }],
      }),
      'PAYMENT_METHOD_CURRENCY_MISMATCH',
      'payment_methods[0].payment_method_id',
    ],
  ]);
});

test('wrong recipients are refused', async () => {
  const { buyer, seller, seller2 } = platform.ready.accounts;
  const to = (amount: unknown, more: Body = {}): Body => ({
    amount,
    destination_wallet_id: seller.wallet_id,
    ...more,
  });
  const line = (amount: number, recipients: unknown): Body =>
    market.sale(0, { line_items: [saleLine('', amount, { recipients })] });
  const first = 'line_items[0].recipients[0]';
  await refuseAll([
    ['none', line(5, []), 'RECIPIENTS_REQUIRED', 'line_items[0].recipients'],
    ['absent', line(5, undefined), 'RECIPIENTS_REQUIRED', 'line_items[0].recipients'],
    ['null', line(5, null), 'RECIPIENTS_REQUIRED', 'line_items[0].recipients'],
    ['an object', line(5, to(5)), 'INVALID_FIELD', 'line_items[0].recipients'],
    ['too little', line(6, [to(5)]), 'LINE_AMOUNT_MISMATCH', 'line_items[0].amount'],
    ['too much', line(4, [to(5)]), 'LINE_AMOUNT_MISMATCH', 'line_items[0].amount'],
    [
      'cancelling out',
      line(0, [to(5), to(-5)]),
      'INVALID_FIELD',
      'line_items[0].recipients[1].amount',
    ],
    [
      'negative to make room',
      line(5, [to(10), to(-5)]),
      'INVALID_FIELD',
      'line_items[0].recipients[1].amount',
    ],
    [
      'a negative fee',
      line(5, [to(10, { fee_amount: -5 })]),
      'INVALID_FIELD',
      `${first}.fee_amount`,
    ],
    [
      'two fees',
      line(6, [to(5, { fee_amount: 1, fee_percentage: '0.2' })]),
      'RECIPIENT_FEE_AMBIGUOUS',
      `${first}.fee_amount`,
    ],
    ['no amount', line(5, [to(undefined)]), 'MISSING_FIELD', `${first}.amount`],
    [
      'on user_to_integrator',
      market.sale(0, { line_items: [ownLine(5, { recipients: [to(5)] })] }),
      'RECIPIENTS_NOT_ALLOWED',
      'line_items[0].recipients',
    ],
    ['nobody', paid({ amount: 5 }), 'WALLET_NOT_FOUND', null],
    [
      'unknown wallet',
      paid(to(5, { destination_wallet_id: NOWHERE })),
      'WALLET_NOT_FOUND',
      `${first}.destination_wallet_id`,
    ],
    [
      'a text',
      paid(to(5, { destination_wallet_id: 'x' })),
      'WALLET_NOT_FOUND',
      `${first}.destination_wallet_id`,
    ],
    [
      'an account for a wallet',
      paid(to(5, { destination_wallet_id: seller.account_id })),
      'WALLET_NOT_FOUND',
      `${first}.destination_wallet_id`,
    ],
    [
      'a wallet in capitals',
      paid(to(5, { destination_wallet_id: seller.wallet_id.toUpperCase() })),
      'WALLET_NOT_FOUND',
      `${first}.destination_wallet_id`,
    ],
    [
      'unknown account',
      paid({ amount: 5, destination_account_id: NOBODY }),
      'WALLET_NOT_FOUND',
      `${first}.destination_account_id`,
    ],
    [
      'wallet and account that differ',
      paid(to(5, { destination_account_id: seller2.account_id })),
      'WALLET_NOT_FOUND',
      null,
    ],
    [
      'the buyer',
      paid(to(5, { destination_wallet_id: buyer.wallet_id })),
      'SELF_PAYMENT',
      `${first}.destination_wallet_id`,
    ],
    [
      'the buyer by account',
      paid({ amount: 5, destination_account_id: buyer.account_id }),
      'SELF_PAYMENT',
      `${first}.destination_account_id`,
    ],
    [
      'the buyer among others',
      paid(to(5), to(0, { destination_wallet_id: buyer.wallet_id })),
      'SELF_PAYMENT',
      'line_items[0].recipients[1].destination_wallet_id',
    ],
    [
      "a user's wallet as source",
      paid(to(5, { source_wallet_id: seller2.wallet_id })),
      'SOURCE_WALLET_NOT_ALLOWED',
      `${first}.source_wallet_id`,
    ],
    [
      "the buyer's wallet as source",
      paid(to(5, { source_wallet_id: buyer.wallet_id })),
      'SOURCE_WALLET_NOT_ALLOWED',
      `${first}.source_wallet_id`,
    ],
    [
      'unknown source',
      paid(to(5, { source_wallet_id: NOWHERE })),
      'WALLET_NOT_FOUND',
      `${first}.source_wallet_id`,
    ],
  ]);
});

test("the integrator's wallet is no seller, and pays in its own currency only", async () => {
  const { buyer, seller } = platform.ready.accounts;
  const shareOf = async (currency: string): Promise<string | undefined> => {
    const line_items = [ownLine(5, { currency })];
    const payment_methods = [{ payment_method_id: buyer.card_payment_method_id }];
    const open = await market.create(market.sale(0, { line_items, payment_methods }));
    const { subitems } = open;
    const share = Object.values(subitems).find((one) => one.subitem_type === 'integrator_share');
    return share?.destination_wallet_id;
  };
  const [wallet, euro] = [await shareOf('USD'), await shareOf('EUR')];
  await market.lastSequence();
  await refuseAll([
    [
      'as destination',
      paid({ amount: 5, destination_wallet_id: wallet }),
      'WALLET_NOT_FOUND',
      null,
    ],
    [
      'as source in another currency',
      paid({ amount: 5, destination_wallet_id: seller.wallet_id, source_wallet_id: euro }),
      'WALLET_CURRENCY_MISMATCH',
      'line_items[0].recipients[0].source_wallet_id',
    ],
  ]);
});

test('wrong payment methods are refused', async () => {
  const { buyer, seller } = platform.ready.accounts;
  const path = `/v1/${seller.account_id}/payment_methods`;
  const foreign = await platform.api.must<{ id: string }[]>(200, 'payments', 'GET', path);
  const wallet = buyer.wallet_payment_method_id;
  const card = buyer.card_payment_method_id;
  const declined = buyer.declined_card_payment_method_id;
  const by = (...methods: readonly (readonly [string, unknown?])[]): Body =>
    market.sale(100, {
      payment_methods: methods.map(([payment_method_id, amount]) => ({
        payment_method_id,
        amount,
      })),
    });
  const many = Array.from({ length: 21 }, (_, at) => ({ payment_method_id: `m${at}`, amount: at }));
  await refuseAll([
    [
      'none',
      market.sale(100, { payment_methods: [] }),
      'PAYMENT_METHOD_REQUIRED',
      'payment_methods',
    ],
    [
      'absent',
      market.sale(100, { payment_methods: undefined }),
      'PAYMENT_METHOD_REQUIRED',
      'payment_methods',
    ],
    ['one, too little', by([wallet, 99]), 'PAYMENT_AMOUNTS_MISMATCH', 'payment_methods[0].amount'],
    ['one, too much', by([wallet, 101]), 'PAYMENT_AMOUNTS_MISMATCH', 'payment_methods[0].amount'],
    [
      'two remainders',
      by([wallet, 0], [card, 0]),
      'PAYMENT_REMAINDER_AMBIGUOUS',
      'payment_methods',
    ],
    [
      'no remainder',
      by([wallet, 50], [card, 50]),
      'PAYMENT_REMAINDER_AMBIGUOUS',
      'payment_methods',
    ],
    [
      'absent among several',
      by([wallet, 50], [card]),
      'PAYMENT_AMOUNT_REQUIRED',
      'payment_methods[1].amount',
    ],
    [
      'null among several',
      by([wallet, null], [card, 50]),
      'PAYMENT_AMOUNT_REQUIRED',
      'payment_methods[0].amount',
    ],
    [
      'nothing remains',
      by([wallet, 100], [card, 0]),
      'PAYMENT_AMOUNTS_MISMATCH',
      'payment_methods',
    ],
    [
      'negative remainder',
      by([wallet, 150], [card, 0]),
      'PAYMENT_AMOUNTS_MISMATCH',
      'payment_methods',
    ],
    [
      'three, too much',
      by([wallet, 60], [card, 60], [declined, 0]),
      'PAYMENT_AMOUNTS_MISMATCH',
      'payment_methods',
    ],
    ['negative amount', by([wallet, -50], [card, 0]), 'INVALID_FIELD', 'payment_methods[0].amount'],
    ['a method twice', by([wallet, 50], [wallet, 0]), 'PAYMENT_METHOD_REPEATED', 'payment_methods'],
    ['twenty-one', market.sale(100, { payment_methods: many }), 'INVALID_FIELD', 'payment_methods'],
    ['unknown', by([NOWHERE]), 'PAYMENT_METHOD_NOT_FOUND', 'payment_methods[0].payment_method_id'],
    ['a text', by(['card']), 'PAYMENT_METHOD_NOT_FOUND', 'payment_methods[0].payment_method_id'],
    ['empty', by(['']), 'PAYMENT_METHOD_NOT_FOUND', 'payment_methods[0].payment_method_id'],
    [
      'in capitals',
      by([wallet.toUpperCase()]),
      'PAYMENT_METHOD_NOT_FOUND',
      'payment_methods[0].payment_method_id',
    ],
    [
      "somebody else's",
      by([foreign[0]?.id ?? '']),
      'PAYMENT_METHOD_NOT_FOUND',
      'payment_methods[0].payment_method_id',
    ],
    [
      'unknown at a zero total',
      market.sale(0, { payment_methods: [{ payment_method_id: NOWHERE }] }),
      'PAYMENT_METHOD_NOT_FOUND',
      'payment_methods[0].payment_method_id',
    ],
    [
      'a wallet id for a method id',
      by([buyer.wallet_id]),
      'PAYMENT_METHOD_NOT_FOUND',
      'payment_methods[0].payment_method_id',
    ],
  ]);
});

test('a wrong buyer, line item or total is refused', async () => {
  const largest = 99_999_999_999;
  const bare = { ...ownLine(largest) };
  // The body limit of 1 MB does not hold enough lines to pass 2^53 with a shorter line.
  const lines = Array.from({ length: 9_000 }, () => bare);
  await refuseAll([
    ['unknown buyer', market.sale(5, { account_id: NOBODY }), 'ACCOUNT_NOT_FOUND', 'account_id'],
    ['a text as buyer', market.sale(5, { account_id: 'me' }), 'ACCOUNT_NOT_FOUND', 'account_id'],
    ['empty buyer', market.sale(5, { account_id: '' }), 'ACCOUNT_NOT_FOUND', 'account_id'],
    [
      'buyer too long',
      market.sale(5, { account_id: 'a'.repeat(37) }),
      'INVALID_FIELD',
      'account_id',
    ],
    ['no buyer', market.sale(5, { account_id: undefined }), 'MISSING_FIELD', 'account_id'],
    ['no lines', market.sale(5, { line_items: [] }), 'INVALID_FIELD', 'line_items'],
    ['lines absent', market.sale(5, { line_items: undefined }), 'MISSING_FIELD', 'line_items'],
    ['lines null', market.sale(5, { line_items: null }), 'INVALID_FIELD', 'line_items'],
    ['a line null', market.sale(5, { line_items: [null] }), 'INVALID_FIELD', 'line_items[0]'],
    ['above the largest', market.sale(largest + 1), 'INVALID_FIELD', null],
    [
      'a wrong type',
      market.sale(5, { line_items: [{ ...bare, transaction_type: 'user_to_publisher' }] }),
      'INVALID_FIELD',
      'line_items[0].transaction_type',
    ],
  ]);
  const { buyer } = platform.ready.accounts;
  const { length } = JSON.stringify(market.sale(0, { line_items: lines }));
  assert.ok(length < 1_048_576);
  const sum = await market.create(
    market.sale(0, {
      line_items: lines,
      payment_methods: [{ payment_method_id: buyer.card_payment_method_id }],
    }),
  );
  assert.equal(sum.summary.total_amount, largest * 9_000, 'the body limit is met before the cap');
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
