// A rolling restart under load: ten times one of two processes is stopped and replaced, behind a
// proxy that polls /readyz, keeps connections and retries nothing. No request fails. [reliability:
// graceful stop]
import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { Api, type Ready } from '../kit/api.ts';
import { startFleet, startNode, type Fleet, type Node } from '../kit/platform.ts';
import { endAll } from '../start/launch.ts';

const STOPS = 10;
const CLIENTS = 8;
const LOOK_EVERY_MS = 1_000;
/** As nginx and a load balancer of AWS keep idle connections. */
const KEPT_MS = 60_000;

/** The settings of production where they matter here; a test's own would be no drain. */
const DEFAULTS = { HOLDFAST_DRAIN_MS: '' };

let fleet: Fleet;
const more: Node[] = [];
before(async () => {
  fleet = await startFleet(2, DEFAULTS);
});
after(async () => {
  for (const { process } of more) process.child.kill('SIGTERM');
  await Promise.all(more.map(({ process }) => process.ended));
  await fleet?.stop();
  endAll();
});

/** One node as the proxy sees it. */
interface Upstream {
  readonly node: Node;
  readonly agent: http.Agent;
  ready: boolean;
}

type Answer = { readonly status: number; readonly text: string };

class Proxy {
  readonly #token: string;
  #upstreams: Upstream[] = [];
  #next = 0;
  /** Requests on a connection that was used before. */
  reused = 0;

  constructor(token: string) {
    this.#token = token;
  }

  add(node: Node): void {
    const agent = new http.Agent({ keepAlive: true, timeout: KEPT_MS });
    this.#upstreams.push({ node, agent, ready: true });
  }

  remove(node: Node): void {
    const gone = this.#upstreams.find((one) => one.node === node);
    gone?.agent.destroy();
    this.#upstreams = this.#upstreams.filter((one) => one !== gone);
  }

  /** Asks every node whether it should be sent requests, until it is told to end. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const one of this.#upstreams) {
        const url = `${one.node.ready.urls.internal}/readyz`;
        one.ready = await fetch(url).then((answer) => answer.ok, () => false);
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Passes one request on, once. Rejects when the connection fails. */
  pass(method: string, path: string, body?: object): Promise<Answer> {
    const ready = this.#upstreams.filter((one) => one.ready);
    const chosen = ready[(this.#next += 1) % ready.length];
    if (chosen === undefined) return Promise.reject(new Error('no node is ready'));
    const { hostname, port } = new URL(chosen.node.ready.urls.invoicing);
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const options = { agent: chosen.agent, hostname, port, method, path, headers };
      const request = http.request(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.once('error', reject);
      });
      request.once('socket', () => (this.reused += request.reusedSocket ? 1 : 0));
      request.once('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

async function tokenOf({ urls, client }: Ready): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  const answer = await fetch(`${urls.auth}/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Buys and looks at what it bought until told to end; notes what did not go as it should. */
async function shop(proxy: Proxy, api: Api, failed: string[], signal: AbortSignal) {
  const { wallet_payment_method_id: wallet } = api.ready.accounts.buyer;
  const sale = api.sale(1, [{ payment_method_id: wallet }]);
  let requests = 0;
  const ask = async (status: number, method: string, path: string, body?: object) => {
    requests += 1;
    const answer = await proxy.pass(method, path, body).catch((error: Error) => error.message);
    if (typeof answer !== 'string' && answer.status === status) return answer.text;
    failed.push(`${method} ${path}: ${JSON.stringify(answer)}`);
    return null;
  };
  while (!signal.aborted) {
    const made = await ask(201, 'POST', '/v2/invoice', sale);
    if (made === null) continue;
    const { invoice_id } = (JSON.parse(made) as { payload: { invoice_id: string } }).payload;
    await ask(200, 'POST', `/v2/invoice/${invoice_id}/pay`);
    await ask(200, 'GET', `/v2/invoice/${invoice_id}`);
  }
  return requests;
}

test(`${STOPS} rolling stops under load fail no request`, async (t) => {
  const api = await Api.open(fleet.nodes[0]?.ready as Ready);
  const proxy = new Proxy(await tokenOf(api.ready));
  const line: Node[] = [...fleet.nodes];
  line.forEach((node) => proxy.add(node));
  const over = new AbortController();
  const watching = proxy.watch(over.signal);
  const failed: string[] = [];
  const clients = Array.from({ length: CLIENTS }, () => shop(proxy, api, failed, over.signal));
  for (let n = 0; n < STOPS; n += 1) {
    const oldest = line.shift() as Node;
    oldest.process.child.kill('SIGTERM');
    assert.equal(await oldest.process.ended, 0, oldest.process.stderr());
    proxy.remove(oldest);
    const process = await startNode(fleet.settings);
    const node = { process, ready: (await process.ready()) as unknown as Ready };
    more.push(node);
    line.push(node);
    proxy.add(node);
  }
  over.abort();
  await watching;
  const counts = await Promise.all(clients);
  const requests = counts.reduce((sum, count) => sum + count, 0);
  const kept = `${proxy.reused} on kept connections`;
  t.diagnostic(`${requests} requests, ${kept}, over ${STOPS} stops: ${failed.length} failed`);
  assert.deepEqual(failed, []);
  assert.ok(proxy.reused > 100, 'connections were kept');
});
