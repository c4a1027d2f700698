// The whole generator against small servers: the closed loop counts what was answered, and the open
// loop shows a stall (a closed one hides it: it sends nothing while it waits).
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { cpus } from 'node:os';
import { test } from 'node:test';
import { Histogram } from './histogram.ts';
import { runLoad } from './load.ts';
import type { Load } from './load.ts';
import type { Plan } from './plan.ts';

const ANSWER = JSON.stringify({ payload: { invoice_id: 'i-1' } });

async function load(listener: RequestListener, changes: Partial<Plan>): Promise<Load> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const place = { host: '127.0.0.1', port: address.port };
  const plan: Plan = {
    mode: 'closed',
    targets: [{ invoicing: place, payments: place, auth: place, token: 'secret' }],
    buyers: [{ account_id: 'acct_1', payment_method_id: 'method-1' }],
    sellers: [{ wallet_id: 'wallet-1' }],
    sale: 'plain',
    client: { client_id: 'c', client_secret: 's' },
    connections: 4,
    rate: 100,
    warmupMs: 100,
    measureMs: 1000,
    seed: 1,
    ...changes,
  };
  try {
    return await runLoad(plan, { servers: [process.pid], postmaster: null });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function text(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = '';
    request.on('data', (piece) => (body += piece)).on('end', () => resolve(body));
  });
}

test('the closed loop sends whole requests and counts purchases, refusals and cost', async () => {
  const keys = new Set<string>();
  const bodies: string[] = [];
  let pays = 0;
  let created = 0;
  const result = await load(async (request, response) => {
    const body = await text(request);
    assert.equal(request.headers.authorization, 'Bearer secret');
    keys.add(String(request.headers['idempotency-key']));
    if (request.url === '/v2/invoice') bodies.push(body);
    else if (request.url === '/v2/invoice/i-1/pay') pays += 1;
    if (request.url === '/v2/invoice' && (created += 1) % 50 === 0) response.statusCode = 503;
    response.end(ANSWER);
  }, {});
  const refused = result.failures['create 503'] ?? 0;
  assert.equal(refused, Math.floor(created / 50));
  assert.equal(result.paidInAll, pays);
  assert.equal(created, pays + refused);
  assert.ok(result.purchases > 50 && result.purchases <= pays);
  assert.equal(keys.size, created + pays, 'each write has an idempotency key of its own');
  assert.deepEqual(Object.keys(result.failures), ['create 503']);
  const first = JSON.parse(bodies[0] ?? '');
  assert.equal(first.account_id, 'acct_1');
  assert.equal(first.line_items[0].recipients[0].destination_wallet_id, 'wallet-1');
  assert.ok(result.cores.generator > 0 && result.cores.thread > 0 && result.memory > 10);
  const { helpers, others, idle } = result.cores;
  assert.ok(helpers >= 0 && others > -0.1 && idle >= 0 && idle <= cpus().length + 0.05);
});

test('the open loop counts a stall for every request that was due in it', async () => {
  let stalled = false;
  let begun = 0;
  const result = await load(
    (request, response) => {
      begun ||= performance.now();
      request.resume();
      if (!stalled && performance.now() - begun > 500) {
        stalled = true;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      }
      response.end(ANSWER);
    },
    { mode: 'open', rate: 200 },
  );
  const create = new Histogram();
  create.add(result.latency.create ?? []);
  assert.deepEqual(result.failures, {});
  assert.ok(create.total >= 180 && create.total <= 220, `${create.total} creates of 200 due`);
  // A stall of 0.3 s in a window of 1 s delays about 30 % of what was due, evenly spread.
  const late = create.percentile(0.9) / 1000;
  assert.ok(late > 100 && late < 320, `p90 ${late} ms`);
  assert.ok(create.percentile(0.5) < 50_000, `p50 ${create.percentile(0.5)} us`);
});
