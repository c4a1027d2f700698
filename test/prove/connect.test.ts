// A seller who is paid by the processor, over HTTP with the Stripe-shaped server: from the link to
// the account to the payout, its row of the statement and its return; and webhooks of all kinds.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { unanswered } from '../../src/product/money/wallet/index.ts';
import { until } from '../kit/until.ts';
import { changeSeller, closeSeller, reverseTransfer } from '../kit/stripe/connect.ts';
import type { Event } from '../kit/stripe/objects.ts';
import { SECRET_KEY, startWithStripe, type StripePlatform } from '../kit/stripe/platform.ts';

let system: StripePlatform;
before(async () => {
  system = await startWithStripe();
});
after(() => system?.stop());

interface Payee {
  readonly payment_method_id: string;
  readonly status: string;
  readonly requirements: readonly string[];
  readonly url: string;
}

interface Payout {
  readonly payout_status_id: string;
  readonly status: string;
  readonly failure_code: string;
}

/** What Stripe tells while something happens. */
function heardWhile(happen: () => void): Event {
  const events: Event[] = [];
  system.account.listen((event) => events.push(event));
  happen();
  system.account.listen(() => {});
  const [event] = events;
  assert.ok(event);
  return event;
}

/** A statement row's verdict, once it has one; the statement is read now and not in a minute. */
async function verdict(key: string, kind: string): Promise<string> {
  const { db } = system.platform;
  await db.execute('update statement_cursor set due = clock_timestamp()');
  return until(`the verdict on ${kind} ${key}`, async () => {
    const text = 'select verdict from statement_line where key = $1 and kind = $2';
    const [row] = await db.query<{ verdict: string }>({ text, values: [key, kind] });
    return row === undefined || row.verdict === 'waiting' ? null : row.verdict;
  });
}

const payeeIs = (account_id: string, status: string): Promise<Payee> =>
  until(`the seller to be ${status}`, async () => {
    const path = `/v1/payee?account_id=${account_id}`;
    const now = await system.platform.api.must<Payee>(200, 'payments', 'GET', path);
    return now.status === status ? now : null;
  });

/** A person with money of a card payment in their wallet, which Stripe has not released yet. */
async function earner(): Promise<{ account_id: string; wallet: string }> {
  const { api } = system.platform;
  const { account_id, method } = await system.payer({ type: 'card' });
  const body = { account_id, payment_method_id: method, currency: 'USD', amount: 5_000 };
  type Deposit = { deposit_id: string; state: string };
  const path = '/v1/deposits';
  const { deposit_id } = await api.must<Deposit>(201, 'invoicing', 'POST', path, { body });
  await until('the deposit', async () => {
    const now = await api.must<Deposit>(200, 'invoicing', 'GET', `${path}/${deposit_id}`);
    return now.state === 'success' ? now : null;
  });
  type Method = { id: string; display_string: string };
  const list = `/v1/${account_id}/payment_methods`;
  const methods = await api.must<Method[]>(200, 'payments', 'GET', list);
  const wallet = methods.find((one) => one.display_string === 'USD wallet')?.id ?? '';
  const { db } = system.platform;
  const text = 'select id from attempt where resource_id = $1';
  const [attempt] = await db.query<{ id: string }>({ text, values: [deposit_id] });
  assert.equal(await verdict(attempt?.id ?? '', 'capture'), 'matched');
  await until('the first row to open the funds', async () =>
    (await db.query('select 1 from funds'))[0],
  );
  return { account_id, wallet };
}

test('a seller is onboarded, paid, and the money can come back', async () => {
  const { api, db } = system.platform;
  const { account_id, wallet } = await earner();
  const link = { body: { account_id, country: 'US' } };
  const made = await api.must<Payee>(201, 'payments', 'POST', '/v1/payee/link', link);
  assert.deepEqual([made.status, made.url.startsWith(system.server.url)], ['restricted', true]);
  const [seller] = [...system.account.sellers.values()];
  assert.ok(seller);
  const money = { amount: 1_000, currency: 'USD' };
  const to = { destination_payment_method_id: made.payment_method_id };
  const body = { source_payment_method_id: wallet, ...to, ...money };
  const path = `/v2/${account_id}/payout`;
  const due = await api.send('invoicing', 'POST', path, { body });
  assert.equal(due.body.codes[0], 'PAYOUT_REQUIREMENTS_DUE');

  const event = heardWhile(() => changeSeller(system.account, seller.id, []));
  assert.equal(await system.notify(event, 'whsec_ofsomebodyelse'), 401);
  const foreign = { ...event, id: 'evt_foreign', account: 'acct_ofsomebodyelse' };
  assert.equal(await system.notify(foreign), 200);
  assert.equal(await system.notify(event), 200);
  assert.equal(await system.notify(event), 200);
  assert.deepEqual((await payeeIs(account_id, 'ready')).requirements, []);

  const asked = await api.must<Payout>(201, 'invoicing', 'POST', path, { body });
  const one = `${path}/${asked.payout_status_id}`;
  const early = await api.send('invoicing', 'PATCH', one);
  assert.equal(early.body.codes[0], 'PAYOUT_WAITS_FOR_MONEY');
  const clock = { body: { advance_seconds: 3 * 86_400 } };
  await api.must(200, 'invoicing', 'POST', '/sandbox/clock', clock);
  const statusIs = (status: string): Promise<Payout> =>
    until(`the payout to be ${status}`, async () => {
      const now = await api.must<Payout>(200, 'invoicing', 'GET', one);
      return now.status === status ? now : null;
    });
  await api.send('invoicing', 'PATCH', one);
  await statusIs('SUCCESS');
  const [sent] = [...system.account.transfers.values()];
  assert.ok(sent);
  assert.deepEqual([sent.amount, sent.destination], [990, seller.id]);
  assert.equal(await verdict(sent.transfer_group, 'payout'), 'matched');

  const back = heardWhile(() => reverseTransfer(system.account, sent, 990));
  assert.equal(await system.notify(back), 200);
  await statusIs('FAILED');
  assert.equal(await verdict(sent.transfer_group, 'payout_return'), 'matched');
  const open = await db.query(`select 1 from difference where state = 'open'`);
  assert.deepEqual(open, []);

  // Sent again, but nobody hears the answer before the tenant changes to another account.
  const OTHER = 'sk_test_wholesystem2';
  const busy = /^(GET|POST) \/v1\/transfers$/;
  system.server.misbehave(({ method, route }, nth) => {
    if (!busy.test(`${method} ${route}`)) return null;
    return method === 'POST' && nth === 1 ? 'reset_after' : 'reset_before';
  });
  await until('the second try', async () =>
    (await api.send('invoicing', 'PATCH', one)).status === 200 || null,
  );
  await until('the transfer', async () => system.account.transfers.size === 2 || null);
  const [home] = await db.query<{ id: number }>('select min(workspace) as id from client');
  assert.equal(await unanswered(db, home?.id ?? 0), 1, 'who removes the provider now is told');
  await system.connect(OTHER);
  system.server.misbehave(() => null);
  await statusIs('SUCCESS');
  assert.equal(system.server.account(OTHER).transfers.size, 0);
  assert.equal(system.account.transfers.size, 2);
  await system.connect(SECRET_KEY);
});

test('an account that Stripe closed takes no payouts; the next link opens another', async () => {
  const { api } = system.platform;
  const { account_id } = await api.register('closed seller');
  const before = system.account.sellers.size;
  const link = { body: { account_id } };
  const ask = (): Promise<Payee> => api.must(201, 'payments', 'POST', '/v1/payee/link', link);
  const first = await ask();
  const seller = [...system.account.sellers.keys()].at(-1) ?? '';
  assert.equal(system.account.sellers.size, before + 1);
  const event = heardWhile(() => closeSeller(system.account, seller));
  assert.equal(await system.notify(event), 200);
  await payeeIs(account_id, 'closed');
  const again = await ask();
  assert.notEqual(again.payment_method_id, first.payment_method_id);
  assert.equal(again.status, 'restricted');
});
