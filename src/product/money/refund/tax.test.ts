// The tax of a sale from its statement to the last refund: what records show, where the ledger
// keeps it, who pays for what goes back, and that the laws see what differs. [G-89]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { foldAllCredits, runProofs, systemAccountId } from '../../../ledger/index.ts';
import type { TrialBalance } from '../books/index.ts';
import { authorizeInvoiceBody, summaryOf } from '../checkout/api.ts';
import type { invoiceRecord } from '../invoice/index.ts';
import type { RefundRecord } from './schema.ts';
import { laws } from './laws.ts';
import type { z } from 'zod';

type Invoice = z.output<typeof invoiceRecord>;

let bench: Bench;
let buyer = '';
let seller = '';
let wallet = '';
before(async () => {
  bench = await openBench(['USD']);
  [buyer, seller] = [await bench.newAccount(), await bench.newAccount()];
  const body = { account_id: buyer, currency: 'USD', amount: 100_000 };
  await bench.must('sandboxDeposit', { body });
  const share = { integrator: true, currency: 'USD', amount: 2_000 };
  await bench.must('sandboxDeposit', { body: share });
  type Methods = readonly { readonly id: string }[];
  const [method] = await bench.must<Methods>('listPaymentMethods', {
    params: { account_id: buyer },
  });
  wallet = method?.id ?? '';
});
after(() => bench.close());

const own = (amount: number, tax?: object) => {
  return { amount, currency: 'USD', transaction_type: 'user_to_integrator', ...(tax && { tax }) };
};

/** A line to the seller, who gets 90 % of what is no tax. */
const sold = (amount: number, net: number, tax: object) => {
  const fee_amount = net / 10;
  const recipients = [{ amount: net - fee_amount, destination_account_id: seller, fee_amount }];
  return { ...own(amount, tax), transaction_type: 'user_to_user', recipients };
};

const sale = (...line_items: readonly object[]) => {
  return { account_id: buyer, payment_methods: [{ payment_method_id: wallet }], line_items };
};

async function paid(...lines: readonly object[]): Promise<Invoice> {
  const { invoice_id } = await bench.must<Invoice>('createInvoice', { body: sale(...lines) });
  const params = { invoice_id };
  await bench.must('payInvoice', { params });
  return bench.must<Invoice>('getInvoice', { params });
}

/** Minor units on system accounts of a kind. */
async function kept(kind: 'tax_collected' | 'integrator_share'): Promise<number> {
  const [row] = await bench.db.query<{ sum: bigint }>({
    text: 'select coalesce(sum(amount), 0)::int8 as sum from posting where account_id = $1',
    values: [systemAccountId(bench.home.workspace, kind, 'USD')],
  });
  return Number(row?.sum);
}

/** What some work changed on the two accounts: tax, share. */
async function change(work: () => Promise<unknown>): Promise<readonly [number, number]> {
  const before = [await kept('tax_collected'), await kept('integrator_share')] as const;
  await work();
  await foldAllCredits(bench.db);
  return [
    (await kept('tax_collected')) - before[0],
    (await kept('integrator_share')) - before[1],
  ];
}

const refundLine = (line: string, amount: number) => {
  const body = { line_item_id: line, amount, reason: 'other' };
  return bench.must<RefundRecord>('refundLineItem', { body });
};

const VAT = { amount: 190, description: '19 % VAT' };
const sum = (total_amount: number, shown: string) => {
  return { total_amount, currency: 'USD', display_amount: `USD ${shown}` };
};

test('tax is added to a line or included in it, and is an entry of its own', async () => {
  let invoice: Invoice | undefined;
  const moved = await change(async () => {
    invoice = await paid(
      sold(1_000, 1_000, VAT),
      own(119, { amount: 19, inclusive: true }),
      own(50, { amount: 0, description: 'zero-rated' }),
    );
  });
  assert.ok(invoice);
  assert.deepEqual(moved, [209, 100 + 100 + 50], 'the tax; fee and own lines without it');
  assert.deepEqual(invoice.summary, {
    ...sum(1_359, '13.59'),
    subtotal: sum(1_150, '11.50'),
    tax: sum(209, '2.09'),
  });
  const lines = Object.values(invoice.line_items);
  assert.deepEqual(
    lines.map(({ amount, display_amount, tax }) => ({ amount, display_amount, tax })),
    [
      {
        ...{ amount: 1_000, display_amount: 'USD 10.00' },
        tax: { ...VAT, display_amount: 'USD 1.90', inclusive: false },
      },
      {
        ...{ amount: 119, display_amount: 'USD 1.19' },
        tax: { amount: 19, display_amount: 'USD 0.19', inclusive: true, description: '' },
      },
      {
        ...{ amount: 50, display_amount: 'USD 0.50' },
        tax: { amount: 0, display_amount: 'USD 0.00', inclusive: false, description: 'zero-rated' },
      },
    ],
  );
  const entries = Object.values(invoice.subitems).filter((one) => one.subitem_type === 'tax');
  assert.deepEqual(entries.map(({ amount }) => amount), [190, 19, 0]);
  assert.deepEqual([entries[0]?.description, entries[0]?.destination_wallet_id], ['19 % VAT', '']);
  const { currencies } = await bench.must<TrialBalance>('getTrialBalance');
  assert.deepEqual(
    currencies[0]?.accounts.find(({ kind }) => kind === 'tax_collected'),
    { kind: 'tax_collected', debit: 0, credit: 209 },
  );
});

test('a sale that states no tax says nothing of any', async () => {
  const { summary, line_items, subitems } = await paid(sold(100, 100, { amount: 10 }), own(5));
  assert.equal(summary.total_amount, 115);
  assert.equal('tax' in (Object.values(line_items)[1] ?? {}), false);
  const plain = await paid(own(5));
  assert.deepEqual(plain.summary, sum(5, '0.05'));
  assert.equal(Object.values(subitems).filter((one) => one.subitem_type === 'tax').length, 1);
});

test('each refund returns its share of the tax; the integrator pays the rest alone', async () => {
  const { invoice_id, line_items } = await paid(sold(1_000, 1_000, VAT));
  const [{ line_item_id: line } = { line_item_id: '' }] = Object.values(line_items);
  const refunds: RefundRecord[] = [];
  const refund = (amount: number) => async () => refunds.push(await refundLine(line, amount));
  assert.deepEqual(await change(refund(400)), [-64, -336], '63.87');
  assert.deepEqual(await change(refund(3)), [0, -3], '64.35 so far');
  const rest = { invoice_id, reason: 'other' };
  const all = async () => refunds.push(await bench.must('refundInvoice', { body: rest }));
  assert.deepEqual(await change(all), [-126, -661]);
  const money = (amount: number, shown: string) => {
    return { amount, currency: 'USD', display_amount: `USD ${shown}` };
  };
  assert.deepEqual(
    refunds.map(({ tax }) => tax),
    [money(64, '0.64'), undefined, money(126, '1.26')],
  );
  const params = { invoice_id: refunds[2]?.refund_invoice_id ?? '' };
  const back = await bench.must<Invoice>('getInvoice', { params });
  assert.deepEqual(back.summary, {
    ...sum(787, '7.87'),
    subtotal: sum(661, '6.61'),
    tax: sum(126, '1.26'),
  });
  const [of] = Object.values(back.line_items);
  assert.deepEqual([of?.amount, of?.tax?.amount], [661, 126]);
  const caller = bench.caller(bench.home, 'session', buyer);
  type History = { readonly transaction_data: Readonly<Record<string, unknown>> };
  const asked = { params: { transaction_id: params.invoice_id }, caller };
  const { transaction_data: data } = await bench.must<History>('getTransaction', asked);
  assert.deepEqual([data['subtotal'], data['tax_total'], data['total']], [661, 126, 787]);
  await bench.proved();
});

test('a refund waits for what the integrator pays, never for the tax', async () => {
  const { line_items } = await paid(sold(20_000, 10_000, { amount: 10_000, inclusive: true }));
  const [{ line_item_id: line } = { line_item_id: '' }] = Object.values(line_items);
  await foldAllCredits(bench.db);
  const held = await kept('integrator_share');
  const { refund_id, status, tax } = await refundLine(line, 2 * held + 2);
  assert.deepEqual([status, tax?.amount], ['REFUND-WAITING-FUNDS', held + 1]);
  await bench.proved();
  const params = { refund_id };
  await bench.must('withdrawRefund', { params });
  const funded = await refundLine(line, 2 * held);
  assert.deepEqual([funded.status, funded.tax?.amount], ['REFUND-SUCCESS', held]);
  await bench.proved();
});

test('an escrow holds tax with the rest, keeps it at the release, or returns it', async () => {
  type Made = { readonly id: string; readonly cancel_invoice_id: string };
  const held = async () => {
    const body = sale(sold(1_000, 1_000, VAT));
    const { id: escrow_id } = await bench.must<Made>('createEscrow', { body });
    const params = { escrow_id };
    await bench.must('payEscrow', { params });
    return { params };
  };
  const released = await change(async () => bench.must('commitEscrow', await held()));
  assert.deepEqual(released, [190, 100]);
  let ended: Made | undefined;
  const cancelled = await change(async () => {
    ended = await bench.must<Made>('cancelEscrow', await held());
  });
  assert.deepEqual(cancelled, [0, 0]);
  const params = { invoice_id: ended?.cancel_invoice_id ?? '' };
  const { summary } = await bench.must<Invoice>('getInvoice', { params });
  assert.deepEqual([summary.total_amount, summary.tax?.total_amount], [1_190, 190]);
  await bench.proved();
});

test('a prepared sale shows subtotal and tax before anybody pays', () => {
  const lines = [sold(1_000, 1_000, VAT), own(5)];
  const body = authorizeInvoiceBody.parse({
    ...{ account_id: buyer, line_items: lines, invoice_mechanism: 'widget' },
  });
  const whole = { id: '', isEscrow: false, sale: body, expired: false, latest: null };
  const { display_amount, subtotal, tax, line_items } = summaryOf(whole);
  assert.deepEqual([subtotal, tax], [sum(1_005, '10.05'), sum(190, '1.90')]);
  assert.equal(display_amount, 'USD 11.95');
  assert.deepEqual(line_items.map((line) => line.display_amount), ['USD 10.00', 'USD 0.05']);
  const untaxed = summaryOf({ ...whole, sale: { ...body, line_items: body.line_items.slice(1) } });
  assert.equal('tax' in untaxed || 'subtotal' in untaxed, false);
});

test('a tax that is wrong is refused, with its place', async () => {
  const cases: readonly (readonly [object, string, string])[] = [
    [own(10, { amount: 11, inclusive: true }), 'TAX_EXCEEDS_LINE', 'tax.amount'],
    [own(10, { amount: -1 }), 'INVALID_FIELD', 'tax.amount'],
    [own(10, { amount: 1.5 }), 'INVALID_FIELD', 'tax.amount'],
    [own(10, { amount: '1' }), 'INVALID_FIELD', 'tax.amount'],
    [own(10, { amount: 100_000_000_000 }), 'INVALID_FIELD', 'tax.amount'],
    [own(10, {}), 'MISSING_FIELD', 'tax.amount'],
    [own(10, { amount: 1, currency: 'EUR' }), 'UNKNOWN_FIELD', 'tax.currency'],
    [own(10, { amount: 1, percentage: '0.19' }), 'UNKNOWN_FIELD', 'tax.percentage'],
    [own(10, { amount: 1, inclusive: 'yes' }), 'INVALID_FIELD', 'tax.inclusive'],
    [sold(110, 110, { amount: 10, inclusive: true }), 'LINE_AMOUNT_MISMATCH', 'amount'],
    [sold(110, 100, { amount: 10 }), 'LINE_AMOUNT_MISMATCH', 'amount'],
  ];
  for (const [line, code, field] of cases) {
    const reply = await bench.call('createInvoice', { body: sale(line) });
    assert.deepEqual([reply.code, Object.keys(reply.errors)], [code, [`line_items[0].${field}`]]);
  }
  const free = await paid(own(0, { amount: 0 }), own(7, { amount: 7, inclusive: true }));
  assert.deepEqual([free.summary.total_amount, free.summary.tax?.total_amount], [7, 7]);
});

class Undo extends Error {}

test('the laws see tax that is not what sales and refunds say', async () => {
  const planted: readonly (readonly [law: string, statement: string])[] = [
    ['tax_is_collected_less_returned', `update posting set amount = amount + 1 where account_id =
      '${systemAccountId(bench.home.workspace, 'tax_collected', 'USD')}'`],
    ['tax_is_collected_less_returned', `delete from posting where account_id =
      '${systemAccountId(bench.home.workspace, 'tax_collected', 'USD')}'`],
    ['tax_is_collected_less_returned', `update refunded_amounts set taxes = '{}'`],
    ['tax_is_returned_with_its_line', `update refunded_amounts set taxes = '{}'`],
    ['tax_is_returned_with_its_line', `update refunded_amounts set taxes = lines`],
  ];
  for (const [law, statement] of planted) {
    let broken: string[] = [];
    const work = bench.db.transaction(async (tx) => {
      await tx.execute("set local session_replication_role = 'replica'");
      await tx.execute(statement);
      const found = await runProofs(tx, laws);
      broken = found.filter(({ breaches }) => breaches > 0).map(({ name }) => name);
      throw new Undo();
    });
    await assert.rejects(work, Undo);
    assert.ok(broken.includes(law), `${law} does not see ${statement}`);
  }
});
