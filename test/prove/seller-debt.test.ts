// Lost disputes that sellers bear: a debt for each seller's share, repaid by the next sales before
// they credit the wallet, by one process or two, and never below zero. [G-93, G-43]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { debtLaws } from '../../src/product/money/wallet/debt-read.ts';
import { proved } from '../kit/books.ts';
import { startPlatform } from '../api/kit.ts';
import { pause, saleLine } from '../api/market.ts';
import { RefundScene } from '../api/refund-scene.ts';
import type { Invoice } from '../api/records.ts';

const WAIT_MS = 15_000;

interface Debt {
  readonly debt_id: string;
  readonly dispute_id: string;
  readonly account_id: string;
  readonly wallet_id: string;
  readonly amount: number;
  readonly repaid: number;
  readonly status: string;
}

interface Debts {
  readonly total: number;
  readonly debts: readonly Debt[];
}

let scene: RefundScene;
before(async () => {
  scene = new RefundScene(await startPlatform());
  await scene.fund(100_000);
});
after(() => scene?.platform.stop());

const debts = (query = ''): Promise<Debts> =>
  scene.platform.api.must(200, 'invoicing', 'GET', `/v1/seller_debts?${query}`);
const bears = (bearer: string): Promise<{ bearer: string }> =>
  scene.platform.api.must(200, 'invoicing', 'PUT', '/v1/settings/disputes', { body: { bearer } });

async function outside(event: string, id: string): Promise<void> {
  const body = { event, id };
  await scene.platform.api.must(201, 'invoicing', 'POST', '/sandbox/outside_events', { body });
}

interface Dispute {
  readonly dispute_id: string;
  readonly status: string;
}

/** Has the charge of an invoice disputed, and the dispute ended; gives its id. */
async function ended(invoice: string, end: string): Promise<string> {
  await outside('chargeback', invoice);
  const query = `/v1/disputes?invoice_id=${invoice}`;
  let asked = false;
  for (const until = Date.now() + WAIT_MS; ; await pause()) {
    type Page = { disputes: readonly Dispute[] };
    const page = await scene.platform.api.must<Page>(200, 'invoicing', 'GET', query);
    const [dispute] = page.disputes;
    if (dispute !== undefined && !asked) {
      await outside(`dispute_${end}`, dispute.dispute_id);
      asked = true;
    }
    if (dispute?.status === end) return dispute.dispute_id;
    assert.ok(Date.now() < until, `a dispute that is ${end}`);
  }
}

async function charged(amount: number, own = 0): Promise<Invoice> {
  const methods = [{ payment_method_id: await scene.card() }];
  return own === 0 ? scene.sold([amount], methods) : scene.sold([amount], methods, own);
}

/** What the seller's wallet and the integrator hold. */
async function held(invoice: Invoice): Promise<number[]> {
  const [, seller = 0, integrator = 0] = await scene.money(invoice);
  return [seller, integrator];
}

test('by default the integrator bears a loss, and nobody owes', async () => {
  const { api } = scene.platform;
  const now = await api.must(200, 'invoicing', 'GET', '/v1/settings/disputes');
  const none = { fee_bearer: 'integrator', reserve_percent: 0, reserve_days: 0 };
  assert.deepEqual(now, { bearer: 'integrator', ...none });
  const invoice = await charged(300);
  await ended(invoice.invoice_id, 'lost');
  assert.deepEqual(await debts(), { total: 0, debts: [] });
  const wrong = { body: { bearer: 'nobody' } };
  const refused = await api.send('invoicing', 'PUT', '/v1/settings/disputes', wrong);
  assert.equal(refused.code, 'INVALID_FIELD');
});

test('a lost dispute is owed by its seller and repaid by the next sales', async () => {
  assert.equal((await bears('seller')).bearer, 'seller');
  const { wallet_id, account_id } = scene.platform.ready.accounts.seller;
  const invoice = await charged(500, 100);
  const won = await charged(200);
  const dispute_id = await ended(invoice.invoice_id, 'lost');
  await ended(won.invoice_id, 'won');
  const [debt, ...more] = (await debts(`account_id=${account_id}`)).debts;
  assert.deepEqual(more, []);
  assert.ok(debt);
  assert.deepEqual(
    [debt.dispute_id, debt.account_id, debt.wallet_id, debt.amount, debt.repaid, debt.status],
    [dispute_id, account_id, wallet_id, 500, 0, 'open'],
  );
  await scene.covered(invoice.invoice_id);
  const [seller = 0, integrator = 0] = await held(invoice);
  await scene.sold([300]);
  assert.deepEqual(await held(invoice), [seller, integrator + 300], 'all of it is repaid');
  await scene.sold([150, 250]);
  assert.deepEqual(await held(invoice), [seller + 200, integrator + 500]);
  const [now] = (await debts(`dispute_id=${dispute_id}`)).debts;
  assert.deepEqual([now?.repaid, now?.status], [500, 'repaid']);
  await scene.sold([70]);
  assert.deepEqual(await held(invoice), [seller + 270, integrator + 500]);
  assert.deepEqual(await debts('account_id=x'), { total: 0, debts: [] });
  await proved(scene.platform.db);
});

test('sales at once repay a debt once, while another dispute is lost', async () => {
  const first = await charged(400);
  const second = await charged(100);
  await ended(first.invoice_id, 'lost');
  await scene.covered(first.invoice_id);
  const [seller = 0] = await held(first);
  const sales = Array.from({ length: 12 }, () => scene.sold([60]));
  await Promise.all([...sales, ended(second.invoice_id, 'lost')]);
  await scene.covered(second.invoice_id);
  await scene.sold([500]);
  assert.deepEqual((await held(first))[0], seller + 12 * 60 + 500 - 500);
  const { debts: all } = await debts();
  assert.deepEqual(all.map(({ status }) => status), ['repaid', 'repaid', 'repaid']);
  await proved(scene.platform.db);
});

test('what is owed and what is repaid cannot be made up', async () => {
  const { db } = scene.platform;
  const broken = async (name: string, ...texts: string[]): Promise<number> => {
    const law = debtLaws.find((one) => one.name === name);
    assert.ok(law, name);
    let found = -1;
    const undone = new Error('undone');
    const work = db.transaction(async (tx) => {
      await tx.execute('set local session_replication_role = replica');
      for (const text of texts) await tx.execute(text);
      found = (await tx.query(law.text)).length;
      throw undone;
    });
    await assert.rejects(work, undone);
    return found;
  };
  const one = '(select ctid from balance where amount > 0 limit 1)';
  assert.equal(await broken('owed_is_open_debts'), 0);
  assert.equal(
    await broken('owed_is_open_debts', `update balance set owes = 1 where ctid = ${one}`),
    1,
  );
  assert.equal(await broken('repayments_are_earnings'), 0);
  const more = 'update debt_repayment set amount = amount + 1';
  assert.ok((await broken('repayments_are_earnings', more)) > 1);
});

test('a committed escrow is owed by its seller, one that holds its money by nobody', async () => {
  const { api, ready } = scene.platform;
  const methods = async () => [{ payment_method_id: await scene.card() }];
  const escrow = async (amount: number): Promise<string> => {
    const line_items = [saleLine(ready.accounts.seller.wallet_id, amount)];
    const body = scene.market.sale(0, { line_items, payment_methods: await methods() });
    type Made = { id: string; status: string };
    const { id } = await api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
    await api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`);
    for (const until = Date.now() + WAIT_MS; ; await pause()) {
      const now = await api.must<Made>(200, 'invoicing', 'GET', `/v2/escrow/${id}`);
      if (now.status === 'ESCROWED') return id;
      assert.ok(Date.now() < until, 'an escrow that holds money');
    }
  };
  const invoiceOf = async (id: string): Promise<string> => {
    type Of = { escrow_invoice_id: string };
    return (await api.must<Of>(200, 'invoicing', 'GET', `/v2/escrow/${id}`)).escrow_invoice_id;
  };
  const { total } = await debts();
  const [kept, paid] = [await escrow(80), await escrow(90)];
  await ended(await invoiceOf(kept), 'lost');
  assert.equal((await debts()).total, total);
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${paid}/commit`);
  const dispute = await ended(await invoiceOf(paid), 'lost');
  const [debt] = (await debts(`dispute_id=${dispute}`)).debts;
  assert.deepEqual([debt?.amount, debt?.repaid], [90, 0]);
  const again = await escrow(40);
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${again}/commit`);
  assert.equal((await debts(`dispute_id=${dispute}`)).debts[0]?.repaid, 40);
  const [owner] = await scene.platform.db.query<{ owes: bigint }>(
    'select owes from balance where owes > 0',
  );
  assert.equal(owner?.owes, 50n);
  await proved(scene.platform.db);
});
