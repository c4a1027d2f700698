// Two processes seal and deliver one stream: each finished invoice is announced once, the receiver
// gets exactly the stream's bytes, each resource in order. [G-60, G-63, EV1, EV2]
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Api } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';

interface Notification {
  readonly event_id: string;
  readonly event_name: string;
  readonly sequence: number;
  readonly resource_version: number;
  readonly message: { readonly invoice_id?: string; readonly state?: string };
}

const INVOICES = 80;
const FLIPS = 12;

/** Bodies by event id, in the order of their first arrival. */
const got = new Map<string, string[]>();
let refused = 0;
let receiver: Server;
let fleet: Fleet;

before(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const event = JSON.parse(body) as Notification;
      const before = got.get(event.event_id) ?? [];
      got.set(event.event_id, [...before, body]);
      const no = before.length === 0 && isRefused(event);
      if (no) refused += 1;
      response.writeHead(no ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  fleet = await startFleet(2, {}, ['--forward-to', `http://127.0.0.1:${portOf(receiver)}/hook`]);
});
after(async () => {
  await fleet?.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** Some invoices are refused once: each resource waits by itself, so all of them wait together. */
function isRefused({ event_name, sequence }: Notification): boolean {
  return event_name === 'invoice-completed' && sequence % 3 === 0;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The whole stream of the tenant, as its operation shows it. */
async function stream(api: Api): Promise<Notification[]> {
  const all: Notification[] = [];
  for (;;) {
    const after = all.at(-1)?.sequence ?? 0;
    const page = await api.must<{ events: Notification[] }>(
      200,
      'invoicing',
      'GET',
      `/v1/events?after=${after}&limit=50`,
    );
    if (page.events.length === 0) return all;
    all.push(...page.events);
  }
}

test('the stream has every finished invoice once, and the receiver has its bytes', async () => {
  const [one, two] = fleet.apis as [Api, Api];
  const { buyer, seller2 } = one.ready.accounts;
  const methods = [
    buyer.wallet_payment_method_id,
    buyer.card_payment_method_id,
    buyer.declined_card_payment_method_id,
  ];
  const flips = (async () => {
    for (let n = 0; n < FLIPS; n += 1) {
      await (n % 2 ? one : two).setKyc(seller2.account_id, { state: n % 2 ? 'DENY' : 'ACCEPT' });
    }
  })();
  const sales = Array.from({ length: INVOICES }, async (_, at) => {
    const api = at % 2 ? one : two;
    const payment_method_id = methods[at % 3] ?? '';
    const id = await api.created(api.sale(5, [{ payment_method_id }]));
    await api.pay(id);
    return api.finished(id);
  });
  const finished = await Promise.all(sales);
  await flips;
  await settled(fleet.db, 10_000);
  await sealed(fleet.db);
  const events = await stream(one);
  assert.deepEqual(await stream(two), events);
  events.forEach((event, at) => assert.equal(event.sequence, at + 1));
  const announced = events.filter((event) => event.event_name === 'invoice-completed');
  const states = announced.map(({ message }) => [message.invoice_id, message.state]);
  const expected = finished.map(({ invoice_id, state }) => [invoice_id, state]);
  assert.deepEqual(states.toSorted(), expected.toSorted());
  await allDelivered(events);
  await reconciled(fleet.db);
});

/** Waits until everything has arrived and been accepted; then compares bytes. */
async function allDelivered(events: readonly Notification[]): Promise<void> {
  const complete = (event: Notification): boolean => {
    const tries = got.get(event.event_id)?.length ?? 0;
    return tries >= (isRefused(event) ? 2 : 1);
  };
  // Forwarding began with the start, and what the seeding announced before it went to nobody.
  const from = Math.min(...sequences());
  const due = events.filter((event) => event.sequence >= from);
  assert.ok(due.length >= INVOICES + FLIPS);
  const deadline = Date.now() + 20_000;
  while (!due.every(complete)) {
    assert.ok(Date.now() < deadline, 'not everything was delivered within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const versions = new Map<string, number[]>();
  for (const bodies of got.values()) {
    const { event_name, resource_version } = JSON.parse(bodies[0] ?? '') as Notification;
    versions.set(event_name, [...(versions.get(event_name) ?? []), resource_version]);
  }
  // Only one account's verification moved, so its events are one resource.
  const moved = (versions.get('kyc-webhook') ?? []).slice(-FLIPS);
  assert.deepEqual(moved, moved.toSorted((a, b) => a - b), 'a resource out of order');
  for (const event of due) {
    for (const body of got.get(event.event_id) ?? []) assert.equal(body, JSON.stringify(event));
  }
  assert.ok(refused > 0);
}

function sequences(): number[] {
  return [...got.values()].map((bodies) => (JSON.parse(bodies[0] ?? '') as Notification).sequence);
}
