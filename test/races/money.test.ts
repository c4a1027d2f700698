// Debits of every kind racing on one balance through two processes: together they take exactly what
// it holds, and each one too many leaves no trace. [M3, M9, M12]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Api, MethodPart, Reply } from '../kit/api.ts';
import { moveEscrow, openEscrow, readEscrow } from '../kit/escrow.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { clientAt, proof, race, ROUNDS, statementOf, refundedAmounts } from './racing.ts';

/** Refunds at once: each locks what is left of the invoice. */
const REFUNDS = 200;

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

/** A debit that waits for the start, and how it ended: true where it took the money. */
interface Debit {
  readonly go: (api: Api) => Promise<Reply>;
  readonly took: () => Promise<boolean>;
}

async function invoiceDebit(
  api: Api,
  amount: number,
  parts: readonly MethodPart[],
  account_id: string,
): Promise<Debit> {
  const id = await api.created(api.sale(amount, parts, { account_id }));
  return {
    go: (one) => one.pay(id),
    took: async () => (await api.finished(id)).state === 'success',
  };
}

async function escrowDebit(
  api: Api,
  amount: number,
  parts: readonly MethodPart[],
  account_id: string,
): Promise<Debit> {
  const { id } = await openEscrow(api, amount, parts, { account_id });
  return {
    go: (one) => moveEscrow(one, id, 'pay'),
    took: async () => (await readEscrow(api, id)).status === 'ESCROWED',
  };
}

/** A payout, which takes the money when it is asked for. */
async function payoutDebit(
  amount: number,
  source: string,
  destination: string,
  account_id: string,
): Promise<Debit> {
  const ids = { source_payment_method_id: source, destination_payment_method_id: destination };
  const body = { ...ids, amount, currency: 'USD' };
  let taken = false;
  return {
    async go(api) {
      const reply = await api.send('invoicing', 'POST', `/v2/${account_id}/payout`, { body });
      taken = reply.status === 201;
      return reply;
    },
    took: async () => taken,
  };
}

for (let round = 0; round < ROUNDS; round += 1) {
  test(`debits of every kind on one wallet take what it holds, round ${round}`, async () => {
    const api = clientAt(fleet, 0);
    const { account_id, method } = await api.register(`debits-${round}`);
    await api.setKyc(account_id, { state: 'ACCEPT' });
    await api.fund(account_id, 1_250);
    const bank = await api.attach(account_id, 'bank');
    const card = { payment_method_id: await api.attach(account_id, 'visa'), amount: 0 };
    const whole = [{ payment_method_id: method }];
    const part = [{ payment_method_id: method, amount: 100 }, card];
    const debits = await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        // Kinds and processes change at different times, so that each kind goes through both.
        if (at % 5 === 4) return payoutDebit(100, method, bank, account_id);
        const make = at % 5 < 2 ? invoiceDebit : escrowDebit;
        const one = clientAt(fleet, at);
        return at % 10 < 5
          ? make(one, 100, whole, account_id)
          : make(one, 250, part, account_id);
      }),
    );
    const replies = await race(fleet, debits.length, (one, at) => (debits[at] as Debit).go(one));
    const allowed = ['200', '201', '400 PAYOUT_INSUFFICIENT_FUNDS'];
    const odd = Object.keys(refundedAmounts(replies)).filter((name) => !allowed.includes(name));
    assert.deepEqual(odd, []);
    await proof(fleet);
    const took = await Promise.all(debits.map((debit) => debit.took()));
    assert.equal(took.filter(Boolean).length, 12);
    assert.equal((await api.money(account_id)).spendable, 50);
  });
}

/** Gives the integrator, who pays refunds, so much. */
async function fundIntegrator(api: Api, amount: number): Promise<void> {
  const body = { integrator: true, currency: 'USD', amount };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
}

for (const kind of ['wallet', 'card'] as const) {
  test(`${REFUNDS} refunds of a sale by ${kind} give back what was paid`, async () => {
    const api = clientAt(fleet, 0);
    const { account_id, method } = await api.register(`refunds-${kind}`);
    await api.fund(account_id, 1_000);
    await fundIntegrator(api, 2_000);
    const paidBy = kind === 'wallet' ? method : await api.attach(account_id, 'visa');
    const sale = api.sale(1_000, [{ payment_method_id: paidBy }], { account_id });
    const id = await api.created(sale);
    await api.pay(id);
    const paid = (await api.finished(id)) as unknown as { line_items: Record<string, unknown> };
    const [line_item_id] = Object.keys(paid.line_items);
    const replies = await race(fleet, REFUNDS, (one, at) => {
      // One in fifty wants all of what is left.
      const [path, what] =
        at % 50 === 49
          ? ['/v2/refund', { invoice_id: id }]
          : ['/v2/line-item/refund', { line_item_id, amount: 30 }];
      return one.send('invoicing', 'POST', path as string, { body: { ...what, reason: 'other' } });
    });
    const allowed =
      /^(200|400 (REFUND_TOO_LARGE|INVOICE_ALREADY_REFUNDED|INVOICE_NOTHING_TO_REFUND))$/;
    const counts = refundedAmounts(replies);
    assert.deepEqual(Object.keys(counts).filter((name) => !allowed.test(name)), []);
    await proof(fleet);
    const given = replies
      .filter((reply) => reply.status === 200)
      .map((reply) => (reply.payload as { amount: number }).amount);
    const rows = await fleet.db.query<{ sum: bigint }>({
      text: `select coalesce(sum(amount), 0)::bigint as sum from refund
        where invoice_id = $1 and state = 'REFUND-SUCCESS'`,
      values: [id],
    });
    const sum = Number(rows[0]?.sum);
    assert.equal(sum, given.reduce((total, one) => total + one, 0));
    assert.ok(sum <= 1_000 && sum > 1_000 - 30, String(sum));
    if (kind === 'wallet') assert.equal((await api.money(account_id)).spendable, sum);
    else assert.deepEqual(await statementOf(fleet, id), ['capture 1000']);
  });
}
