// Rows, days and details of transactions, as each party reads them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../test/kit/english.ts';
import { daysOf, joined, readingOf, type Transaction } from './records.ts';

const COMMON = {
  transaction_id: 'a',
  transaction_status: 'processed',
  transaction_date: '2026-03-12T12:00:00.000000Z',
  transaction_description: '',
} as const;
const LINE = { description: '', product_sku: 'sku-1' };
const PAYOUT: Transaction = {
  ...COMMON,
  transaction_type: 'payout',
  transaction_status: 'payout-failed',
  transaction_description: 'Bank 1234',
  transaction_data: {
    payout_total_display: 'USD 10.00',
    payout_fee_display: 'USD 0.10',
    payout_amount_less_fee_display: 'USD 9.90',
    destination_payment_method: { payment_method_display_string: 'Bank 1234' },
    payout: { status: 'FAILED', failure_reason: 'It was sent back.' },
  },
};
const SALE: Transaction = {
  ...COMMON,
  transaction_type: 'user_purchase_recipient',
  transaction_status: 'pending',
  transaction_data: {
    total_received_display: 'USD 5.00',
    total_received_less_fees_display: 'USD 4.50',
    total_fees_paid_display: 'USD 0.50',
    recipient_items: [{ ...LINE, amount_received_display: 'USD 5.00' }],
    escrow_status: 'ESCROWED',
  },
};
const nameOf = (id: string): string => `method ${id}`;

test('a sale shows its net amount and where the money is', () => {
  const { kind, title, sign, amount, standing, facts } = readingOf(SALE, nameOf);
  assert.deepEqual([kind, title, sign, amount], ['Sale', 'sku-1', '+', 'USD 4.50']);
  assert.deepEqual([standing, facts], ['Pending', [['The money', 'Held for you']]]);
});

test('a purchase names its methods, with amounts when there are several', () => {
  const part = (id: string) => ({ payment_method_id: id, display_amount: 'USD 1.00' });
  const bought = (methods: Record<string, ReturnType<typeof part>>): Transaction => ({
    ...COMMON,
    transaction_type: 'user_purchase',
    transaction_data: {
      reference_type: 'order',
      reference_id: '7',
      summary: { display_amount: 'USD 2.00' },
      line_items: { l: { ...LINE, display_amount: 'USD 2.00' } },
      payment_methods: methods,
    },
  });
  const one = readingOf(bought({ x: part('x') }), nameOf);
  assert.deepEqual(one.facts, [['Paid with', 'method x'], ['Reference', 'order 7']]);
  assert.equal(one.sign, '-');
  const two = readingOf(bought({ x: part('x'), y: part('y') }), nameOf);
  assert.deepEqual(two.facts[1], ['Paid with', 'method y, USD 1.00']);
});

test('a refund of taxed things shows the tax that it returns', () => {
  const refund = (tax_total: number): Transaction => ({
    ...COMMON,
    transaction_type: 'refund',
    transaction_data: {
      ...{ subtotal_display: 'USD 1.00', tax_total, tax_total_display: 'USD 0.19' },
      ...{ total_display: 'USD 1.19', original_date: '', refund_line_items: [] },
      refund_payment_methods: [],
    },
  });
  const { sums } = readingOf(refund(19), nameOf);
  const all = [['Subtotal', 'USD 1.00'], ['Tax', 'USD 0.19'], ['Total', 'USD 1.19']];
  assert.deepEqual(sums, all);
  assert.deepEqual(readingOf(refund(0), nameOf).sums, all.slice(2));
});

test('a payout that failed says why', () => {
  const { standing, facts } = readingOf(PAYOUT, nameOf);
  assert.equal(standing, 'Not paid out');
  assert.deepEqual(facts, [['To', 'Bank 1234'], ['Why it failed', 'It was sent back.']]);
});

test('days are in the order of the list, the newest by name', () => {
  const on = (date: string): Transaction => ({ ...SALE, transaction_date: `${date}T12:00:00Z` });
  const list = [on('2026-03-12'), on('2026-03-12'), on('2026-03-11'), on('2025-12-31')];
  const days = daysOf(list, Date.parse('2026-03-12T13:00:00Z'));
  const seen = days.map(({ name, transactions }) => [name, transactions.length]);
  assert.deepEqual(seen, [['Today', 2], ['Yesterday', 1], ['31 December 2025', 1]]);
});

test('a transaction that moved between two pages is listed once', () => {
  const other = { ...SALE, transaction_id: 'b' };
  assert.deepEqual(joined([PAYOUT, other], [other, SALE]).length, 2);
});
