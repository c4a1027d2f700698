// Thirty days of a production start with the stand-ins of Stripe and the bank: cards, an escrow, a
// refund, a dispute that is lost, transfers in, payouts by file of which one comes back, people who
// are decided at the console and at Stripe. In the end the books, Stripe and the bank agree to the
// cent.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { heldAt, payOut } from '../kit/stripe/bank.ts';
import { changeDispute, openDispute } from '../kit/stripe/disputes.ts';
import { Live, type Person } from './live.ts';

const DAYS = 30;

let live: Live;
let buyer: Person;
let sellers: readonly [Person, Person];
let card = '';
/** Minor units that each seller's wallet must hold in the end, and the tenant's own share. */
const expected = { share: 0, seller: [0, 0], buyer: 0 };

before(async () => {
  live = await Live.start();
  buyer = await live.register('thirty.buyer');
  sellers = [await live.register('thirty.seller'), await live.register('thirty.other')];
});
after(() => live?.stop());

const post = <T>(path: string, body?: object): Promise<T> =>
  live.api.must(200, 'invoicing', 'POST', path, body === undefined ? {} : { body });

interface Sale {
  readonly id: string;
  /** At Stripe; '' for a sale by wallet. */
  readonly intent: string;
}

/** A line of so much to a seller, of which so much is ours. */
function line(amount: number, fee: number, seller: Person): object {
  const destination_wallet_id = seller.wallet;
  const recipient = { amount: amount - fee, currency: 'EUR', fee_amount: fee };
  const recipients = [{ ...recipient, destination_wallet_id }];
  return { amount, currency: 'EUR', transaction_type: 'user_to_user', recipients };
}

/** What is sold, and how it is paid. */
const sale = (lines: readonly object[], payment_method_id = card): object => {
  const payment_methods = [{ payment_method_id }];
  return { account_id: buyer.account, payment_methods, line_items: lines };
};

/** Sells and waits until it is paid. */
async function sold(lines: readonly object[], method = card): Promise<Sale> {
  const body = sale(lines, method);
  type Made = { invoice_id: string };
  const made = await live.api.must<Made>(201, 'invoicing', 'POST', '/v2/invoice', { body });
  const { invoice_id: id } = made;
  await post(`/v2/invoice/${id}/pay`);
  await reaches(`/v2/invoice/${id}`, 'state', 'success');
  return { id, intent: method === card ? ([...live.account.intents.keys()].at(-1) ?? '') : '' };
}

/** Sells to the first seller; the buyer pays once on Stripe's page, and saves nothing. */
async function soldOnce(amount: number, fee: number): Promise<void> {
  const wish = { body: { account_id: buyer.account, kind: 'card' } };
  const once = '/v1/payment_method/once';
  const { id } = await live.api.must<{ id: string }>(201, 'payments', 'POST', once, wish);
  const body = sale([line(amount, fee, sellers[0])], id);
  type Made = { invoice_id: string };
  const made = await live.api.must<Made>(201, 'invoicing', 'POST', '/v2/invoice', { body });
  const path = `/v2/invoice/${made.invoice_id}`;
  await post(`${path}/pay`);
  const page = await live.until('the page to pay on', async () => {
    type Waiting = { authentication_url?: string };
    return (await live.api.must<Waiting>(200, 'invoicing', 'GET', path)).authentication_url;
  });
  live.payOnce(page);
  await reaches(path, 'state', 'success');
  expected.seller[0] = (expected.seller[0] ?? 0) + amount - fee;
  expected.share += fee;
}

/** Sells to a seller; counts what they and we earn. */
async function sells(to: 0 | 1, amount: number, fee: number): Promise<Sale> {
  expected.seller[to] = (expected.seller[to] ?? 0) + amount - fee;
  expected.share += fee;
  return sold([line(amount, fee, sellers[to])]);
}

function reaches(path: string, field: string, state: string): Promise<true> {
  return live.until(`${path} in ${state}`, async () => {
    type Seen = Record<string, unknown>;
    const seen = await live.api.must<Seen>(200, 'invoicing', 'GET', path);
    return seen[field] === state ? true : null;
  });
}

/** Sales that later days come back to. */
const kept = new Map<string, string>();
const of = (name: string): string => kept.get(name) ?? assert.fail(name);

/** Requests a payout to a new bank account of the seller; notes it. */
async function request(to: 0 | 1, amount: number, iban: string): Promise<void> {
  const { account: account_id, method } = sellers[to];
  const path = '/v1/payment_method/bank_account';
  const wish = { body: { account_id, iban, holder_name: 'Thirty Seller' } };
  type Made = { id: string };
  const { id } = await live.api.must<Made>(201, 'payments', 'POST', path, wish);
  const from = { source_payment_method_id: method, destination_payment_method_id: id };
  const body = { ...from, amount, currency: 'EUR' };
  const asked = `/v2/${account_id}/payout`;
  type Asked = { payout_status_id: string };
  const made = await live.api.must<Asked>(201, 'invoicing', 'POST', asked, { body });
  kept.set(`payout ${to}`, `${asked}/${made.payout_status_id}`);
  expected.seller[to] = (expected.seller[to] ?? 0) - amount;
}

interface Sent {
  readonly id: string;
  readonly amount: number;
}

/** The outbound transfers of a payout file, as the bank is told. */
async function inFile(): Promise<readonly Sent[]> {
  return live.base.db.query<Sent>(
    `select replace(id::text, '-', '') as id, amount::int as amount from transfer
      where purpose = 'payout' order by amount desc`,
  );
}

/** A row of the bank's statement that names one of our end-to-end ids. */
const named = (id: string, more = ''): { readonly details: string } => ({
  details: `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${more}</TxDtls>`,
});

/** What happens on which day, besides a sale each day. */
const STORY: Readonly<Record<number, () => Promise<void>>> = {
  async 0() {
    card = await live.saveCard(buyer);
    await live.accept(await live.apply(sellers[0], 'Aldridge'));
    await live.accept(await live.apply(sellers[1], 'Bowden'));
    // What the tenant sells itself: refunds and lost disputes are paid out of it.
    await sold([{ amount: 20_000, currency: 'EUR', transaction_type: 'user_to_integrator' }]);
    expected.share += 20_000;
    // On the first day: the stand-in's clock is that of the page, which ends within a day.
    await soldOnce(4_200, 420);
  },
  async 1() {
    const body = sale([line(5_000, 500, sellers[0])]);
    type Made = { id: string };
    const { id } = await live.api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
    await post(`/v2/escrow/${id}/pay`);
    await reaches(`/v2/escrow/${id}`, 'status', 'ESCROWED');
    kept.set('escrow', `/v2/escrow/${id}`);
  },
  async 2() {
    kept.set('refunded', (await sells(1, 3_000, 300)).id);
    kept.set('disputed', (await sells(0, 2_500, 250)).intent);
  },
  async 4() {
    const path = `/v2/wallet/${buyer.wallet}/deposit_instructions`;
    type Told = { reference: string };
    const { reference } = await live.api.must<Told>(200, 'wallets', 'GET', path);
    live.bank.book(7_500, { structured: reference, payer: 'Thirty Payer' });
    expected.buyer += 7_500;
  },
  async 5() {
    await post(`${of('escrow')}/commit`);
    await reaches(of('escrow'), 'status', 'COMMITTED');
    expected.seller[0] = (expected.seller[0] ?? 0) + 4_500;
    expected.share += 500;
  },
  async 6() {
    const refund = { invoice_id: of('refunded'), reason: 'other' };
    const { refund_id } = await post<{ refund_id: string }>('/v2/refund', refund);
    await reaches(`/v2/refund/${refund_id}`, 'status', 'REFUND-SUCCESS');
    expected.share -= 3_000;
    await sold([line(1_000, 0, sellers[1])], buyer.method);
    expected.buyer -= 1_000;
    expected.seller[1] = (expected.seller[1] ?? 0) + 1_000;
  },
  async 8() {
    const dispute = openDispute(live.account, of('disputed'), 'fraudulent');
    kept.set('dispute', dispute.id);
    await disputed('needs_response');
  },
  async 10() {
    await live.connectIdentity();
    await live.verify(buyer, 'Carlow');
  },
  async 12() {
    await request(0, 6_000, 'NL91ABNA0417164300');
    await request(1, 2_000, 'FR1420041010050500013M02606');
  },
  async 14() {
    const file = await live.by('rita', 'payout-file', 'make', '--currency', 'EUR');
    assert.equal(file['transactions'], 2);
    const id = file['file_id'] ?? '';
    await live.by('sven', 'payout-file', 'confirm', id, '--sha256', file['sha256'] ?? '');
    const out = live.path('payouts.xml');
    await live.ofTenant('payout-file', 'hand-over', id, '--out', out);
  },
  async 15() {
    for (const { id, amount } of await inFile()) live.bank.book(-amount, named(id));
  },
  async 16() {
    await reaches(of('payout 0'), 'status', 'SUCCESS');
    await reaches(of('payout 1'), 'status', 'SUCCESS');
  },
  async 17() {
    const back = (await inFile()).at(-1);
    const why = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>';
    live.bank.book(back?.amount ?? 0, named(back?.id ?? '', why));
  },
  async 18() {
    await reaches(of('payout 1'), 'status', 'FAILED');
  },
  async 20() {
    const dispute = live.account.disputes.get(of('dispute'));
    assert.ok(dispute);
    changeDispute(live.account, dispute, 'lost');
    await disputed('lost');
    expected.share -= 2_500;
  },
};

/** Waits until the tenant reads of its dispute that it is so. */
async function disputed(status: string): Promise<void> {
  type Page = { disputes: readonly { status: string }[] };
  await live.until(`a dispute in ${status}`, async () => {
    const page = await live.api.must<Page>(200, 'invoicing', 'GET', '/v1/disputes');
    return page.disputes.some((one) => one.status === status) ? true : null;
  });
}

/**
 * What Stripe sends to the bank, which shows it the day after. It is booked here before that day
 * passes: the next one may take what a dispute withdrew out of what is available.
 */
async function sendToBank(): Promise<void> {
  const sent = payOut(live.account, 'eur');
  if (sent === null) return;
  live.bank.book(sent.amount, { text: `STRIPE ${sent.id}`, payer: 'STRIPE' });
  await live.until('what Stripe sent to the bank', async () => {
    const [row] = await live.base.db.query({
      text: `select from statement_line where kind = 'provider_payout' and booked
        and reference = $1`,
      values: [sent.id],
    });
    return row;
  });
}

test('thirty days pass', { timeout: 600_000 }, async () => {
  for (let day = 0; day < DAYS; day += 1) {
    await STORY[day]?.();
    await sells(day % 2 === 0 ? 0 : 1, 1_000 + 37 * day, 100 + day);
    await live.quiet();
    if (day % 3 === 0) await sendToBank();
    await live.passDay();
    await live.importStatement();
    await live.quiet();
  }
});

test('what came back is in its wallet again, and everybody has what they earned', async () => {
  // The one that came back; a week later its money was in the wallet again.
  expected.seller[1] = (expected.seller[1] ?? 0) + 2_000;
  const wallets = [...sellers, buyer].map((person) => live.spendable(person));
  assert.deepEqual(await Promise.all(wallets), [...expected.seller, expected.buyer]);
});

test('the last transfer arrives, and every cent lies where Stripe and the bank say', async () => {
  for (let day = 0; day < 4; day += 1) await live.passDay();
  await sendToBank();
  await live.quiet();
  await live.importStatement();
  await live.quiet();
  const told = await live.command('treasury', '--json');
  type Kind = { kind: string; amount: string };
  type Side = Record<'lies' | 'owed' | 'own', readonly Kind[]> & { off: string };
  const [standing, ...others] = JSON.parse(told) as readonly Side[];
  assert.ok(standing);
  assert.deepEqual([others.length, standing.off], [0, '0']);
  const lies = Object.fromEntries(standing.lies.map(({ kind, amount }) => [kind, Number(amount)]));
  const at = heldAt(live.account, 'eur');
  assert.deepEqual([lies['processor_clearing'] ?? 0, at.pending], [0, 0]);
  assert.equal(lies['processor_available'] ?? 0, at.available);
  assert.equal(lies['in_transit'] ?? 0, 0);
  assert.equal(lies['bank'], live.bank.balance);
  const own = Object.fromEntries(standing.own.map(({ kind, amount }) => [kind, Number(amount)]));
  assert.equal(own['integrator_share'], expected.share);
  const charged = live.account.transactions.reduce((sum, { fee }) => sum + fee, 0);
  const costs = ['processor_fees', 'unreturned_fees', 'dispute_fees'];
  assert.equal(costs.reduce((sum, kind) => sum - (own[kind] ?? 0), 0), charged);
});

test('each row of Stripe and of the bank is explained, and nothing is open', async () => {
  const { db } = live.base;
  const lines = await db.query<{ verdict: string; booked: boolean; n: number }>(
    'select verdict, booked, count(*)::int as n from statement_line group by verdict, booked',
  );
  const closed = live.account.events.filter(({ type }) => type === 'charge.dispute.closed');
  const n = live.account.transactions.length + closed.length;
  assert.deepEqual(lines, [{ verdict: 'matched', booked: true, n }]);
  const rows = await db.query<{ what: string }>(
    `select e.id::text as what from bank_entry e left join incoming_transfer t
      on t.workspace = e.workspace and t.entry_id = e.id and t.state = 'credited'
      where e.settles is null and t.id is null`,
  );
  assert.deepEqual(rows, []);
  assert.match(await live.command('reconcile'), /^No open items\.$/m);
  assert.match(await live.ofTenant('bank', 'transfers'), /^No open transfers\.$/m);
  assert.match(await live.command('verify'), /^All \d+ laws hold\.$/m);
});

test('no event is missing, and only genuine webhooks of Stripe are heard', async () => {
  type Page = { events: readonly { sequence: number; event_name: string }[] };
  const path = '/v1/events?after=0&limit=1000';
  const { events } = await live.api.must<Page>(200, 'invoicing', 'GET', path);
  assert.deepEqual(events.map(({ sequence }) => sequence), events.map((_, at) => at + 1));
  const count = (name: string): number =>
    events.filter(({ event_name }) => event_name === name).length;
  const once = ['refund-completed', 'dispute-created', 'dispute-closed', 'deposit-completed'];
  for (const name of once) assert.equal(count(name), 1, name);
  assert.equal(count('escrow-transaction-update'), 2);
  assert.equal(count('payout-completed'), 4, 'two paid, one came back, and was given back');
  assert.ok(count('kyc-webhook') >= 4 && count('invoice-completed') > DAYS);
  assert.deepEqual([...new Set(live.heard)], [200]);
  assert.equal(live.heard.length, live.account.events.length);
  const [event] = live.account.events;
  assert.ok(event);
  assert.equal(await live.hear(event, 'whsec_somebodyelse'), 401);
});

test('the log of requests shows what was refused, and no sale that worked', async () => {
  const wish = ['--name', 'dora', '--username', 'dora', '--roles', 'developer'];
  live.staff.hired(await live.command('operator', 'create', ...wish));
  const body = { account_id: 'very-own-words' };
  const refused = await live.api.send('invoicing', 'POST', '/v2/invoice', { body });
  assert.equal(refused.status, 400);
  const { text } = await (await live.staff.at('dora')).get('/developers/requests');
  assert.match(text, /POST \/v2\/invoice/);
  assert.ok(text.includes(refused.headers.get('x-request-id') ?? 'an id'));
  assert.doesNotMatch(text, /<td class="number">20\d<|very-own-words/);
});

test('the log names nobody and no secret', () => {
  const log = live.log();
  assert.doesNotMatch(log, /thirty\.|Aldridge|Bowden|Carlow|Quill|Thirty (?:Seller|Payer)/i);
  assert.doesNotMatch(log, /NL91|FR14|sk_live_|whsec_/);
});
