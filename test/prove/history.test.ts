// The history in a real browser: by days and pages, tabs by keyboard, each kind of transaction as
// its party sees it, and one by its id. [G-43, G-76]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';
import { arrive, type Place } from '../browser/person.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** Sells to the buyer by card; gives the invoice's id once it is paid. */
async function sold(cents: number, description: string): Promise<string> {
  const { api, ready } = bench.platform;
  const payment_method_id = ready.accounts.buyer.card_payment_method_id;
  const id = await api.created(api.sale(cents, [{ payment_method_id }], { description }));
  await api.pay(id);
  assert.equal((await api.finished(id)).state, 'success');
  return id;
}

/** Pays an escrow of the buyer for the seller; gives its id. */
async function heldSale(): Promise<string> {
  const { api, ready } = bench.platform;
  const payment_method_id = ready.accounts.buyer.card_payment_method_id;
  const body = api.sale(1_100, [{ payment_method_id }], { description: 'A lantern' });
  type Made = { id: string; escrow_invoice_id: string };
  const made = await api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${made.id}/pay`);
  await api.finished(made.escrow_invoice_id);
  return made.id;
}

function words(place: Place, name: string): Promise<string | null> {
  return hook(place, name).textContent();
}

test('done and pending by keyboard; a row opens its details and returns to itself', async () => {
  const id = await sold(900, 'A satchel');
  await heldSale();
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  await page.goto(await bench.link('txnhistory', { mechanism: 'service_hosted' }));
  await hook(page, 'continue').click();
  await arrive(page, 'screen-history');
  const row = `transaction-${id}`;
  assert.match((await words(page, row)) ?? '', /A satchel.*Purchase.*−USD 9\.00/);
  await everybodyCanUse(page);
  await hook(page, row).click();
  await hook(page, 'screen-transaction').waitFor();
  await everybodyCanUse(page);
  await page.getByText('Visa ending in 1111').waitFor();
  await hook(page, 'back').click();
  await page.locator(`[data-test="${row}"]:focus`).waitFor();
  await hook(page, 'tab-0').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[data-test="tab-1"]:focus').waitFor();
  await page.getByText('A lantern').waitFor();
  assert.equal(await hook(page, row).count(), 0);
  await everybodyCanUse(page);
  await page.keyboard.press('Home');
  await hook(page, row).waitFor();
  await hook(page, 'close').click();
  await hook(page, 'screen-end').waitFor();
});

test('long lists are shown page by page, nothing twice', async () => {
  for (let sale = 0; sale < 21; sale += 1) await sold(100 + sale, `Thing ${sale}`);
  const visitor = await bench.visitor();
  const frame = await visitor.begin({
    flow: 'txnhistory',
    redirect: await bench.link('txnhistory'),
    theme: { backgroundColor: '#14161c', primaryColor: '#8b7bff' },
    dir: 'rtl',
  });
  await arrive(frame, 'screen-history');
  const rows = frame.locator('[data-test^="transaction-"]');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 20);
  await everybodyCanUse(visitor.page);
  await hook(frame, 'show-more').click();
  await hook(frame, 'show-more').waitFor({ state: 'detached' });
  const names = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-test')));
  assert.equal(new Set(names).size, 22);
  await hook(frame, 'close').click();
  const { state, trigger } = await visitor.hears('complete');
  assert.deepEqual([state, trigger], ['complete', 'header-close-button']);
});

/** One transaction in a frame of a page that names it. */
async function details(visitor: Visitor, account_id: string, transactionId: string) {
  const frame = await visitor.begin({
    flow: 'txndetails',
    redirect: await bench.link('txndetails', { account_id }),
    flowConfig: { transactionId },
  });
  await arrive(frame, 'screen-transaction');
  return frame;
}

test('one transaction by its id: bought, sold, in escrow, got back, paid out', async () => {
  const { api, ready } = bench.platform;
  const { buyer, seller } = ready.accounts;
  const visitor = await bench.visitor();
  const id = await sold(2_000, 'A globe');
  const escrow = await heldSale();
  const read = async (account: string, transaction: string): Promise<string> => {
    const frame = await details(visitor, account, transaction);
    return (await words(frame, 'screen-transaction')) ?? '';
  };
  assert.match(await read(buyer.account_id, id), /Purchase.*20\.00.*A globe.*Paid withVisa/);
  assert.match(await read(seller.account_id, id), /Sale.*You receive/);
  assert.match(await read(buyer.account_id, escrow), /Protected purchase.*Held until/);
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${escrow}/cancel`);
  type Listed = { transactions: { transaction_id: string; transaction_type: string }[] };
  const path = `/v1/transactions?account_id=${buyer.account_id}`;
  const { transactions } = await api.must<Listed>(200, 'invoicing', 'GET', path);
  const back = transactions.find((one) => one.transaction_type === 'refund');
  assert.match(await read(buyer.account_id, back?.transaction_id ?? ''), /Refund.*Back toVisa/);
  await api.setKyc(buyer.account_id, { state: 'ACCEPT' });
  const bank = await api.attach(buyer.account_id, 'bank');
  type Made = { payout_status_id: string };
  const made = await api.must<Made>(201, 'invoicing', 'POST', `/v2/${buyer.account_id}/payout`, {
    body: {
      source_payment_method_id: buyer.wallet_payment_method_id,
      destination_payment_method_id: bank,
      amount: 1_000,
      currency: 'USD',
    },
  });
  assert.match(await read(buyer.account_id, made.payout_status_id), /Payout.*Fee.*StatusPending/);
  await everybodyCanUse(visitor.page);
});

test('an unknown or foreign transaction is a full-screen error', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/status of 404/);
  const redirect = await bench.link('txndetails', { flow: 'txndetails' });
  const transactionId = crypto.randomUUID();
  const flowConfig = { transactionId };
  const frame = await visitor.begin({ flow: 'txndetails', redirect, flowConfig });
  await arrive(frame, 'screen-crash');
  const { code } = await visitor.hears('error');
  assert.equal(code, 'TRANSACTION_NOT_FOUND');
});
