// From a request's id to everything that it caused: the steps, the ledger entries that a worker
// posted later, the calls to the processor, the events and their deliveries; and the figures that
// the process keeps of it.
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Explanation } from '../../src/product/tell/explain/index.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';

const CREATED = '0199b1a2-0000-4e5f-8a9b-0c1d2e3f4a01';
const PAID = '0199b1a2-0000-4e5f-8a9b-0c1d2e3f4a02';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

let platform: Platform;
let receiver: Server;
/** Headers of each delivery, by event. */
const delivered = new Map<string, IncomingHttpHeaders>();

before(async () => {
  receiver = createServer((request, response) => {
    delivered.set(String(request.headers['webhook-id']), request.headers);
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  platform = await startPlatform({ forwardTo: `http://127.0.0.1:${port}/hook` });
});
after(async () => {
  await platform?.stop();
  receiver?.close();
});

const WITHIN_MS = 15_000;

async function until<T>(what: string, find: () => Promise<T | null>): Promise<T> {
  for (const end = Date.now() + WITHIN_MS; ; await delay(50)) {
    const found = await find();
    if (found !== null) return found;
    assert.ok(Date.now() < end, `there is never ${what}`);
  }
}

/** The query of the page about operations. */
const QUERY = `select s.machine, s.event, p.amount::text, e.event_id::text, d.state
  from history s
  left join posting p using (workspace, resource_id, version)
  left join event e on e.workspace = s.workspace and e.resource_id = s.resource_id
    and e.resource_version = s.version
  left join delivery d on d.workspace = e.workspace and d.sequence = e.sequence
  where s.request_id = $1`;

interface Caused {
  readonly machine: string;
  readonly event: string;
  readonly amount: string | null;
  readonly event_id: string | null;
  readonly state: string | null;
}

const causedBy = (id: string): Promise<Caused[]> =>
  platform.db.query<Caused>({ text: QUERY, values: [id] });

test('a card sale is found by its requests, down to entries and deliveries', async () => {
  const { api, ready } = platform;
  const card = { payment_method_id: ready.accounts.buyer.card_payment_method_id };
  const body = api.sale(1_250, [card]);
  const created = await api.send('invoicing', 'POST', '/v2/invoice', {
    body,
    headers: { 'x-request-id': CREATED },
  });
  assert.equal(created.status, 201, created.text);
  const { invoice_id: id } = created.payload as { invoice_id: string };
  const headers = {
    'x-request-id': PAID,
    traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
  };
  await api.must(200, 'invoicing', 'POST', `/v2/invoice/${id}/pay`, { headers });
  assert.equal((await api.finished(id)).state, 'success');

  const first = await causedBy(CREATED);
  assert.deepEqual(first.map(({ machine, event }) => `${machine} ${event}`), ['invoice create']);
  const all = await until('a delivery', async () => {
    const rows = await causedBy(PAID);
    return rows.some(({ state }) => state === 'delivered') ? rows : null;
  });
  const steps = new Set(all.map(({ machine, event }) => `${machine} ${event}`));
  // What the worker settled after the processor's answer is the request's too.
  for (const one of ['invoice pay', 'attempt capture', 'invoice payment_succeeded']) {
    assert.ok(steps.has(one), `${one} of ${[...steps].join(', ')}`);
  }
  const sum = all.reduce((sofar, { amount }) => sofar + BigInt(amount ?? 0), 0n);
  assert.ok(all.some(({ amount }) => amount !== null));
  assert.equal(sum, 0n);

  const sent = all.find(({ state }) => state === 'delivered')?.event_id ?? '';
  const told = await until('a received delivery', async () => delivered.get(sent) ?? null);
  assert.equal(told['x-request-id'], PAID);
  assert.match(String(told['traceparent']), new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));

  const explained = await api.must<Explanation>(
    ...([200, 'invoicing', 'GET', `/sandbox/explain/${PAID}`] as const),
  );
  assert.equal(explained.kind, 'request');
  const kinds = new Set(explained.timeline.map(({ kind }) => kind));
  for (const kind of ['transition', 'posting', 'event', 'delivery'] as const) {
    assert.ok(kinds.has(kind), kind);
  }
});

/** The value of a series of the metrics. */
async function figure(series: string): Promise<number | null> {
  const text = await (await fetch(`${platform.ready.urls.internal}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

test('the figures count what was asked, called and delivered, and every part is read', async () => {
  const paid = 'holdfast_requests_total{host="invoicing",operation="payInvoice",status="2xx"}';
  const before = (await figure(paid)) ?? 0;
  const { api, ready } = platform;
  const wallet = { payment_method_id: ready.accounts.buyer.wallet_payment_method_id };
  const id = await api.created(api.sale(100, [wallet]));
  await api.pay(id);
  assert.equal(await figure(paid), before + 1);
  const calls = 'holdfast_call_duration_seconds_count{kind="attempt",outcome="answered"}';
  assert.ok(((await figure(calls)) ?? 0) > 0);
  const deliveries = 'holdfast_call_duration_seconds_count{kind="delivery",outcome="2xx"}';
  assert.ok(((await figure(deliveries)) ?? 0) > 0);
  const text = await (await fetch(`${platform.ready.urls.internal}/metrics`)).text();
  const parts = text.split('\n').filter((line) => line.startsWith('holdfast_scrape_ok'));
  assert.ok(parts.length > 10);
  assert.deepEqual(parts.filter((line) => !line.endsWith(' 1')), []);
  assert.match(text, /^holdfast_key_version\{version="[^"]+"\} 1$/m);
  assert.match(text, /^holdfast_schema_version \d+$/m);
  assert.match(text, /^nodejs_eventloop_lag_seconds /m);
});
