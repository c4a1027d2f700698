// The adapter of Stripe against localstripe, a fake of others that keeps state: a process for each
// account, and a bridge before both that adds what the adapter needs and localstripe lacks.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  Effects,
  ProcessorBench,
} from '../../../src/providers/processor/processor.contract.ts';
import { tokenOf } from '../../../src/providers/stripe/intents.ts';
import { serve, type Foreign, type ForeignServer } from '../foreign.ts';
import { connectTo, routed, secretOf, WORKSPACES } from './bench.ts';

/** On a free port of this machine alone, and nothing is written to the disk. */
const START = `
import socket
from aiohttp import web
from localstripe import resources
resources.Store.dump_to_disk = lambda self: None
from localstripe.server import app
sock = socket.socket()
sock.bind(('127.0.0.1', 0))
print(sock.getsockname()[1], flush=True)
web.run_app(app, sock=sock, print=None, access_log=None)
`;
const GOOD = '4242424242424242';
/** Can be saved, and is declined when it pays. */
const POOR = '4000000000000341';

type Fields = Record<string, unknown>;
interface Answer {
  readonly status: number;
  readonly body: Fields;
}
interface Listed {
  readonly data: readonly (Fields & { readonly id: string })[];
  readonly has_more: boolean;
}
/** A call to localstripe: a form, or the query of a GET. */
type Ask = (method: string, path: string, form: URLSearchParams) => Promise<Answer>;

function askOf(url: string, secret: string): Ask {
  const authorization = `Bearer ${secret}`;
  return async (method, path, form) => {
    const query = method === 'GET' ? `?${form}` : '';
    const sent = method === 'GET' ? {} : { body: form };
    const answer = await fetch(url + path + query, { method, headers: { authorization }, ...sent });
    return { status: answer.status, body: (await answer.json()) as Fields };
  };
}

/** All rows of a list, oldest first. */
async function allOf(ask: Ask, path: string): Promise<Listed['data']> {
  const rows: Listed['data'][number][] = [];
  for (let more = true; more; ) {
    const form = new URLSearchParams({ limit: '100' });
    const last = rows.at(-1)?.id;
    if (last !== undefined) form.set('starting_after', last);
    const page = (await ask('GET', path, form)).body as unknown as Listed;
    rows.push(...page.data);
    more = page.has_more;
  }
  return rows;
}

/** What the bridge adds to an answer: sums, and the words of errors. */
function added({ status, body }: Answer): Answer {
  const { error, object, amount } = body as { error?: Fields; object?: string; amount?: number };
  if (status === 404) return { status, body: { error: { ...error, code: 'resource_missing' } } };
  if (status === 402) return { status, body: { error: { ...error, type: 'card_error' } } };
  if (object !== 'payment_intent') return { status, body };
  const of = (state: string): number => (body['status'] === state ? (amount ?? 0) : 0);
  const sums = { amount_capturable: of('requires_capture'), amount_received: of('succeeded') };
  return { status, body: { ...body, ...sums } };
}

const LIST = '/v1/payment_intents';

async function bridged(ask: Ask, method: string, path: string, text: string): Promise<Answer> {
  const form = new URLSearchParams(text);
  if (path.endsWith('/confirm')) form.delete('return_url');
  if (method !== 'GET' || path !== LIST) return added(await ask(method, path, form));
  const all = await allOf(ask, LIST);
  const mine = all.filter(({ customer }) => customer === form.get('customer')).toReversed();
  const data = mine.map((body) => added({ status: 200, body }).body);
  return { status: 200, body: { object: 'list', url: LIST, has_more: false, data } };
}

const OTHER_REQUEST: Answer = {
  ...{ status: 400, body: { error: { type: 'idempotency_error', message: 'Another request.' } } },
};

/** The first answer under each idempotency key; a key of another request is refused. */
function rememberer() {
  const kept = new Map<string, { readonly text: string; readonly answer: Promise<Answer> }>();
  return (key: unknown, text: string, run: () => Promise<Answer>): Promise<Answer> => {
    if (typeof key !== 'string') return run();
    const known = kept.get(key) ?? { text, answer: run() };
    kept.set(key, known);
    return known.text === text ? known.answer : Promise.resolve(OTHER_REQUEST);
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function openBridge(asks: ReadonlyMap<string, Ask>) {
  const memories = new Map([...asks.keys()].map((secret) => [secret, rememberer()]));
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const [path = '', query = ''] = url.split('?');
    const secret = headers.authorization?.split(' ')[1] ?? '';
    const [ask, once] = [asks.get(secret), memories.get(secret)];
    if (ask === undefined || once === undefined) return void response.destroy();
    const text = method === 'GET' ? query : await textOf(request);
    const run = (): Promise<Answer> => bridged(ask, method, path, text);
    const { status, body } = await once(headers['idempotency-key'], `${path} ${text}`, run);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Saves a card as Checkout would. */
async function savedIn(ask: Ask, number: string): Promise<string> {
  const post = async (path: string, form: Record<string, string>): Promise<string> => {
    const { status, body } = await ask('POST', path, new URLSearchParams(form));
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return String(body['id']);
  };
  const customer = await post('/v1/customers', { name: 'Ann' });
  const card = { 'card[number]': number, 'card[exp_month]': '12', 'card[exp_year]': '2040' };
  const method = await post('/v1/payment_methods', { type: 'card', ...card, 'card[cvc]': '123' });
  await post(`/v1/payment_methods/${method}/attach`, { customer });
  return tokenOf(customer, method, 'card');
}

/** What localstripe's own book shows of a key. */
async function effectsOf(ask: Ask, key: string): Promise<Effects> {
  const intents = await allOf(ask, LIST);
  const isMine = (one: Fields): boolean =>
    (one['metadata'] as Fields | undefined)?.['holdfast_key'] === key;
  const charges = intents
    .filter(isMine)
    .map(({ latest_charge: charge }) => (charge as Fields | null)?.['id']);
  const refunds = (await allOf(ask, '/v1/refunds')).filter(isMine).map(({ id }) => id);
  const moves = await allOf(ask, '/v1/balance_transactions');
  const count = (ids: readonly unknown[]): number =>
    moves.filter(({ source }) => ids.includes(source)).length;
  return { captures: count(charges), refunds: count(refunds), payouts: 0 };
}

const lacks = (what: string) => async (): Promise<never> => {
  throw new Error(what);
};

export async function localstripeBench({ python }: Foreign): Promise<ProcessorBench> {
  const servers = new Map<number, ForeignServer>();
  for (const workspace of WORKSPACES) {
    servers.set(workspace, await serve(python, ['-c', START], /^(\d+)$/));
  }
  const urlOf = (workspace: number): string => servers.get(workspace)?.url ?? '';
  const asks = new Map(
    WORKSPACES.map((of) => [secretOf(of), askOf(urlOf(of), secretOf(of))] as const),
  );
  const bridge = await openBridge(asks);
  const links = new Map<number, ReturnType<typeof connectTo>>(
    WORKSPACES.map((workspace) => [workspace, connectTo(bridge, workspace)]),
  );
  const askIn = (workspace: number): Ask => asks.get(secretOf(workspace)) as Ask;
  return {
    processor: routed((workspace) => {
      const link = links.get(workspace);
      if (link === undefined) throw new Error('no such workspace');
      return link.processor;
    }),
    workspaces: WORKSPACES,
    limited: true,
    goodCard: (workspace) => savedIn(askIn(workspace), GOOD),
    declinedCard: async (workspace) => ({
      token: await savedIn(askIn(workspace), POOR),
      code: 'card_declined',
    }),
    captureDeclinedCard: lacks('cards that are declined at the capture'),
    challengedCard: lacks('3-D Secure on a page'),
    decide: lacks('3-D Secure on a page'),
    bankAccount: lacks('US bank debits'),
    payableAccount: lacks('payouts to people'),
    happen: lacks('what happens outside, as disputes'),
    effects: (workspace, key) => effectsOf(askIn(workspace), key),
    async close() {
      for (const link of links.values()) await link.close();
      bridge.server.closeAllConnections();
      await new Promise((closed) => bridge.server.close(closed));
      for (const server of servers.values()) await server.stop();
    },
  };
}
