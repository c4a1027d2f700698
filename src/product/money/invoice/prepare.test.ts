// The checks of a creation that need no row: sums, fees, and how methods share a total. The tables
// of cases are written by hand from the interface. [G-30, G-31, G-46, seed: POST /v2/invoice]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { prepareInvoice, shareTotal } from './prepare.ts';
import type { CreateInvoiceBody, LineBody, RecipientBody } from './schema.ts';

const CAP = 99_999_999_999;

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.spec.code;
    throw error;
  }
  return 'accepted';
}

function method(id: string, amount?: number): { payment_method_id: string; amount?: number } {
  return amount === undefined ? { payment_method_id: id } : { payment_method_id: id, amount };
}

test('methods share a total: one takes all, the 0 among several takes the remainder', () => {
  const cases: [Parameters<typeof shareTotal>[0], number, number[] | string][] = [
    [[], 0, []],
    [[], 1, 'PAYMENT_METHOD_REQUIRED'],
    [[method('a')], 500, [500]],
    [[method('a', 0)], 500, [500]],
    [[method('a', 500)], 500, [500]],
    [[method('a', 499)], 500, 'PAYMENT_AMOUNTS_MISMATCH'],
    [[method('a', 501)], 500, 'PAYMENT_AMOUNTS_MISMATCH'],
    [[method('a')], 0, [0]],
    [[method('a', 0), method('b', 200)], 500, [300, 200]],
    [[method('a', 499), method('b', 0)], 500, [499, 1]],
    [[method('a', 500), method('b', 0)], 500, 'PAYMENT_AMOUNTS_MISMATCH'],
    [[method('a', 501), method('b', 0)], 500, 'PAYMENT_AMOUNTS_MISMATCH'],
    [[method('a', 250), method('b', 250)], 500, 'PAYMENT_REMAINDER_AMBIGUOUS'],
    [[method('a', 0), method('b', 0)], 500, 'PAYMENT_REMAINDER_AMBIGUOUS'],
    [[method('a', 0), method('b', 0), method('c', 1)], 500, 'PAYMENT_REMAINDER_AMBIGUOUS'],
    [[method('a', 100), method('b')], 500, 'PAYMENT_AMOUNT_REQUIRED'],
    [[method('a'), method('b')], 500, 'PAYMENT_AMOUNT_REQUIRED'],
    [[method('a', 0), method('a', 100)], 500, 'PAYMENT_METHOD_REPEATED'],
    [[method('a', 0), method('b', 1)], 0, 'PAYMENT_AMOUNTS_MISMATCH'],
    [[method('a', CAP), method('b', 0)], CAP + 1, [CAP, 1]],
  ];
  for (const [methods, total, expected] of cases) {
    const name = JSON.stringify([methods, total]);
    if (typeof expected === 'string') {
      assert.equal(codeOf(() => shareTotal(methods, total)), expected, name);
    } else {
      assert.deepEqual(shareTotal(methods, total).map((part) => part.amount), expected, name);
    }
  }
});

function recipient(amount: number, more: Partial<RecipientBody> = {}): RecipientBody {
  return { amount, destination_wallet_id: 'w', ...more } as RecipientBody;
}

function toUsers(amount: number, ...recipients: readonly RecipientBody[]): LineBody {
  const kind = { transaction_type: 'user_to_user', currency: 'USD' };
  return { ...kind, amount, recipients } as unknown as LineBody;
}

function toUs(amount: number, more: Partial<LineBody> = {}): LineBody {
  return { transaction_type: 'user_to_integrator', currency: 'USD', amount, ...more } as LineBody;
}

function prepared(...line_items: readonly LineBody[]): ReturnType<typeof prepareInvoice> {
  const body = { account_id: 'acct', payment_methods: [method('m')], line_items };
  return prepareInvoice(body as unknown as CreateInvoiceBody, newUuid);
}

test("a line's amount is the sum of its recipients and their fees, to the last unit", () => {
  const cases: [LineBody, string][] = [
    [toUsers(100, recipient(100)), 'accepted'],
    [toUsers(100, recipient(60), recipient(40)), 'accepted'],
    [toUsers(100, recipient(60), recipient(41)), 'LINE_AMOUNT_MISMATCH'],
    [toUsers(100, recipient(100), recipient(0)), 'accepted'],
    [toUsers(0, recipient(0)), 'accepted'],
    [toUsers(103, recipient(100, { fee_amount: 3 })), 'accepted'],
    [toUsers(100, recipient(100, { fee_amount: 3 })), 'LINE_AMOUNT_MISMATCH'],
    [toUsers(103, recipient(100, { fee_percentage: '0.029' })), 'accepted'],
    [toUsers(102, recipient(100, { fee_percentage: '0.024' })), 'accepted'],
    [toUsers(103, recipient(100, { fee_percentage: '0.025' })), 'accepted'],
    [toUsers(200, recipient(100, { fee_percentage: '1' })), 'accepted'],
    [toUsers(100, recipient(100, { fee_percentage: '0' })), 'accepted'],
    [
      toUsers(103, recipient(100, { fee_percentage: '0.03', fee_amount: 3 })),
      'RECIPIENT_FEE_AMBIGUOUS',
    ],
    [toUsers(100), 'RECIPIENTS_REQUIRED'],
    [toUsers(100, recipient(100, { currency: 'USD' })), 'accepted'],
    [toUsers(100, recipient(100, { currency: 'EUR' })), 'CURRENCY_MIXED'],
    [toUs(100), 'accepted'],
    [toUs(100, { recipients: [] }), 'accepted'],
    [toUs(100, { recipients: [recipient(100)] }), 'RECIPIENTS_NOT_ALLOWED'],
  ];
  for (const [line, expected] of cases) {
    assert.equal(codeOf(() => prepared(line)), expected, JSON.stringify(line));
  }
});

test('totals are exact up to the last integer that JSON carries, and refused beyond it', () => {
  const lines = (count: number): LineBody[] => Array.from({ length: count }, () => toUs(CAP));
  assert.equal(prepared(...lines(90_071)).total, 90_071 * CAP);
  const rest = Number(9_007_199_254_740_991n - 90_071n * BigInt(CAP));
  assert.equal(prepared(...lines(90_071), toUs(rest)).total, Number.MAX_SAFE_INTEGER);
  assert.equal(
    codeOf(() => prepared(...lines(90_071), toUs(rest + 1))),
    'INVOICE_TOTAL_TOO_LARGE',
  );
  assert.equal(codeOf(() => prepared(...lines(90_072))), 'INVOICE_TOTAL_TOO_LARGE');
});

test('one currency for an invoice', () => {
  assert.equal(codeOf(() => prepared(toUs(1), toUs(1, { currency: 'EUR' }))), 'CURRENCY_MIXED');
});
