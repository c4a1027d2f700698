// Sales credited while the seller's verification is required, denied and granted: the money is in
// the wallet or restricted, never lost and never both. Two processes on one database. [G-38, M4]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Api } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';

const SALES = 60;
const FLIPS = 24;
const PRICE = 7;

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet.stop());

async function sell(api: Api, seller: string, at: number): Promise<string> {
  const { buyer } = api.ready.accounts;
  const { wallet_payment_method_id: wallet, card_payment_method_id: card } = buyer;
  const body = api.sale(PRICE, [{ payment_method_id: at % 3 === 0 ? card : wallet }]) as {
    line_items: { recipients: { destination_wallet_id: string }[] }[];
  };
  for (const line of body.line_items) {
    for (const recipient of line.recipients) recipient.destination_wallet_id = seller;
  }
  const id = await api.created(body);
  assert.equal((await api.pay(id)).status, 200);
  return id;
}

test('changes of the verification while sales are credited lose and double nothing', async () => {
  const [one, two] = fleet.apis as [Api, Api];
  const { account_id, wallet_id } = await one.register('flipped');
  const states = ['DENY', 'ACCEPT', 'NODATA', 'MANUAL_REVIEW'];
  const flips = (async () => {
    for (let n = 0; n < FLIPS; n += 1) {
      const body = { state: states[n % states.length], kyc_requirements: 'FULL_KYC' };
      await (n % 2 === 0 ? one : two).setKyc(account_id, body);
    }
  })();
  const sales = Array.from({ length: SALES }, (_, at) => sell(at % 2 ? one : two, wallet_id, at));
  const ids = await Promise.all(sales);
  await flips;
  for (const id of ids) assert.equal((await one.finished(id)).state, 'success');
  const flipped = await two.money(account_id);
  assert.equal(flipped.spendable + flipped.kept, SALES * PRICE);
  await one.setKyc(account_id, { state: 'DENY', kyc_requirements: 'FULL_KYC' });
  const before = await two.money(account_id);
  await one.finished(await sell(one, wallet_id, 1));
  assert.deepEqual(await two.money(account_id), { ...before, kept: before.kept + PRICE });
  await two.setKyc(account_id, { state: 'ACCEPT' });
  assert.deepEqual(await one.money(account_id), { spendable: (SALES + 1) * PRICE, kept: 0 });
  await settled(fleet.db, 20_000);
  await sealed(fleet.db);
  await reconciled(fleet.db);
  assert.deepEqual(fleet.faults(), []);
});
