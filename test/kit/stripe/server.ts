// A server shaped as Stripe's API is described, for tests: form bodies, an account for each secret
// key, idempotency keys that replay for a day (failures too), lists newest first, signed webhooks.
// It misbehaves on request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Account, ApiError, newId, type Behaviour } from './account.ts';
import { readNested, textOf, textsOf, type Form } from './form.ts';

/** How one call goes wrong. `late`: the effect comes when everybody has given up waiting. */
export type Fault =
  | 'reset_before' | 'reset_after' | 'error_before' | 'error_after'
  | 'busy' | 'malformed' | 'silent' | 'late' | 'wrong_mode';

/** A call as the server sees it. */
export interface Call {
  readonly method: string;
  /** With `:id` for ids. */
  readonly route: string;
  readonly key: string | null;
}

interface Session {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly livemode: boolean;
  readonly url: string;
  readonly success_url: string;
  status: 'open' | 'complete' | 'expired';
  customer: string | null;
  setup_intent: object | null;
  readonly metadata: Record<string, string>;
  readonly expires_at: number;
}

interface Saved {
  readonly request: string;
  readonly status: number;
  readonly body: object;
  readonly at: number;
}

export interface StripeServer {
  readonly url: string;
  /** The account of a secret key. */
  account(secret: string): Account;
  /** Calls so far. */
  readonly calls: Call[];
  /** Decides how a call goes; null: well. */
  misbehave(plan: (call: Call, nth: number) => Fault | null): void;
  /** The person finishes a page of Checkout. */
  complete(secret: string, session: string, does: Behaviour): void;
  expire(secret: string, session: string): void;
  close(): Promise<void>;
}

const DAY = 86_400;
const LATE_MS = 600;

export async function openStripe(): Promise<StripeServer> {
  const accounts = new Map<string, Account>();
  const sessions = new Map<string, Session>();
  const saved = new Map<string, Saved>();
  const calls: Call[] = [];
  let plan: (call: Call, nth: number) => Fault | null = () => null;
  let url = '';

  const account = (secret: string): Account => {
    const known = accounts.get(secret);
    if (known !== undefined) return known;
    const made = new Account(secret.includes('_live_'), (id) => `${url}/bank/${secret}/${id}`);
    accounts.set(secret, made);
    return made;
  };

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const body = Buffer.concat(chunks).toString('utf8');
    if (path.startsWith('/bank/')) return decideAtBank(path, body, response);
    const secret = /^Bearer (\w+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!/^[sr]k_(test|live)_/.test(secret)) {
      return send(response, 401, new ApiError(401, 'invalid_request_error', null).body);
    }
    const method = request.method ?? '';
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null;
    const route = path.replace(/\/(?:pi|cs|ch|re|txn|dp)_\w+/g, '/:id');
    const call = { method, route, key };
    calls.push(call);
    const alike = calls.filter((one) => one.method === method && one.route === route);
    const fault = plan(call, alike.length);
    if (fault === 'busy') {
      return send(response, 429, new ApiError(429, 'invalid_request_error', 'rate_limit').body);
    }
    if (fault === 'reset_before') return void response.destroy();
    const form = readNested(method === 'GET' ? query : body);
    const run = (): Omit<Saved, 'request' | 'at'> => {
      if (fault === 'error_before') return { status: 500, body: failure() };
      const done = act(account(secret), secret, method, path, form);
      return fault === 'error_after' ? { status: 500, body: failure() } : done;
    };
    if (fault === 'late') {
      setTimeout(run, LATE_MS);
      return undefined;
    }
    const { status, body: said, replayed } = once(account(secret), secret, call, body, run);
    if (fault === 'reset_after') return void response.destroy();
    if (fault === 'silent') return undefined;
    if (fault === 'malformed') return void response.end('<html>captured</html>');
    const mode = fault === 'wrong_mode' ? { livemode: !account(secret).live } : {};
    return send(response, status, { ...said, ...mode }, replayed);
  }

  /** The first answer under an idempotency key, whatever it was, for a day. */
  function once(
    of: Account,
    secret: string,
    { key }: Call,
    request: string,
    run: () => Omit<Saved, 'request' | 'at'>,
  ): { status: number; body: object; replayed: boolean } {
    const name = `${secret} ${key}`;
    const known = saved.get(name);
    if (key !== null && known !== undefined && of.now() - known.at < DAY) {
      if (known.request === request) return { ...known, replayed: true };
      const { status, body } = new ApiError(400, 'idempotency_error', null);
      return { status, body, replayed: false };
    }
    const done = run();
    const body = structuredClone(done.body);
    if (key !== null) saved.set(name, { ...done, body, request, at: of.now() });
    return { ...done, body, replayed: false };
  }

  function act(of: Account, secret: string, method: string, path: string, form: Form) {
    try {
      return { status: 200, body: perform(of, secret, `${method} ${path}`, form) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { status: error.status, body: error.body };
    }
  }

  function perform(of: Account, secret: string, call: string, form: Form): object {
    const [, id = ''] = /\/((?:pi|cs|ch)_\w+)/.exec(call) ?? [];
    const metadata = textsOf(form, 'metadata');
    switch (id === '' ? call : call.replace(id, ':id')) {
      case 'POST /v1/payment_intents': {
        const text = (name: string): string => textOf(form, name) ?? '';
        const ids = { customer: text('customer'), payment_method: text('payment_method') };
        const how = { capture_method: text('capture_method') || 'automatic', metadata };
        const currency = text('currency');
        return of.create({ amount: Number(text('amount')), currency, ...ids, ...how });
      }
      case 'GET /v1/payment_intents': {
        const customer = textOf(form, 'customer') ?? '';
        if (!of.knows(customer)) missing(400);
        const list = [...of.intents.values()].filter((one) => one.customer === customer);
        return listed(list.map((one) => shown(of, one)), form);
      }
      case 'GET /v1/payment_intents/:id':
        return shown(of, of.intent(id));
      case 'POST /v1/payment_intents/:id/confirm':
        return of.confirm(id, textOf(form, 'return_url'));
      case 'POST /v1/payment_intents/:id/capture':
        return of.capture(id);
      case 'POST /v1/payment_intents/:id/cancel':
        return of.cancel(id);
      case 'POST /v1/refunds': {
        const amount = textOf(form, 'amount');
        const intent = textOf(form, 'payment_intent') ?? '';
        return of.refund(intent, amount === null ? null : Number(amount), metadata);
      }
      case 'GET /v1/refunds': {
        const intent = of.intent(textOf(form, 'payment_intent') ?? '');
        const refunds = [...of.refunds.values()].filter((one) => one.payment_intent === intent.id);
        return listed(refunds, form);
      }
      case 'GET /v1/charges/:id':
        return of.charges.get(id) ?? missing();
      case 'GET /v1/balance_transactions':
        return listed(
          of.transactions.map((one) => ({ ...one, source: sourceOf(of, one.source) })),
          form,
        );
      case 'GET /v1/events': {
        const types = Object.values(textsOf(form, 'types'));
        return listed(of.events.filter(({ type }) => types.includes(type)), form);
      }
      case 'GET /v1/balance':
        return { object: 'balance', livemode: of.live, available: [], pending: [] };
      case 'POST /v1/checkout/sessions':
        return begin(of, form, metadata);
      case 'GET /v1/checkout/sessions/:id':
        return sessions.get(`${secret} ${id}`) ?? sessions.get(id) ?? missing();
      default:
        throw new ApiError(404, 'invalid_request_error', null);
    }
  }

  function begin(of: Account, form: Form, metadata: Record<string, string>): Session {
    const id = newId(of.live ? 'cs_live' : 'cs_test');
    const session: Session = {
      ...{ id, object: 'checkout.session', livemode: of.live, url: `${url}/c/pay/${id}` },
      ...{ success_url: textOf(form, 'success_url') ?? '', status: 'open', customer: null },
      ...{ setup_intent: null, metadata, expires_at: Number(textOf(form, 'expires_at')) },
    };
    sessions.set(id, session);
    return session;
  }

  function decideAtBank(path: string, body: string, response: ServerResponse): void {
    const [, , secret = '', id = ''] = path.split('/');
    const { decision } = JSON.parse(body) as { decision: string };
    const done = account(secret).authenticate(id, decision === 'confirm');
    send(response, done ? 200 : 409, {});
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url, account, calls },
    misbehave: (next) => void ((plan = next), (calls.length = 0)),
    complete(secret, id, does) {
      const session = sessions.get(id);
      if (session === undefined) throw new Error('there is no such session');
      const { id: method, customer } = account(secret).save(does);
      const face = { brand: 'visa', last4: '4242' };
      const shape = does.type === 'card' ? { card: face } : { us_bank_account: { last4: '6789' } };
      session.status = 'complete';
      session.customer = customer;
      session.setup_intent = { payment_method: { id: method, type: does.type, ...shape } };
    },
    expire(_secret, id) {
      const session = sessions.get(id);
      if (session !== undefined) session.status = 'expired';
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function missing(status = 404): never {
  throw new ApiError(status, 'invalid_request_error', 'resource_missing');
}

function failure(): object {
  return new ApiError(500, 'api_error', null).body;
}

function send(response: ServerResponse, status: number, body: object, replayed = false): void {
  const headers = { 'content-type': 'application/json', 'request-id': newId('req') };
  response.writeHead(status, { ...headers, ...(replayed && { 'idempotent-replayed': 'true' }) });
  response.end(JSON.stringify(body));
}

/** An intent with its charge expanded. */
function shown(of: Account, intent: { readonly latest_charge: string | null }): { id: string } {
  const charge = of.charges.get(intent.latest_charge ?? '') ?? null;
  return { ...intent, latest_charge: charge } as unknown as { id: string };
}

function sourceOf(of: Account, id: string): object | string {
  return of.charges.get(id) ?? of.refunds.get(id) ?? of.disputes.get(id) ?? id;
}

/** A page, newest first, as Stripe pages: after an older one or before a newer one. */
function listed(ascending: readonly { readonly id: string }[], form: Form): object {
  const all = ascending.toReversed();
  const limit = Number(textOf(form, 'limit') ?? 10);
  const [after, before] = [textOf(form, 'starting_after'), textOf(form, 'ending_before')];
  const at = (id: string | null): number => all.findIndex((one) => one.id === id);
  const rest = before === null ? all.slice(at(after) + 1) : all.slice(0, Math.max(at(before), 0));
  const data = before === null ? rest.slice(0, limit) : rest.slice(-limit);
  return { object: 'list', data, has_more: rest.length > data.length, url: '/v1' };
}
