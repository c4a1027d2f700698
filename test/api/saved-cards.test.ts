// Saved cards: their expiry, a card that is entered again, the default, and a card that is not kept
// and pays one sale alone. [G-47]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { authorize, openedToken } from '../kit/checkout.ts';

let platform: Platform;
let account = '';
let sale = '';
let token = '';

before(async () => {
  platform = await startPlatform();
  account = (await platform.api.register('keeps_cards')).account_id;
  ({ sale, token } = await opened());
});
after(() => platform?.stop());

interface Method {
  readonly id: string;
  readonly provider: string;
  readonly expires?: string;
  readonly is_default?: true;
  readonly kept?: false;
  readonly psp_reference: string;
}

/** A sale to the buyer, opened and agreed to: its id, and the token of its session. */
async function opened(): Promise<{ sale: string; token: string }> {
  const { api } = platform;
  const made = await authorize(api, api.sale(500, [], { account_id: account }) as object);
  return { sale: made.authorized_invoice_id, token: await openedToken(made.redirect) };
}

/** Enters a test card at the processor, valid to the end of that year; gives the entry. */
async function entered(number: string, expiry_year: number): Promise<string> {
  const call = { body: { kind: 'card' }, token };
  type Entry = { entry_id: string; url: string };
  const path = '/v1/payment_method/entry';
  const entry = await platform.api.must<Entry>(201, 'payments', 'POST', path, call);
  const body = JSON.stringify({ number, expiry_month: 12, expiry_year, cvc: '123' });
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(entry.url, { method: 'POST', headers, body })).status, 200);
  return entry.entry_id;
}

function attached(entry_id: string, more: object = {}): Promise<Method> {
  const call = { body: { entry_id, ...more }, token };
  return platform.api.must<Method>(201, 'payments', 'POST', '/v1/payment_method', call);
}

async function cards(as?: string): Promise<Method[]> {
  const path = `/v1/${account}/payment_methods`;
  const more = as === undefined ? {} : { token: as };
  const all = await platform.api.must<Method[]>(200, 'payments', 'GET', path, more);
  return all.filter(({ provider }) => provider === 'card');
}

const VISA = '4111111111111111';

test('a card that is entered again is found, with its new expiry', async () => {
  const [one, two] = [await entered(VISA, 2060), await entered(VISA, 2060)];
  const both = await Promise.all([attached(one), attached(two)]);
  assert.equal(both[0].id, both[1].id, 'also when both come at once');
  assert.equal(both[0].expires, '2060-12');
  const later = await attached(await entered(VISA, 2070));
  assert.deepEqual([later.id, later.expires], [both[0].id, '2070-12']);
  assert.notEqual(later.psp_reference, both[0].psp_reference);
  assert.deepEqual((await cards()).map(({ id }) => id), [later.id]);
});

test('the default is the card that was chosen last', async () => {
  const [first] = await cards();
  const second = await platform.api.attach(account, 'mastercard');
  for (const id of [first?.id ?? '', second]) {
    const path = `/v1/payment_method/${id}`;
    const body = { is_default: true };
    const now = await platform.api.must<Method>(200, 'payments', 'PATCH', path, { body, token });
    assert.equal(now.is_default, true);
    const listed = await cards();
    assert.deepEqual(listed.filter((one) => one.is_default).map((one) => one.id), [id]);
  }
});

test('a card that is not kept pays its sale alone, and shows nowhere else', async () => {
  const before = await cards();
  const card = await attached(await entered(VISA, 2065), { keep: false });
  assert.equal(card.kept, false);
  assert.ok(!before.some(({ id }) => id === card.id), 'a saved card stays as it is');
  assert.deepEqual(await cards(), before);
  const own = await cards(token);
  assert.ok(own.some(({ id }) => id === card.id), 'in its own checkout it is there');
  const payment_methods = [{ payment_method_id: card.id, amount: 0 }];
  const { api } = platform;
  const elsewhere = await api.send('invoicing', 'POST', '/v2/invoice', {
    body: api.sale(500, payment_methods, { account_id: account }),
  });
  assert.deepEqual([elsewhere.status, elsewhere.code], [400, 'PAYMENT_METHOD_NOT_FOUND']);
  const body = { authorized_invoice_id: sale, payment_methods };
  await api.must(201, 'invoicing', 'POST', '/v2/invoice', { body, token });
  const renamed = { body: { is_default: true }, token };
  const kept = await api.send('payments', 'PATCH', `/v1/payment_method/${card.id}`, renamed);
  assert.equal(kept.code, 'PAYMENT_METHOD_NOT_ACTIVE');
});
