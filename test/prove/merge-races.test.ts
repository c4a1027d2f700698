// Account merges racing everything else that moves the source's money, and each other, through two
// processes: an account goes to one place, no cent is lost or made, and what arrived meanwhile
// follows when the merge is repeated. [G-22, M3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../src/core/ids.ts';
import type { Api, Registered, Reply } from '../kit/api.ts';
import { moveEscrow, openEscrow } from '../kit/escrow.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { clientAt, proof, race, ROUNDS, refundedAmounts } from '../races/racing.ts';

const CLOSED = ['400 ACCOUNT_MERGED', '403 ACCOUNT_BLOCKED'];

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

async function person(funds = 0): Promise<Registered> {
  const api = clientAt(fleet, 0);
  const made = await api.register(newUuid());
  if (funds > 0) await api.fund(made.account_id, funds);
  return made;
}

function merge(api: Api, from: Registered, to: Registered, key?: string): Promise<Reply> {
  const ids = { source_account_id: from.account_id, destination_account_id: to.account_id };
  const call = key === undefined ? { body: ids } : { body: ids, key };
  return api.send('accounts', 'POST', '/v2/merge-accounts', call);
}

async function has({ account_id }: Registered): Promise<number> {
  const { spendable, kept } = await clientAt(fleet, 0).money(account_id);
  return spendable + kept;
}

/** A sale of the account's, paid from its wallet to somebody. */
function bill(api: Api, buyer: Registered, seller: Registered, amount: number): Promise<string> {
  const { account_id, method } = buyer;
  const line = { transaction_type: 'user_to_user', product_sku: 'sku', currency: 'USD', amount };
  const recipient = { amount, currency: 'USD', destination_wallet_id: seller.wallet_id };
  const line_items = [{ ...line, recipients: [recipient] }];
  return api.created(api.sale(amount, [{ payment_method_id: method }], { account_id, line_items }));
}

/** Asks again until the source is closed and empty; nothing else happens any more. */
async function finish(from: Registered, to: Registered): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { status, codes } = await merge(clientAt(fleet, tries), from, to);
    if (codes[0] === 'ACCOUNT_MERGED') return assert.equal(await has(from), 0);
    if (status !== 200) await proof(fleet);
  }
  assert.fail('the merge never ends');
}

/** Of all replies, only those that are allowed. */
function only(replies: readonly Reply[], allowed: readonly string[]): void {
  const said = Object.keys(refundedAmounts(replies)).filter((one) => !allowed.includes(one));
  assert.deepEqual(said, []);
}

test('a merge during payments of its source: what was not paid is transferred', async () => {
  const [count, price] = [40 * ROUNDS, 10];
  const [from, to, seller] = [await person(count * price), await person(), await person()];
  const api = clientAt(fleet, 0);
  const bills = await Promise.all(
    Array.from({ length: count }, () => bill(api, from, seller, price)),
  );
  const replies = await race(fleet, count + 4, (one, at) => {
    return at % 11 === 5 ? merge(one, from, to) : one.pay(bills[at % count] as string);
  });
  only(replies, ['200', '400 INVOICE_NOT_OPEN', '400 MERGE_SOURCE_NOT_AT_REST', ...CLOSED]);
  await finish(from, to);
  const ended = await Promise.all(bills.map((id) => api.read(id)));
  const paid = ended.filter(({ state }) => state === 'SUCCESS' || state === 'success').length;
  assert.deepEqual([await has(seller), await has(to)], [paid * price, (count - paid) * price]);
  await proof(fleet);
});

test('a merge during sales and top-ups of its source: nothing stays behind', async () => {
  const count = 30 * ROUNDS;
  const [from, to, buyer] = [await person(5), await person(), await person(count * 10)];
  const api = clientAt(fleet, 0);
  const bills = await Promise.all(Array.from({ length: count }, () => bill(api, buyer, from, 10)));
  const card = await api.attach(from.account_id, 'visa');
  const top = { account_id: from.account_id, payment_method_id: card, currency: 'USD', amount: 3 };
  const replies = await race(fleet, 2 * count, (one, at) => {
    if (at % 7 === 6) return merge(one, from, to);
    if (at % 5 === 4) return one.send('invoicing', 'POST', '/v1/deposits', { body: top });
    return one.pay(bills[at % count] as string);
  });
  const busy = ['400 INVOICE_NOT_OPEN', '400 MERGE_SOURCE_NOT_AT_REST', '400 DEPOSIT_TOO_LARGE'];
  only(replies, ['200', '201', ...busy, ...CLOSED]);
  await proof(fleet);
  await finish(from, to);
  const topped = replies.filter(({ status }) => status === 201).length;
  const left = await has(buyer);
  assert.equal(await has(to), 5 + count * 10 - left + topped * 3);
  await proof(fleet);
});

test('a merge during payouts of its source: each cent is out, back or transferred', async () => {
  const count = 30 * ROUNDS;
  const [from, to] = [await person(count * 100), await person()];
  const api = clientAt(fleet, 0);
  await api.setKyc(from.account_id, { state: 'ACCEPT' });
  const bank = await api.attach(from.account_id, 'bank');
  const body = {
    source_payment_method_id: from.method,
    destination_payment_method_id: bank,
    amount: 100,
    currency: 'USD',
  };
  const path = `/v2/${from.account_id}/payout`;
  const replies = await race(fleet, count, (one, at) => {
    return at % 6 === 2 ? merge(one, from, to) : one.send('invoicing', 'POST', path, { body });
  });
  const short = '400 PAYOUT_INSUFFICIENT_FUNDS';
  only(replies, ['200', '201', short, '400 MERGE_SOURCE_NOT_AT_REST', ...CLOSED]);
  const out = replies.filter(({ status }) => status === 201);
  await Promise.all(
    out.map(({ payload }, at) => {
      const { payout_status_id: id } = payload as { payout_status_id: string };
      return clientAt(fleet, at).must(200, 'invoicing', 'DELETE', `${path}/${id}`);
    }),
  );
  await finish(from, to);
  assert.equal(await has(to), count * 100);
  await proof(fleet);
});

test('a merge of a seller while its escrows are committed waits for the last of them', async () => {
  for (let round = 0; round < 3 * ROUNDS; round += 1) {
    const [from, to, buyer] = [await person(1), await person(), await person(100)];
    const api = clientAt(fleet, 0);
    const line = { transaction_type: 'user_to_user', product_sku: 'sku', currency: 'USD' };
    const recipient = { amount: 50, currency: 'USD', destination_wallet_id: from.wallet_id };
    const line_items = [{ ...line, amount: 50, recipients: [recipient] }];
    const who = { account_id: buyer.account_id, line_items };
    const wallet = [{ payment_method_id: buyer.method }];
    const held = await Promise.all([1, 2].map(() => openEscrow(api, 50, wallet, who)));
    for (const { id } of held) await moveEscrow(api, id, 'pay');
    const replies = await race(fleet, 12, (one, at) => {
      const id = held[at % 2]?.id ?? '';
      return at < 4 ? moveEscrow(one, id, 'commit') : merge(one, from, to);
    });
    const done = ['400 ESCROW_NOT_ESCROWED', '400 MERGE_SOURCE_NOT_AT_REST'];
    only(replies, ['200', ...done, ...CLOSED]);
    await finish(from, to);
    assert.equal(await has(to), 101);
    await proof(fleet);
  }
});

test('two accounts merged into each other at once: one of them goes', async () => {
  for (let round = 0; round < 10 * ROUNDS; round += 1) {
    const [a, b] = [await person(3), await person(4)];
    const replies = await race(fleet, 8, (api, at) => {
      return at % 4 < 2 ? merge(api, a, b) : merge(api, b, a);
    });
    only(replies, ['200', ...CLOSED]);
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual([await has(a), await has(b)].toSorted((x, y) => x - y), [0, 7]);
  }
  await proof(fleet);
});

test('a chain merged at once: all money leaves each source account', async () => {
  for (let round = 0; round < 10 * ROUNDS; round += 1) {
    const [a, b, c] = [await person(1), await person(2), await person(4)];
    const replies = await race(fleet, 6, (api, at) => {
      return at % 2 === 0 ? merge(api, a, b) : merge(api, b, c);
    });
    only(replies, ['200', ...CLOSED]);
    const wins = replies.filter(({ status }) => status === 200).length;
    const held = [await has(a), await has(b), await has(c)];
    assert.deepEqual(held, wins === 2 ? [0, 0, 7] : [1, 0, 6]);
  }
  await proof(fleet);
});

test('requests under one key make one merge and answer the same bytes', async () => {
  const [from, to, key] = [await person(9), await person(), newUuid()];
  const replies = await race(fleet, 30 * ROUNDS, (api) => merge(api, from, to, key));
  assert.deepEqual(refundedAmounts(replies), { 200: 30 * ROUNDS });
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  assert.deepEqual([await has(from), await has(to)], [0, 9]);
  await proof(fleet);
});
