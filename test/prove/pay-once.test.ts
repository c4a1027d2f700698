// Paying once at Stripe, with the whole system: over HTTP from the page to the matched statement,
// given up, late, raced and refunded; and in a real browser, where the page is a window of its own
// and where a card is saved in one. [G-41, G-47]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../kit/until.ts';
import { unanswered } from '../../src/product/money/wallet/index.ts';
import { arrive, HOSTED, newBuyer, openHosted, order, type Place } from '../browser/buyer.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { settleSession } from '../kit/stripe/checkout.ts';
import type { Behaviour, Event, Session } from '../kit/stripe/objects.ts';
import { QUICK, SECRET_KEY, startWithStripe, type StripePlatform } from '../kit/stripe/platform.ts';
import { ownLine } from '../api/market.ts';

const WAIT_MS = 40_000;
const AMOUNT = 1_250;

let bench: Bench;
let system: StripePlatform;
before(async () => {
  bench = await openBench(QUICK);
  system = await startWithStripe(bench.platform);
});
after(async () => {
  await bench?.stop();
  await system?.server.close();
});

interface Invoice {
  readonly invoice_id: string;
  readonly state: string;
  readonly failure_code?: string;
  readonly authentication_url?: string;
  readonly authentication_framed?: boolean;
}

const invoiceNow = (id: string): Promise<Invoice> =>
  system.platform.api.must(200, 'invoicing', 'GET', `/v2/invoice/${id}`);

function ended(id: string): Promise<Invoice> {
  return until(`the end of ${id}`, async () => {
    const now = await invoiceNow(id);
    return ['success', 'failed'].includes(now.state) ? now : null;
  });
}

interface Sale {
  readonly id: string;
  readonly account_id: string;
  readonly wallet: string;
  /** Its page at Stripe. */
  readonly session: Session;
  readonly key: string;
}

/** A sale of a new person with so many cents, who pays the rest once; up to its page. */
async function sold(kind: 'card' | 'ideal', fromWallet = 0): Promise<Sale> {
  const { api, db } = system.platform;
  const { account_id, wallet } = await newBuyer(api, fromWallet);
  const asked = { body: { account_id, kind } };
  const path = '/v1/payment_method/once';
  const { id: method } = await api.must<{ id: string }>(201, 'payments', 'POST', path, asked);
  assert.equal((await api.must<{ id: string }>(201, 'payments', 'POST', path, asked)).id, method);
  const currency = kind === 'card' ? 'USD' : 'EUR';
  const rest = { payment_method_id: method, amount: 0 };
  const part = { payment_method_id: wallet, amount: fromWallet };
  const body = {
    account_id,
    payment_methods: fromWallet > 0 ? [part, rest] : [rest],
    line_items: [ownLine(AMOUNT + fromWallet, { currency })],
  };
  const made = await api.must<Invoice>(201, 'invoicing', 'POST', '/v2/invoice', { body });
  const id = made.invoice_id;
  await api.must(200, 'invoicing', 'POST', `/v2/invoice/${id}/pay`);
  const waiting = await until('the page', async () => {
    const now = await invoiceNow(id);
    return now.authentication_url === undefined ? null : now;
  });
  assert.equal(waiting.authentication_framed, false);
  const session = system.account.sessions.get(waiting.authentication_url?.split('/').at(-1) ?? '');
  assert.ok(session);
  assert.deepEqual([session.amount_total, session.currency], [AMOUNT, currency.toLowerCase()]);
  const text = `select id from attempt where resource_id = $1`;
  const [attempt] = await db.query<{ id: string }>({ text, values: [id] });
  return { id, account_id, wallet, session, key: attempt?.id ?? '' };
}

/** The buyer finishes the page; gives the events of Stripe. */
function pay({ session }: Pick<Sale, 'session'>, does: Behaviour): Event[] {
  const before = system.account.events.length;
  system.server.complete(SECRET_KEY, session.id, does);
  return system.account.events.slice(before);
}

async function stateOf(key: string): Promise<string> {
  const text = 'select state from attempt where id = $1';
  const { db } = system.platform;
  return (await db.query<{ state: string }>({ text, values: [key] }))[0]?.state ?? '';
}

const attemptIs = (key: string, state: string) =>
  until(`${state} of ${key}`, async () => (await stateOf(key)) === state);

/** Verdicts on the statement's rows of a key, read now. */
async function verdicts(key: string, rows: number): Promise<string[]> {
  const { db } = system.platform;
  await db.execute('update statement_cursor set due = clock_timestamp()');
  return until(`${rows} verdicts on ${key}`, async () => {
    const text = `select kind || ' ' || verdict || ' ' || coalesce(why, '') as said, verdict
      from statement_line where key = $1 order by line`;
    const found = await db.query<{ said: string; verdict: string }>({ text, values: [key] });
    const done = found.length === rows && found.every(({ verdict }) => verdict !== 'waiting');
    return done ? found.map(({ said }) => said) : null;
  });
}

/** What is spendable in a buyer's wallet. */
async function balanceOf({ account_id }: Sale): Promise<number> {
  type Balances = { balances: Record<string, { spendable: { balance: number } }> };
  const { api } = system.platform;
  const path = `/balances/${account_id}`;
  const seen = await api.must<Balances>(200, 'wallets', 'GET', path);
  return seen.balances.USD?.spendable.balance ?? 0;
}

async function refunded(id: string, key: string): Promise<string> {
  const { api, db } = system.platform;
  const body = { invoice_id: id, reason: 'other' };
  await api.must(200, 'invoicing', 'POST', '/v2/refund', { body });
  return until('the refund', async () => {
    const text = `select id from transfer where target = $1 and state = 'paid'`;
    return (await db.query<{ id: string }>({ text, values: [key] }))[0]?.id;
  });
}

test('a card that is not saved pays once: noticed, captured, matched and refunded', async () => {
  const sale = await sold('card');
  const { api } = system.platform;
  const path = `/v1/${sale.account_id}/payment_methods`;
  const listed = await api.must<{ provider: string }[]>(200, 'payments', 'GET', path);
  assert.ok(listed.every(({ provider }) => provider === 'wallet'), 'nothing was saved');
  for (const event of pay(sale, { type: 'card' })) {
    assert.equal(await system.notify(event, 'whsec_ofsomebodyelse'), 401);
    assert.equal(await system.notify(event), 200);
    assert.equal(await system.notify(event), 200);
  }
  const { state, authentication_url } = await ended(sale.id);
  assert.deepEqual([state, authentication_url], ['success', undefined]);
  assert.deepEqual(await verdicts(sale.key, 1), ['capture matched captured']);
  assert.deepEqual(await verdicts(await refunded(sale.id, sale.key), 1), ['refund matched paid']);
});

test('a lost webhook changes nothing: the page is looked up', async () => {
  const sale = await sold('card');
  pay(sale, { type: 'card' });
  assert.equal((await ended(sale.id)).state, 'success');
});

test('a login at the bank pays at once, and is refunded', async () => {
  const sale = await sold('ideal');
  for (const event of pay(sale, { type: 'ideal' }).toReversed()) await system.notify(event);
  assert.equal((await ended(sale.id)).state, 'success');
  assert.deepEqual(await verdicts(sale.key, 1), ['capture matched captured']);
  assert.deepEqual(await verdicts(await refunded(sale.id, sale.key), 1), ['refund matched paid']);
});

for (const [well, state] of [[true, 'success'], [false, 'failed']] as const) {
  test(`a bank that takes its time ends in ${state}, without a page meanwhile`, async () => {
    const sale = await sold('ideal');
    for (const event of pay(sale, { type: 'ideal', later: true })) await system.notify(event);
    await attemptIs(sale.key, 'capturing');
    const now = await invoiceNow(sale.id);
    assert.deepEqual([now.state, now.authentication_url], ['processing', undefined]);
    settleSession(system.account, sale.session, well);
    await system.notify(system.account.events.at(-1) as Event);
    assert.equal((await ended(sale.id)).state, state);
    await attemptIs(sale.key, well ? 'captured' : 'declined');
  });
}

test('a buyer who gives up gets the part of the wallet back, and the page ends', async () => {
  const sale = await sold('card', 300);
  const { api } = system.platform;
  assert.equal(await balanceOf(sale), 0);
  const path = `/v2/invoice/${sale.id}/give_up`;
  await api.must(200, 'invoicing', 'POST', path);
  const { state, failure_code } = await ended(sale.id);
  assert.deepEqual([state, failure_code], ['failed', 'payment_cancelled']);
  assert.equal(await balanceOf(sale), 300);
  await attemptIs(sale.key, 'reversed');
  assert.equal(sale.session.status, 'expired');
  const again = await api.send('invoicing', 'POST', path);
  assert.equal(again.code, 'INVOICE_NOT_WAITING');
});

test('who has paid while giving up has paid', async () => {
  const sale = await sold('card');
  pay(sale, { type: 'card' });
  await system.platform.api.must(200, 'invoicing', 'POST', `/v2/invoice/${sale.id}/give_up`);
  assert.equal((await ended(sale.id)).state, 'success');
});

test('what is paid after the payment was given up goes back by itself', async () => {
  const sale = await sold('ideal');
  let events: Event[] = [];
  // The page is paid when we are about to end it.
  system.server.misbehave(({ route }) => {
    if (route.endsWith('/expire') && sale.session.status === 'open') {
      events = pay(sale, { type: 'ideal' });
    }
    return null;
  });
  await system.platform.api.must(200, 'invoicing', 'POST', `/v2/invoice/${sale.id}/give_up`);
  assert.equal((await ended(sale.id)).failure_code, 'payment_cancelled');
  await attemptIs(sale.key, 'reversed');
  system.server.misbehave(() => null);
  for (const event of events) await system.notify(event);
  const told = await verdicts(sale.key, 2);
  assert.deepEqual(told, ['capture matched reversed', 'refund matched reversed']);
  const back = [...system.account.refunds.values()].filter(
    ({ metadata }) => metadata.holdfast_key === sale.key,
  );
  assert.deepEqual(back.map(({ amount }) => amount), [AMOUNT]);
  assert.equal((await invoiceNow(sale.id)).state, 'failed');
});

test('another amount at Stripe is not credited, and waits for a person', async () => {
  const sale = await sold('card');
  system.account.wrong = { amount: AMOUNT - 1 };
  for (const event of pay(sale, { type: 'card' })) await system.notify(event);
  await attemptIs(sale.key, 'parked');
  assert.equal((await invoiceNow(sale.id)).state, 'processing');
});

test('a payment is asked for at the account that made it, also after a change', async () => {
  const OTHER = 'sk_test_wholesystem2';
  const [first, second] = [await sold('card'), await sold('ideal')];
  const { db } = system.platform;
  const [home] = await db.query<{ id: number }>('select min(workspace) as id from client');
  const waiting = () => unanswered(db, home?.id ?? 0);
  assert.equal(await waiting(), 2, 'who removes the provider now is told');
  await system.connect(OTHER);
  try {
    pay(first, { type: 'card' });
    for (const event of pay(second, { type: 'ideal' })) await system.notify(event);
    for (const { id, key } of [first, second]) {
      assert.equal((await ended(id)).state, 'success');
      assert.equal(await stateOf(key), 'captured');
    }
    await refunded(second.id, second.key);
    assert.equal(await waiting(), 0);
    const { intents, sessions } = system.server.account(OTHER);
    assert.deepEqual([intents.size, sessions.size], [0, 0]);
  } finally {
    await system.connect(SECRET_KEY);
  }
});

/** The window that a click on the processor's button opens. */
async function away(page: Page, place: Place): Promise<Page> {
  const popup = page.waitForEvent('popup');
  await hook(place, 'continue').click();
  const opened = await popup;
  await opened.getByLabel('Card number').fill('4242 4242 4242 4242');
  return opened;
}

/** The person submits the page, comes back to ours, and closes the window as it says. */
async function finish(opened: Page): Promise<void> {
  await opened.getByRole('button').click();
  await opened.getByText('You can close this window').waitFor();
  await opened.close();
}

test('on the hosted page a buyer pays once in a window of its own', async () => {
  const visitor = await bench.visitor();
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 0);
  const page = await openHosted(visitor, await order(api, buyer, AMOUNT, HOSTED));
  await hook(page, 'method-once-card').check();
  await hook(page, 'pay').click();
  await hook(page, 'screen-pay-once').waitFor();
  const opened = await away(page, page);
  await opened.getByRole('heading', { name: 'Pay 12.50 USD' }).waitFor();
  await finish(opened);
  await hook(page, 'screen-success').waitFor({ timeout: WAIT_MS });
  assert.deepEqual(await api.must(200, 'payments', 'GET', `/v1/${buyer.account_id}/payment_methods`)
    .then((all) => (all as { provider: string }[]).filter((one) => one.provider !== 'wallet')), []);
});

test('in the widget a buyer comes back without paying, and chooses another way', async () => {
  const visitor = await bench.visitor();
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 0);
  const { redirect } = await order(api, buyer, AMOUNT);
  const frame = await visitor.begin({ flow: 'checkout', redirect });
  await arrive(frame);
  await hook(frame, 'method-once-card').check();
  await hook(frame, 'pay').click();
  await hook(frame, 'screen-pay-once').waitFor();
  const opened = await away(visitor.page, frame);
  await opened.close();
  await hook(frame, 'back').waitFor();
  await hook(frame, 'give-up').click();
  await hook(frame, 'problem').waitFor({ timeout: WAIT_MS });
  await hook(frame, 'method-once-card').check();
  await hook(frame, 'pay').click();
  await hook(frame, 'screen-pay-once').waitFor();
  await finish(await away(visitor.page, frame));
  await hook(frame, 'screen-success').waitFor({ timeout: WAIT_MS });
});

test('a card is saved in a window of its own, and pays', async () => {
  const visitor = await bench.visitor();
  const { api } = bench.platform;
  const page = await openHosted(visitor, await order(api, await newBuyer(api, 0), AMOUNT, HOSTED));
  await hook(page, 'add-card').click();
  await hook(page, 'screen-add-card').waitFor();
  await finish(await away(page, page));
  await page.getByText('Visa ending in 4242').waitFor();
  await hook(page, 'pay').click();
  await hook(page, 'screen-success').waitFor({ timeout: WAIT_MS });
});
