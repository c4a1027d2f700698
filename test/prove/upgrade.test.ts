// The last release becomes this one under load: two of its nodes behind the example proxy on data
// that it wrote, the schema updated while they run, one node replaced after the other, and both
// replaced once more within the same schema. No request fails, every event arrives, the books hold.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ready } from '../kit/api.ts';
import type { TestDatabase } from '../kit/database.ts';
import { freePort, startProxy, type Answer, type Proxy } from '../kit/haproxy.ts';
import { unpackLastRelease } from '../kit/last-release.ts';
import { faultsOf } from '../kit/platform.ts';
import { digestsOfDump, digestsOfFiles, KEY_FILE, restoredDump } from '../migrations/dump.ts';
import { CHECKOUT, endAll, freeBlock, launch, remove } from '../start/launch.ts';
import { patiently, temporaryFolder, type Launched } from '../start/launch.ts';

const CLIENTS = 6;
const STEADY_MS = 3_000;

const folder = temporaryFolder();
const last = join(folder, 'last');
const keyFile = join(folder, 'keys.json');
const failed: string[] = [];
const paid: string[] = [];
/** Every node that was started, and ended. */
const started: Launched[] = [];
const events: { event_name: string; message: { invoice_id?: string } }[] = [];
let base: TestDatabase;
let receiver: Server;
let ports: readonly number[];
let proxy: Proxy;

before(async () => {
  unpackLastRelease(last);
  copyFileSync(KEY_FILE, keyFile);
  chmodSync(keyFile, 0o600);
  base = await restoredDump();
  receiver = await receive();
  ports = [await freePort(), await freePort()];
  proxy = await startProxy(ports);
});
after(async () => {
  endAll();
  await proxy?.stop();
  receiver?.close();
  await base?.drop();
  remove(folder);
});

/** Takes every delivery, and keeps what it says. */
async function receive(): Promise<Server> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.once('end', () => {
      events.push(JSON.parse(text) as (typeof events)[number]);
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

function command(release: string, args: readonly string[], more: Record<string, string> = {}) {
  const env = {
    DATABASE_URL: base.url,
    HOLDFAST_DATA_DIR: join(folder, 'data'),
    HOLDFAST_KEY_FILE: keyFile,
    // A start in production waits as long for its proxy.
    HOLDFAST_DRAIN_MS: '',
    ...more,
  };
  const all = [join(release, 'src/main.ts'), ...args];
  return launch({ command: process.execPath, args: all, cwd: release, env });
}

/** Starts a node of a release in one of the two places behind the proxy. */
async function start(release: string, place: number): Promise<Launched> {
  const { port } = receiver.address() as AddressInfo;
  const args = ['--port-base', String(await freeBlock())];
  args.push('--forward-to', `http://127.0.0.1:${port}/`);
  const HOLDFAST_PROXY_PORT = String(ports[place]);
  const node = command(release, ['start', '--json', ...args], { HOLDFAST_PROXY_PORT });
  started.push(node);
  await node.said('\n');
  return node;
}

async function replace(node: Launched, release: string, place: number): Promise<Launched> {
  node.child.kill('SIGTERM');
  assert.equal(await node.ended, 0, node.stderr());
  return start(release, place);
}

async function tokenOf({ client }: Ready): Promise<string> {
  const body = String(new URLSearchParams({ grant_type: 'client_credentials', ...client }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await proxy.call({ host: 'auth', method: 'POST', path: '/token', headers, body });
  return (JSON.parse(answer.text) as { access_token: string }).access_token;
}

/** Sells, pays, looks and lists until told to end; notes every answer that is not the right one. */
async function trade(ready: Ready, token: string, signal: AbortSignal): Promise<number> {
  const { buyer, seller } = ready.accounts;
  const recipient = { amount: 5, currency: 'USD', destination_wallet_id: seller.wallet_id };
  const item = { transaction_type: 'user_to_user', product_sku: 'sku', amount: 5, currency: 'USD' };
  let requests = 0;
  const ask = async (
    ...[status, method, path, body]: readonly [number, string, string, object?]
  ): Promise<Answer | null> => {
    requests += 1;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const order = { host: 'invoicing', method, path, headers };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await proxy.call({ ...order, ...sent }).catch((error: Error) => error.message);
    if (typeof answer !== 'string' && answer.status === status) return answer;
    failed.push(`${new Date().toISOString()} ${method} ${path}: ${JSON.stringify(answer)}`);
    return null;
  };
  for (let n = 0; !signal.aborted; n += 1) {
    const { wallet_payment_method_id: wallet, card_payment_method_id: card } = buyer;
    const made = await ask(201, 'POST', '/v2/invoice', {
      ...{ account_id: buyer.account_id, reference_type: 'test', reference_id: String(n) },
      payment_methods: [{ payment_method_id: n % 5 === 0 ? card : wallet }],
      line_items: [{ ...item, recipients: [recipient] }],
    });
    if (made === null) continue;
    const { invoice_id } = (JSON.parse(made.text) as { payload: { invoice_id: string } }).payload;
    if ((await ask(200, 'POST', `/v2/invoice/${invoice_id}/pay`)) !== null) paid.push(invoice_id);
    await ask(200, 'GET', `/v2/invoice/${invoice_id}`);
    if (n % 10 === 0) await ask(200, 'GET', '/v1/events?limit=5');
  }
  return requests;
}

/** Invoices that were paid and of which nobody was told. */
function untold(): string[] {
  const told = events.filter(({ event_name }) => event_name === 'invoice-completed');
  const known = new Set(told.map(({ message }) => message.invoice_id));
  return paid.filter((id) => !known.has(id));
}

test('the last release becomes this one, and goes on within its schema, under load', async (t) => {
  const nodes = [await start(last, 0), await start(last, 1)];
  await proxy.serving();
  const ready = (await nodes[0]?.ready()) as unknown as Ready;
  const token = await tokenOf(ready);
  const over = new AbortController();
  const clients = Array.from({ length: CLIENTS }, () => trade(ready, token, over.signal));
  await sleep(STEADY_MS);
  const migrated = command(CHECKOUT, ['migrate', '--json']);
  assert.equal(await migrated.ended, 0, migrated.stderr());
  const missing = Object.keys(digestsOfFiles()).filter((name) => !(name in digestsOfDump()));
  const { applied } = JSON.parse(migrated.stdout()) as { applied: string[] };
  assert.deepEqual(applied, missing);
  const early = command(CHECKOUT, ['migrate', '--finish']);
  assert.equal(await early.ended, 1);
  assert.match(early.stderr(), /2 of the nodes run an older release: replace them first\./);
  t.diagnostic(`migrated: ${paid.length} paid, ${failed.length} failed`);
  await sleep(STEADY_MS);
  for (const round of ['this release', 'the same schema']) {
    for (const [place, node] of nodes.entries()) {
      nodes[place] = await replace(node, CHECKOUT, place);
      await sleep(STEADY_MS);
      t.diagnostic(`${round}, node ${place + 1}: ${paid.length} paid, ${failed.length} failed`);
    }
  }
  const late = command(CHECKOUT, ['migrate', '--finish']);
  assert.equal(await late.ended, 0, late.stderr());
  over.abort();
  const counts = await Promise.all(clients);
  const requests = counts.reduce((sum, count) => sum + count, 0);
  t.diagnostic(`${requests} requests, ${paid.length} sales: ${failed.length} failed`);
  assert.deepEqual(failed.slice(0, 5), []);
  assert.ok(paid.length > 100, `${paid.length} were paid`);
  assert.ok(await patiently(() => untold().length === 0, () => untold().length), 'all were told');
  for (const node of nodes) {
    node.child.kill('SIGTERM');
    assert.equal(await node.ended, 0, node.stderr());
  }
  // The last node of this release began when no other one was left, which finished the upgrade.
  const [stored] = await base.db.query<{ old: number; packed: number }>(
    `select count(*) filter (where document like '{%')::int as old,
      count(*) filter (where document like '1%')::int as packed from invoice_document`,
  );
  assert.ok(stored !== undefined && stored.old > 0 && stored.packed > 0, JSON.stringify(stored));
  assert.deepEqual(started.flatMap((node) => faultsOf(node.stderr())), []);
  const verified = command(CHECKOUT, ['verify', '--json']);
  assert.equal(await verified.ended, 0, verified.stdout());
});

test('the last release refuses the newer schema in one sentence', async () => {
  const refused = command(last, ['start', '--json', '--port-base', '0']);
  assert.equal(await refused.ended, 1);
  const [name = ''] = Object.keys(digestsOfFiles()).filter((one) => !(one in digestsOfDump()));
  const sentence = new RegExp(`^holdfast: the database has migration ${name}, .+\n$`);
  assert.match(refused.stderr(), sentence);
  assert.equal(readFileSync(keyFile, 'utf8'), readFileSync(KEY_FILE, 'utf8'));
});
