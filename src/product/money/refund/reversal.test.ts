// Chargebacks and bank returns are booked once, borne by the integrator as soon as it can, never
// refunded as well, never taken out of a wallet, and never change the invoice. [M15, M3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { foldAllCredits } from '../../../ledger/index.ts';
import { settleInvoice } from '../invoice/index.ts';
import { settleDeposit } from '../wallet/index.ts';
import { openDispute, type NewDispute } from '../dispute/index.ts';
import { fundWaiting } from './index.ts';
import type { InvoiceRefundsRecord, RefundRecord } from './schema.ts';

let bench: Bench;
before(async () => {
  bench = await openBench(['USD', 'EUR']);
});
after(() => bench.close());

const workspace = (): number => bench.home.workspace;
const submission = () => ({ workspace: workspace(), actor: 'processor' });
const funding = () => fundWaiting(bench.db, bench.services.engine);

/** Settles an attempt as if the processor had captured it. */
async function capture(resource: string, command: typeof settleInvoice): Promise<string> {
  const [row] = await bench.db.query<{ id: string; amount: bigint; currency: string }>({
    text: 'select id, amount, currency from attempt where resource_id = $1',
    values: [resource],
  });
  assert.ok(row);
  const { id: attemptId, amount, currency } = row;
  for (const state of ['authorized', 'captured'] as const) {
    const outcome = { state, reference: `r-${attemptId}`, amount, currency };
    await bench.services.engine.run(command, { attemptId, outcome }, submission());
  }
  return attemptId;
}

interface Sold {
  readonly invoice: string;
  readonly attempt: string;
  readonly line: string;
}

/** Sells by card to a seller, in EUR by default; the integrator gets nothing. */
async function sold(amount: number, currency = 'EUR'): Promise<Sold> {
  const account_id = await bench.newAccount();
  const destination_account_id = await bench.newAccount();
  const card = await bench.must<{ payment_method_id: string }>('sandboxAttachCard', {
    body: { account_id, test_card: 'visa' },
  });
  const transaction_type = 'user_to_user';
  const recipients = [{ amount, destination_account_id }];
  const body = {
    account_id,
    payment_methods: [{ payment_method_id: card.payment_method_id }],
    line_items: [{ amount, currency, transaction_type, recipients }],
  };
  type Made = { readonly invoice_id: string };
  const { invoice_id: invoice } = await bench.must<Made>('createInvoice', { body });
  await bench.must('payInvoice', { params: { invoice_id: invoice } });
  const attempt = await capture(invoice, settleInvoice);
  const [row] = await bench.db.query<{ line: string }>({
    text: `select sale_terms(id::text, document) -> 'lines' -> 0 ->> 'id' as line
      from invoice_document where id = $1`,
    values: [invoice],
  });
  return { invoice, attempt, line: row?.line ?? '' };
}

async function reverse(attemptId: string, amount: number, more: Partial<NewDispute> = {}) {
  const [id, reversalId] = [bench.services.random.uuid(), bench.services.random.uuid()];
  const what = { kind: 'chargeback', reference: id, currency: 'EUR' } as const;
  const told = { id, reversalId, reason: 'fraudulent', due_by: null };
  const request = { ...told, attemptId, amount: BigInt(amount), ...what, ...more };
  await bench.services.engine.run(openDispute, request, submission());
}

/** Credits the integrator. */
async function fund(amount: number, currency = 'EUR'): Promise<void> {
  await bench.must('sandboxDeposit', { body: { integrator: true, currency, amount } });
}

async function refundsOf({ invoice }: Sold, status?: string): Promise<InvoiceRefundsRecord> {
  const query = status === undefined ? {} : { status };
  return bench.must('listInvoiceRefunds', { params: { invoice_id: invoice }, query });
}

async function states(one: Sold): Promise<string[]> {
  return Object.values((await refundsOf(one)).reversals).map((reversal) => reversal.status);
}

function refund({ invoice }: Sold) {
  return bench.call('refundInvoice', { body: { invoice_id: invoice, reason: 'fraud' } });
}

/** The sum of a system account, in minor units. */
async function systemAccount(kind: string, currency = 'EUR'): Promise<number> {
  const [row] = await bench.db.query<{ sum: bigint }>({
    text: `select coalesce(sum(p.amount), 0)::bigint as sum from posting p
      join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
      where p.workspace = $1 and a.kind = $2 and a.currency = $3`,
    values: [workspace(), kind, currency],
  });
  return Number(row?.sum ?? 0n);
}

function read({ invoice }: Sold): Promise<unknown> {
  return bench.must('getInvoice', { params: { invoice_id: invoice } });
}

test('a dispute is a debt at once, and borne when the integrator holds enough', async () => {
  const one = await sold(300);
  const before = await read(one);
  await reverse(one.attempt, 300, { reference: 'dispute-1' });
  await reverse(one.attempt, 300, { reference: 'dispute-1' });
  assert.deepEqual(await states(one), ['received']);
  assert.equal(await systemAccount('reversals'), -300);
  assert.equal(await systemAccount('processor_clearing'), 0);
  await fund(299);
  assert.equal(await funding(), 0);
  await fund(1);
  assert.equal(await funding(), 1);
  assert.deepEqual(await states(one), ['covered']);
  assert.equal(await systemAccount('reversals'), 0);
  assert.equal(await systemAccount('integrator_share'), 0);
  assert.deepEqual(await read(one), before);
  assert.equal((await refund(one)).code, 'INVOICE_ALREADY_REFUNDED');
  const part = { line_item_id: one.line, amount: 1, reason: 'billing' };
  assert.equal((await bench.call('refundLineItem', { body: part })).code, 'REFUND_TOO_LARGE');
  assert.equal((await refundsOf(one)).is_fully_refunded, false);
  await bench.proved();
});

test('ten at once with one reference are one reversal; two references are two', async () => {
  const one = await sold(90);
  await Promise.all(Array.from({ length: 10 }, () => reverse(one.attempt, 40, { reference: 'x' })));
  await reverse(one.attempt, 20, { reference: 'y', kind: 'return' });
  assert.equal((await states(one)).length, 2);
  await fund(90);
  assert.equal(await funding(), 2);
  const rest = (await refund(one)).payload as RefundRecord;
  assert.deepEqual([rest.status, rest.amount], ['REFUND-PENDING', 30]);
  assert.equal((await refund(one)).code, 'INVOICE_ALREADY_REFUNDED');
  await bench.proved();
});

test('with money there it is borne in the same commit', async () => {
  const one = await sold(50);
  await fund(50);
  await foldAllCredits(bench.db);
  await reverse(one.attempt, 50, { kind: 'return' });
  assert.deepEqual(await states(one), ['covered']);
  await bench.proved();
});

test('a refund that waits is rejected when the bank was faster', async () => {
  const one = await sold(70);
  const waiting = (await refund(one)).payload as RefundRecord;
  assert.equal(waiting.status, 'REFUND-WAITING-FUNDS');
  await reverse(one.attempt, 70);
  await fund(140);
  await funding();
  const params = { refund_id: waiting.refund_id };
  const gone = await bench.must<RefundRecord>('getRefund', { params });
  assert.deepEqual([gone.status, gone.failure_code], ['REFUND-REJECTED', 'charged_back']);
  assert.deepEqual(await states(one), ['covered']);
  assert.equal((await refund(one)).code, 'INVOICE_ALREADY_REFUNDED');
  assert.equal(await systemAccount('integrator_share'), 70);
  await bench.proved();
});

test('a dispute after the refund is borne too, and leaves nothing to refund', async () => {
  const one = await sold(60);
  const body = { line_item_id: one.line, amount: 40, reason: 'billing' };
  assert.equal((await bench.call('refundLineItem', { body })).status, 200);
  await reverse(one.attempt, 60);
  assert.equal((await refund(one)).code, 'INVOICE_ALREADY_REFUNDED');
  await fund(100);
  await funding();
  assert.deepEqual(await states(one), ['covered']);
  await bench.proved();
});

test('refunds and reversals wait in one line, the oldest first', async () => {
  const first = await sold(30, 'USD');
  const second = await sold(20, 'USD');
  const third = await sold(10, 'USD');
  assert.equal(((await refund(first)).payload as RefundRecord).status, 'REFUND-WAITING-FUNDS');
  await reverse(second.attempt, 20, { currency: 'USD' });
  assert.equal(((await refund(third)).payload as RefundRecord).status, 'REFUND-WAITING-FUNDS');
  await fund(29, 'USD');
  assert.equal(await funding(), 0);
  await fund(21, 'USD');
  assert.equal(await funding(), 2);
  assert.deepEqual(await states(second), ['covered']);
  await fund(10, 'USD');
  assert.equal(await funding(), 1);
  await bench.proved();
});

test('a top-up that comes back is the integrator\'s: the wallet is not touched', async () => {
  const account_id = await bench.newAccount();
  const { payment_method_id } = await bench.must<{ payment_method_id: string }>(
    'sandboxAttachCard',
    { body: { account_id, test_card: 'visa' } },
  );
  const made = await bench.must<{ deposit_id: string }>('createDeposit', {
    body: { account_id, payment_method_id, currency: 'EUR', amount: 500 },
  });
  const attempt = await capture(made.deposit_id, settleDeposit);
  const before = await systemAccount('integrator_share');
  await reverse(attempt, 500);
  await fund(500);
  await funding();
  const wallets = await bench.db.query<{ amount: bigint }>({
    text: `select b.amount from wallet w join balance b on b.workspace = w.workspace and b.id = w.id
      where w.account_id = $1 and w.currency = 'EUR'`,
    values: [uuidOfWireId('acct', account_id)],
  });
  assert.deepEqual(wallets, [{ amount: 500n }]);
  assert.equal(await systemAccount('integrator_share'), before);
  assert.equal(await systemAccount('reversals'), 0);
  await bench.proved();
});
