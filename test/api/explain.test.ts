// Explanations over HTTP: what each kind of resource's timeline says, that it holds every row
// exactly once and in order, and that nobody sees another tenant's. [G-64, G-11]
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Explanation } from '../../src/product/tell/explain/index.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import type { Api, MethodPart } from '../kit/api.ts';

type Entry = Explanation['timeline'][number];
type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

let platform: Platform;
let api: Api;
let receiver: Server;
before(async () => {
  receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(500).end('no');
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const settings = { HOLDFAST_PROCESSOR_TIMEOUT_MS: '400' };
  platform = await startPlatform({ settings, forwardTo: `http://127.0.0.1:${port}/hook` });
  api = platform.api;
});
after(async () => {
  await platform?.stop();
  receiver?.close();
});

const explained = (id: string): Promise<Explanation> =>
  api.must(200, 'invoicing', 'GET', `/sandbox/explain/${id}`);

function of<K extends Entry['kind']>({ timeline }: Explanation, kind: K): Of<K>[] {
  return timeline.filter((entry): entry is Of<K> => entry.kind === kind);
}

/** Asks until the timeline shows it, and all its events are sealed; gives that timeline. */
async function until(id: string, shows: (told: Explanation) => boolean): Promise<Explanation> {
  for (const end = Date.now() + 20_000; ; await delay(50)) {
    const told = await explained(id);
    const sealed = of(told, 'event').every(({ sequence }) => sequence !== null);
    if (sealed && shows(told)) return told;
    assert.ok(Date.now() < end, `${id} never shows it: ${told.now}`);
  }
}

const card = (): MethodPart => {
  return { payment_method_id: platform.ready.accounts.buyer.card_payment_method_id };
};

/** Each row of the tables about these ids stands in the timeline once, and they are in order. */
async function complete(told: Explanation, ids: readonly string[]): Promise<void> {
  const count = async (text: string): Promise<unknown[]> => {
    const rows = await platform.db.query<{ key: string }>({ text, values: [ids] });
    return rows.map(({ key }) => key).toSorted();
  };
  const steps = `select resource_id || ' ' || version as key from history
    where resource_id = any ($1::uuid[])`;
  const postings = `select resource_id || ' ' || version || ' ' || line as key from posting
    where resource_id = any ($1::uuid[])`;
  const events = `select event_id::text as key from event where resource_id = any ($1::uuid[])`;
  const deliveries = `select d.endpoint_id || ' ' || d.sequence as key from delivery d
    join event e using (workspace, sequence) where e.resource_id = any ($1::uuid[])`;
  const raw = ({ id }: { id: string }): string => uuidOfWireId('esc', id) ?? id;
  const shown = <K extends Entry['kind']>(kind: K, key: (entry: Of<K>) => string): string[] =>
    of(told, kind).map(key).toSorted();
  assert.deepEqual(shown('transition', (e) => `${raw(e.about)} ${e.version}`), await count(steps));
  assert.deepEqual(
    shown('posting', (e) => `${raw(e.about)} ${e.version} ${e.line}`),
    await count(postings),
  );
  assert.deepEqual(shown('event', (e) => e.event_id), await count(events));
  assert.deepEqual(
    shown('delivery', (e) => `${e.endpoint_id} ${e.sequence}`),
    await count(deliveries),
  );
  const times = told.timeline.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted());
  assert.equal(told.left_out, 0);
}

async function idsOf(text: string, value: string): Promise<string[]> {
  const rows = await platform.db.query<{ id: string }>({ text, values: [value] });
  return rows.map(({ id }) => id);
}

test('a card sale whose capture was not answered, paid twice', async () => {
  const body = { scenario: 'lost_after_capture' };
  await api.must(201, 'invoicing', 'POST', '/sandbox/scenarios', { body });
  const id = await api.created(api.sale(1_250, [card()]), 'create');
  assert.equal((await api.pay(id, 'pay')).status, 200);
  assert.equal((await api.finished(id)).state, 'success');
  await api.pay(id, 'pay');
  assert.equal((await api.pay(id)).status, 400);
  const told = await until(id, (now) => of(now, 'attempt').length > 0);
  const attempts = await idsOf('select id from attempt where resource_id = $1', id);
  await complete(told, [id, ...attempts]);
  assert.deepEqual([told.kind, told.state], ['invoice', 'success']);
  assert.deepEqual(
    of(told, 'request').map((one) => [one.operation, one.status, one.idempotency]),
    [
      ['createInvoice', 201, 'first'],
      ['payInvoice', 200, 'first'],
      ['payInvoice', 200, 'replay'],
      ['payInvoice', 400, 'none'],
    ],
  );
  const refused = of(told, 'request').at(-1);
  assert.equal(refused?.refusal?.code, 'INVOICE_NOT_OPEN');
  assert.deepEqual([refused?.state, refused?.allowed], ['success', []]);
  const asked = of(told, 'exchange').map(({ operation, book }) => [operation, book]);
  assert.deepEqual(asked[0], ['authorize', 'captured']);
  assert.ok(asked.some(([operation]) => operation === 'look'));
  const moved = of(told, 'transition').filter(({ about }) => about.kind === 'invoice');
  assert.deepEqual(moved.map(({ on, why }) => [on, why !== '']), [
    ['create', true],
    ['pay', true],
    ['payment_succeeded', true],
  ]);
  assert.match(told.now, /^Now: invoice success; next: event \d+ is sent to endpoint/);
  const [failed] = of(told, 'delivery');
  assert.deepEqual([failed?.state, failed?.status], ['pending', 500]);
});

test('an escrow and its invoices share one timeline', async () => {
  const seller = await api.register('explained seller');
  const refusedBy = { state: 'NODATA', kyc_requirements: 'FULL_KYC' };
  await api.setKyc(seller.account_id, refusedBy);
  await api.setKyc(seller.account_id, { state: 'ACCEPT' });
  const amount = 900;
  const recipients = [{ amount, currency: 'USD', destination_wallet_id: seller.wallet_id }];
  const line = { amount, currency: 'USD', transaction_type: 'user_to_user', product_sku: 's' };
  const body = api.sale(amount, [card()], { line_items: [{ ...line, recipients }] });
  type Escrow = { id: string; escrow_invoice_id: string };
  const { id } = await api.must<Escrow>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`);
  const held = await explained(id);
  assert.match(held.now, /^Now: escrow ESCROWED; next: .*holding limit.*possible: commit/);
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/commit`);
  const told = await until(id, (now) => of(now, 'event').length === 4);
  assert.equal(told.state, 'COMMITTED');
  const family = of(told, 'transition').map(({ about }) => about);
  const others = family.filter(({ kind }) => kind !== 'escrow').map((about) => about.id);
  await complete(told, [uuidOfWireId('esc', id) ?? '', ...new Set(others)]);
  const invoice = family.find(({ kind }) => kind === 'invoice')?.id ?? '';
  assert.deepEqual(of(await explained(invoice), 'transition'), of(told, 'transition'));
  const account = await explained(seller.account_id);
  assert.deepEqual([account.kind, account.state], ['account', 'ACCEPT']);
  assert.ok(of(account, 'posting').some(({ account_id }) => account_id === seller.account_id));
});

test('a payout refused under DENY names the rule, and what would help', async () => {
  const who = await api.register('explained and denied');
  await api.fund(who.account_id, 5_000);
  const bank = await api.attach(who.account_id, 'bank');
  await api.setKyc(who.account_id, { state: 'DENY' });
  const usd = { amount: 1_000, currency: 'USD' };
  const from = { source_payment_method_id: who.method, destination_payment_method_id: bank };
  const asked = { body: { ...usd, ...from } };
  const path = `/v2/${who.account_id}/payout`;
  await api.must(400, 'invoicing', 'POST', path, asked);
  const told = await explained(who.account_id);
  const refused = of(told, 'request').at(-1);
  assert.equal(refused?.refusal?.code, 'PAYOUT_KYC_REQUIRED');
  assert.equal(refused?.refusal?.cites, 'G-38');
  assert.deepEqual([refused?.state, refused?.allowed], ['DENY', ['set']]);
  const rule = /: refused 400 PAYOUT_KYC_REQUIRED: .*\. \[G-38\] The state was DENY,/;
  assert.match(refused?.text ?? '', rule);
  assert.match(told.now, /^Now: account DENY; next: .*set \(caller\) -> ACCEPT/);
  await api.setKyc(who.account_id, { state: 'ACCEPT' });
  type Payout = { payout_status_id: string };
  const made = await api.must<Payout>(201, 'invoicing', 'POST', path, asked);
  const payout = await until(made.payout_status_id, () => true);
  await complete(payout, [made.payout_status_id]);
  assert.deepEqual(payout.belongs_to, [{ kind: 'account', id: who.account_id }]);
  assert.ok(of(payout, 'posting').some((line) => line.amount === -1_000));
});

test('endpoints, events, deliveries, methods and links are explained too', async () => {
  const { buyer } = platform.ready.accounts;
  const id = await api.created(api.sale(100, [card()]));
  await api.pay(id);
  const told = await until(id, (now) => of(now, 'attempt').length > 0);
  const [event] = of(told, 'event');
  const [delivery] = of(told, 'delivery');
  assert.ok(event && delivery);
  const byEvent = await explained(event.event_id);
  assert.deepEqual(byEvent.belongs_to, [{ kind: 'invoice', id }]);
  assert.equal(of(byEvent, 'delivery').length, 1);
  const one = await explained(`${delivery.endpoint_id}:${delivery.sequence}`);
  assert.deepEqual([one.kind, one.state], ['delivery', 'pending']);
  const endpoint = await explained(delivery.endpoint_id);
  assert.equal(endpoint.kind, 'webhook_endpoint');
  assert.ok(of(endpoint, 'attempt').every(({ status }) => status === 500));
  const method = await explained(buyer.card_payment_method_id);
  assert.equal(method.kind, 'payment_method');
  assert.ok(of(method, 'transition').some(({ about }) => about.kind === 'attempt'));
});

test('unknown and malformed ids get the same answer', async () => {
  const unknown = '01a1fa75-0000-7000-8000-000000000000';
  const ids = [unknown, `${unknown}:1`, 'acct_00000000000000000000000000', 'x', 'esc_'];
  const replies = await Promise.all(
    ids.map((id) => api.send('invoicing', 'GET', `/sandbox/explain/${encodeURIComponent(id)}`)),
  );
  for (const { status, codes } of replies) {
    assert.deepEqual([status, codes], [404, ['RESOURCE_NOT_FOUND']]);
  }
});
