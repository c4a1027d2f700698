// The statement of a payout adds up to the cent, and each movement of the wallet is on exactly one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { Payouts, type Person } from '../../../../test/kit/payouts.ts';
import type { PayoutStatement } from './statement.ts';

let bench: Bench;
let payouts: Payouts;
before(async () => {
  bench = await openBench();
  payouts = new Payouts(bench);
});
after(async () => {
  await bench.proved();
  await bench.close();
});

async function statement(who: Person, id: string): Promise<PayoutStatement> {
  const said = (await payouts.on('getPayoutStatement', who, id)).payload as PayoutStatement;
  const moved = said.entries.reduce((sum, { amount }) => sum + amount, 0);
  assert.equal(said.opening_balance + moved, said.amount + said.closing_balance);
  assert.equal(said.amount, said.fee_amount + said.net_amount);
  return said;
}

/** A sale of the amount to the seller, paid by somebody else from a wallet. */
async function sell({ account_id: destination_account_id }: Person, amount: number) {
  const { account_id, wallet } = await payouts.person(amount);
  const recipients = [{ amount, destination_account_id }];
  const line = { amount, currency: 'USD', transaction_type: 'user_to_user', recipients };
  const payment_methods = [{ payment_method_id: wallet }];
  const body = { account_id, payment_methods, line_items: [line] };
  const { invoice_id } = await bench.must<{ invoice_id: string }>('createInvoice', { body });
  await bench.must('payInvoice', { params: { invoice_id } });
  return invoice_id;
}

test('each movement is on one statement, and every statement adds up', async () => {
  const who = await payouts.person(5_000);
  const first = await payouts.asked(who, { amount: 1_000 });
  const one = await statement(who, first);
  assert.deepEqual(
    [one.opening_balance, one.entries.map(({ kind, amount }) => [kind, amount])],
    [0, [['deposit', 5_000]]],
  );
  const sale = await sell(who, 700);
  await payouts.on('cancelPayout', who, first);
  const second = await payouts.asked(who, { amount: 4_000 });
  const two = await statement(who, second);
  assert.equal(two.opening_balance, 4_000);
  const entries = two.entries.map((one) => [one.kind, one.resource_id, one.amount]);
  assert.deepEqual(entries, [
    ['sale', sale, 700],
    ['payout', first, 1_000],
  ]);
  assert.equal(two.closing_balance, 1_700);
  assert.deepEqual(await statement(who, first), one, 'a statement never changes');
  const third = await payouts.asked(who, { amount: 100 });
  assert.deepEqual((await statement(who, third)).entries, []);
  const other = await payouts.person(0);
  assert.equal((await payouts.on('getPayoutStatement', other, third)).code, 'PAYOUT_NOT_FOUND');
});
