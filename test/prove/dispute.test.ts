// Disputes: a charge taken back is announced, borne once, and given back if the dispute is won; an
// escrow waits for the end, and what was lost pays nobody. [G-93, G-42, G-61, M15]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { queuesOf } from '../../src/console/figures.ts';
import type { Reply } from '../kit/api.ts';
import { startPlatform } from '../api/kit.ts';
import { pause, saleLine, type Body } from '../api/market.ts';
import { RefundScene } from '../api/refund-scene.ts';
import type { Escrow, Event, Invoice } from '../api/records.ts';

const DAY = 86_400;

interface Dispute {
  readonly dispute_id: string;
  readonly account_id: string;
  readonly invoice_id: string;
  readonly escrow_id: string;
  readonly deposit_id: string;
  readonly amount: number;
  readonly status: string;
  readonly due_by: string;
  readonly created: string;
  readonly updated: string;
  readonly provider_reference: string;
}

interface Page {
  readonly total: number;
  readonly disputes: readonly Dispute[];
}

let scene: RefundScene;
before(async () => {
  scene = new RefundScene(await startPlatform());
  await scene.fund(100_000);
});
after(() => scene?.platform.stop());

/** Causes an outside event; returns the status of the sandbox's answer. */
async function outside(event: string, id: string): Promise<number> {
  const body = { event, id };
  const path = '/sandbox/outside_events';
  return (await scene.platform.api.send('invoicing', 'POST', path, { body })).status;
}

const list = (query: string): Promise<Page> =>
  scene.platform.api.must(200, 'invoicing', 'GET', `/v1/disputes?${query}`);
const read = (id: string): Promise<Dispute> =>
  scene.platform.api.must(200, 'invoicing', 'GET', `/v1/disputes/${id}`);

/** Has a charge disputed; returns the dispute. */
async function disputed(id: string, query: string, event = 'chargeback'): Promise<Dispute> {
  const { total } = await list(query);
  assert.equal(await outside(event, id), 201);
  return until(`a dispute of ${id}`, async () => {
    const page = await list(query);
    return page.total > total ? (page.disputes[0] as Dispute) : null;
  });
}

/** Has the bank continue a dispute, and waits for that. */
async function goesOn({ dispute_id }: Dispute, status: string): Promise<Dispute> {
  assert.equal(await outside(`dispute_${status}`, dispute_id), 201);
  return until(`${dispute_id} is ${status}`, async () => {
    const dispute = await read(dispute_id);
    return dispute.status === status ? dispute : null;
  });
}

/** The events about a dispute, in order. */
async function told({ dispute_id }: Dispute, count: number): Promise<[string, unknown][]> {
  const fits = ({ message }: Event): boolean => message['dispute_id'] === dispute_id;
  const events = await scene.market.events(0, count, fits);
  return events.map(({ event_name, message }) => [event_name, message]);
}

/** The console's counts: disputes that need a response, and those under review at the bank. */
async function waiting(): Promise<(number | undefined)[]> {
  const queues = await queuesOf(scene.platform.db, 1);
  const names = ['Disputes to answer', 'Disputes under review by the bank'];
  return names.map((name) => queues.find((queue) => queue.name === name)?.count);
}

/** The timeline of an id has steps of these lifecycles; gives where it stands. */
async function explained(id: string, machines?: readonly string[]): Promise<string> {
  type Story = { now: string; timeline: readonly { kind: string; about: { kind: string } }[] };
  const path = `/sandbox/explain/${id}`;
  const { now, timeline } = await scene.platform.api.must<Story>(200, 'invoicing', 'GET', path);
  const steps = timeline.filter(({ kind }) => kind === 'transition');
  const kinds = new Set(steps.map(({ about }) => about.kind));
  if (machines !== undefined) assert.deepEqual([...kinds].toSorted(), machines);
  return now;
}

async function charged(amount: number): Promise<Invoice> {
  return scene.sold([amount], [{ payment_method_id: await scene.card() }]);
}

const move = (id: string, name: string): Promise<Reply> =>
  scene.platform.api.send('invoicing', 'POST', `/v2/escrow/${id}/${name}`);
const escrowNow = (id: string): Promise<Escrow> =>
  scene.platform.api.must(200, 'invoicing', 'GET', `/v2/escrow/${id}`);

/** An escrow that holds money, paid with these methods. */
async function held(amount: number, payment_methods: readonly Body[]): Promise<Escrow> {
  const { seller } = scene.platform.ready.accounts;
  const line_items = [saleLine(seller.wallet_id, amount)];
  const body = scene.market.sale(0, { line_items, payment_methods });
  const { api } = scene.platform;
  const { id } = await api.must<Escrow>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  assert.equal((await move(id, 'pay')).status, 200);
  return until(`${id} holds money`, async () => {
    const escrow = await escrowNow(id);
    return escrow.status === 'ESCROWED' ? escrow : null;
  });
}

/** The payment of a method in an invoice: a card's is the key of its charge. */
async function chargeOf(invoiceId: string, method: string): Promise<string> {
  const { subitems } = await scene.market.read(invoiceId);
  const all = Object.values(subitems);
  return all.find((one) => one.source_payment_method_id === method)?.subitem_id ?? '';
}

/** Sets the sandbox's clock so many seconds ahead of the database's. */
async function ahead(seconds: number): Promise<void> {
  await scene.platform.db.execute({
    text: `update workspace set clock_offset = make_interval(secs => $1)
      where workspace = (select min(workspace) from workspace)`,
    values: [seconds],
  });
}

test('a disputed sale stays paid; once won, the integrator has the money again', async () => {
  const invoice = await charged(900);
  const [buyer, seller, integrator] = await scene.money(invoice);
  const query = `invoice_id=${invoice.invoice_id}`;
  const opened = await disputed(invoice.invoice_id, query);
  const { dispute_id, provider_reference, due_by, created, updated, ...rest } = opened;
  assert.equal(Date.parse(due_by) - Date.parse(created) > 13 * DAY * 1_000, true);
  assert.equal(updated, created);
  assert.match(provider_reference, /./);
  assert.deepEqual(rest, {
    account_id: scene.platform.ready.accounts.buyer.account_id,
    invoice_id: invoice.invoice_id,
    escrow_id: '',
    deposit_id: '',
    amount: 900,
    currency: 'USD',
    display_amount: 'USD 9.00',
    reason: 'fraudulent',
    status: 'needs_response',
    evidence: [],
  });
  await scene.covered(invoice.invoice_id);
  assert.deepEqual(await scene.money(invoice), [buyer, seller, integrator - 900]);
  await scene.refused('INVOICE_ALREADY_REFUNDED', () => scene.tryRefund(invoice.invoice_id));
  assert.deepEqual(await waiting(), [1, 0]);
  const reviewed = await goesOn(opened, 'under_review');
  assert.deepEqual(await waiting(), [0, 1]);
  const won = await goesOn(opened, 'won');
  assert.deepEqual(await scene.money(invoice), [buyer, seller, integrator]);
  assert.deepEqual(await scene.market.read(invoice.invoice_id), invoice);
  assert.deepEqual(await told(opened, 3), [
    ['dispute-created', opened],
    ['dispute-updated', reviewed],
    ['dispute-closed', won],
  ]);
  const [reversal] = Object.values((await scene.refundsOf(invoice.invoice_id)).reversals);
  assert.equal(reversal?.status, 'given_back');
  assert.equal(await outside('dispute_lost', dispute_id), 400);
  await explained(dispute_id, ['dispute', 'reversal']);
  await explained(invoice.invoice_id, ['attempt', 'dispute', 'invoice', 'reversal']);
  const { refund_id } = await scene.refund(invoice.invoice_id);
  await scene.until(refund_id, 'REFUND-SUCCESS');
  assert.equal((await list(query)).total, 1);
});

test('after a lost dispute nothing more can be refunded; after a withdrawn one all', async () => {
  const [lost, dropped, partly] = [await charged(300), await charged(200), await charged(500)];
  const committed = await held(250, [{ payment_method_id: await scene.card() }]);
  assert.equal((await move(committed.id, 'commit')).status, 200);
  const [line = ''] = scene.lines(partly).values();
  const { refund_id } = await scene.refundLine(line, 120);
  await scene.until(refund_id, 'REFUND-SUCCESS');
  const [buyer, seller, integrator] = await scene.money(lost);
  const ids = [lost, dropped, partly].map((one) => one.invoice_id);
  const all = [...ids, committed.escrow_invoice_id];
  const opened = await Promise.all(all.map((id) => disputed(id, `invoice_id=${id}`)));
  assert.deepEqual(opened.map(({ amount }) => amount), [300, 200, 380, 250]);
  for (const id of all) await scene.covered(id);
  assert.deepEqual(await scene.money(lost), [buyer, seller, integrator - 1_130]);
  for (const id of ids) {
    await scene.refused('INVOICE_ALREADY_REFUNDED', () => scene.tryRefund(id));
    assert.equal(await outside('chargeback', id), 400, 'a charge is disputed once');
  }
  const ends = ['lost', 'withdrawn', 'lost', 'lost'];
  await Promise.all(opened.map((one, at) => goesOn(one, ends[at] ?? '')));
  assert.deepEqual(await scene.money(lost), [buyer, seller, integrator - 930]);
  await scene.refused('INVOICE_ALREADY_REFUNDED', () => scene.tryRefund(lost.invoice_id));
  assert.equal((await scene.refund(dropped.invoice_id)).amount, 200);
  assert.equal((await escrowNow(committed.id)).status, 'COMMITTED');
  assert.equal((await list(`status=withdrawn&invoice_id=${dropped.invoice_id}`)).total, 1);
});

test('a disputed escrow waits for the end; if lost, only the rest goes back', async () => {
  const { buyer } = scene.platform.ready.accounts;
  const cards = await Promise.all(Array.from({ length: 6 }, () => scene.card()));
  const by = (at: number, amount?: number): Body => {
    return { payment_method_id: cards[at] ?? '', ...(amount !== undefined && { amount }) };
  };
  const wallet = { payment_method_id: buyer.wallet_payment_method_id, amount: 300 };
  const [won, mixed, both, whole, debit] = [
    await held(700, [by(0)]),
    await held(1_000, [wallet, by(1, 450), by(2, 0)]),
    await held(800, [by(3, 500), by(4, 0)]),
    await held(400, [by(5)]),
    await held(350, [{ payment_method_id: await scene.card('bank_settled') }]),
  ] as const;
  const invoice = await scene.market.read(won.escrow_invoice_id);
  const before = await scene.money(invoice);
  const open = async (escrow: Escrow, at: number): Promise<Dispute> => {
    const charge = await chargeOf(escrow.escrow_invoice_id, cards[at] ?? '');
    return disputed(charge, `escrow_id=${escrow.id}`);
  };
  const [ofWon, ofMixed, first, ofWhole, returned] = await Promise.all([
    ...[open(won, 0), open(mixed, 1), open(both, 3), open(whole, 5)],
    disputed(debit.id, `escrow_id=${debit.id}`, 'return'),
  ]) as [Dispute, Dispute, Dispute, Dispute, Dispute];
  const second = await open(both, 4);
  assert.deepEqual(
    [ofWon.escrow_id, ofWon.invoice_id, ofWon.amount],
    [won.id, won.escrow_invoice_id, 700],
  );
  assert.deepEqual({ ...(await escrowNow(won.id)), updated: '' }, { ...won, updated: '' });
  assert.deepEqual([returned.status, returned.due_by], ['returned', '']);
  assert.deepEqual(await told(returned, 1), [['dispute-created', returned]]);
  assert.equal((await escrowNow(debit.id)).status, 'CANCELLED', 'a return is final');
  for (const { id } of [won, mixed, both, whole]) {
    for (const name of ['commit', 'cancel']) {
      await scene.refused('ESCROW_DISPUTED', () => move(id, name));
    }
  }
  assert.deepEqual(await scene.money(invoice), before, 'what is held pays');
  await Promise.all([goesOn(ofWon, 'won'), goesOn(ofMixed, 'lost'), goesOn(first, 'lost')]);
  await goesOn(ofWhole, 'lost');
  await scene.refused('ESCROW_DISPUTED', () => move(both.id, 'commit'));
  const story = await explained(both.id);
  assert.ok(story.startsWith('Now: escrow ESCROWED (of USD 8.00: USD 8.00 taken by disputes);'));
  assert.match(story, /: nothing moves until that has ended, .*resume .*charged_back/);
  await goesOn(second, 'won');
  assert.equal((await move(won.id, 'commit')).status, 200);
  const sums = new Map([[mixed, 550], [both, 300], [whole, 0], [debit, 0]]);
  for (const [{ id }, sum] of sums) {
    const { status, cancel_invoice_id } = await escrowNow(id);
    const back = await scene.market.ended(cancel_invoice_id);
    const seen = [status, back.state, back.summary.total_amount];
    assert.deepEqual(seen, ['CANCELLED', 'success', sum]);
    const parts = Object.values(back.subitems).map((one) => one.amount);
    if (id === mixed.id) assert.deepEqual(parts.toSorted((a, b) => a - b), [250, 300]);
    if (sum === 0) assert.deepEqual(back.line_items, {});
  }
  const [had, sold, integrator] = before;
  assert.deepEqual(await scene.money(invoice), [had + 300, sold + 700, integrator]);
  assert.equal((await move(mixed.id, 'cancel')).code, 'ESCROW_NOT_ESCROWED');
  const events = await scene.market.events(0, 2, ({ message }) => message['id'] === mixed.id);
  const update = 'escrow-transaction-update';
  assert.deepEqual(events.map(({ event_name }) => event_name), [update, update]);
  assert.deepEqual(events[1]?.message, await escrowNow(mixed.id));
});

test('the clock of an escrow stops while it is disputed, and goes on', async () => {
  const escrow = await held(150, [{ payment_method_id: await scene.card() }]);
  const dispute = await disputed(escrow.id, `escrow_id=${escrow.id}`);
  await ahead(200 * DAY);
  await pause(1_500);
  assert.equal((await escrowNow(escrow.id)).status, 'ESCROWED');
  await goesOn(dispute, 'won');
  const fits = (event: Event): boolean => event.message['id'] === escrow.id;
  assert.equal((await scene.market.events(0, 1, fits)).length, 1, 'nothing came due');
  await ahead((200 + 83) * DAY + 60);
  assert.equal((await scene.market.events(0, 2, fits))[1]?.event_name, 'escrow-expiring');
  await ahead(0);
});

test('a top-up is disputed; lists are narrowed and paged', async () => {
  const { buyer } = scene.platform.ready.accounts;
  const payment_method_id = await scene.card();
  const body = { account_id: buyer.account_id, payment_method_id, currency: 'USD', amount: 90 };
  type Made = { deposit_id: string };
  const { api } = scene.platform;
  const { deposit_id } = await api.must<Made>(201, 'invoicing', 'POST', '/v1/deposits', { body });
  const mine = `account_id=${buyer.account_id}`;
  await until('the deposit is done', async () =>
    (await outside('chargeback', deposit_id)) === 201 ? true : null,
  );
  const dispute = await until('its dispute', async () => {
    const { disputes } = await list(`${mine}&limit=1`);
    return disputes[0]?.deposit_id === deposit_id ? disputes[0] : null;
  });
  assert.deepEqual([dispute.invoice_id, dispute.escrow_id, dispute.amount], ['', '', 90]);
  const all = await list(`${mine}&limit=100`);
  assert.equal(all.total, all.disputes.length);
  const created = all.disputes.map((one) => one.created);
  assert.deepEqual(created, created.toSorted().toReversed());
  assert.deepEqual((await list(`${mine}&limit=2&offset=1`)).disputes, all.disputes.slice(1, 3));
  const far = await list(`${mine}&offset=${all.total}`);
  assert.deepEqual(far, { total: all.total, disputes: [] });
  const none = { total: 0, disputes: [] };
  const wrong = ['escrow_id=x', 'invoice_id=acct_1', `account_id=${deposit_id}`];
  for (const query of [...wrong, `invoice_id=${deposit_id}`]) {
    assert.deepEqual(await list(query), none, query);
  }
  assert.equal((await api.send('invoicing', 'GET', '/v1/disputes?status=open')).status, 400);
  const { status, code } = await api.send('invoicing', 'GET', `/v1/disputes/${deposit_id}`);
  assert.deepEqual([status, code], [404, 'DISPUTE_NOT_FOUND']);
});
