// A server shaped as Stripe's API is described, for tests: form bodies, an account for each secret
// key, idempotency keys that replay for a day (failures too). It misbehaves on request.
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Account } from './account.ts';
import { described } from './described.ts';
import { expireSession, finishSession, sessionPage } from './checkout.ts';
import { readForm, readNested, type Form } from './form.ts';
import { ApiError, newId, type Behaviour, type Session } from './objects.ts';
import { ROUTES } from './routes.ts';

/** How one call goes wrong. `late`: the effect comes when everybody has given up waiting. */
export type Fault = (typeof FAULTS)[number] | 'late';
export const FAULTS = [
  ...(['reset_before', 'reset_after', 'error_before', 'error_after'] as const),
  ...(['busy', 'malformed', 'silent', 'wrong_mode'] as const),
] as const;

/** A call as the server sees it. */
export interface Call {
  readonly method: string;
  /** With `:id` for ids. */
  readonly route: string;
  readonly key: string | null;
}

/** What a call names and says. */
interface Sent {
  readonly id: string;
  readonly form: Form;
  /** As it was sent; '' for a file. */
  readonly text: string;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** The first answer under an idempotency key. */
interface Kept extends Answer {
  readonly request: string;
  readonly at: number;
}

type Plan = (call: Call, nth: number) => Fault | null;

/** Where each call and its answer are written as a line; for what checks them by a description. */
const WITNESS = process.env['HOLDFAST_STRIPE_WITNESS'];
const DAY = 86_400;
const LATE_MS = 600;
/** What stands in a path after the name of a list. */
const IDS = /^(\/v1\/(?:(?:checkout|identity)\/\w+|(?!checkout|identity)\w+))\/([^/]+)/;

const FAILURE: Answer = new ApiError(500, 'api_error', null);
const BUSY: Answer = new ApiError(429, 'invalid_request_error', 'rate_limit');
const NOBODY: Answer = new ApiError(401, 'invalid_request_error', null);
const OTHER_REQUEST: Answer = new ApiError(400, 'idempotency_error', null);

/** Opens the server on a free port of this machine. */
export async function openStripe(): Promise<StripeServer> {
  const opened = new StripeServer();
  await opened.listen();
  return opened;
}

export class StripeServer {
  /** Calls since the plan was made. */
  readonly calls: Call[] = [];
  url = '';
  readonly #accounts = new Map<string, Account>();
  readonly #kept = new Map<string, Kept>();
  #plan: Plan = () => null;
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response).catch(() => response.destroy());
  });

  /** The account of a secret key. */
  account(secret: string): Account {
    const known = this.#accounts.get(secret);
    if (known !== undefined) return known;
    const page = (id: string): string => `${this.url}/bank/${secret}/${id}`;
    const made = new Account(secret.includes('_live_'), page);
    this.#accounts.set(secret, made);
    return made;
  }

  /** Decides how the calls from now on go; null: well. */
  misbehave(plan: Plan): void {
    this.#plan = plan;
    this.calls.length = 0;
  }

  /** The person finishes a page of Checkout. */
  complete(secret: string, id: string, does: Behaviour): void {
    const session = this.account(secret).sessions.get(id);
    if (session === undefined) throw new Error('there is no such session');
    finishSession(this.account(secret), session, does);
  }

  expire(id: string): void {
    const [of] = this.#sessionOf(id);
    if (of !== null) expireSession(of, id);
  }

  #sessionOf(id: string): readonly [Account, Session] | readonly [null, null] {
    for (const of of this.#accounts.values()) {
      const session = of.sessions.get(id);
      if (session !== undefined) return [of, session];
    }
    return [null, null];
  }

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { method = '' } = request;
    const body = Buffer.concat(chunks);
    if (path.startsWith('/bank/')) return this.#decide(path, body.toString(), response);
    if (path.startsWith('/c/pay/')) return this.#page(method, path, body.toString(), response);
    const secret = /^Bearer ([sr]k_(?:test|live)_\w+)$/.exec(request.headers.authorization ?? '');
    if (secret === null) return send(response, NOBODY);
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null;
    const call: Call = { method, route: path.replace(IDS, '$1/:id'), key };
    this.calls.push(call);
    const alike = this.calls.filter((one) => one.method === method && one.route === call.route);
    const fault = this.#plan(call, alike.length);
    const id = decodeURIComponent(IDS.exec(path)?.[2] ?? '');
    const type = request.headers['content-type'] ?? '';
    const form = method === 'GET' ? readNested(query) : await readForm(type, body);
    const text = method === 'GET' ? query : type.startsWith('multipart/') ? '' : body.toString();
    const sent = { id, form, text };
    return this.#under(fault, this.account(secret[1] ?? ''), call, sent, response);
  }

  /** Answers a call, or fails to. */
  #under(
    fault: Fault | null,
    of: Account,
    call: Call,
    sent: Sent,
    response: ServerResponse,
  ): void {
    const run = (): Answer => {
      if (fault === 'error_before') return FAILURE;
      const done = this.#perform(of, call, sent);
      return fault === 'error_after' ? FAILURE : done;
    };
    if (fault === 'busy') return send(response, BUSY);
    if (fault === 'reset_before') return void response.destroy();
    const answered = () => this.#once(of, call, sent, run);
    if (fault === 'late') return void setTimeout(answered, LATE_MS);
    const { replayed, ...answer } = answered();
    if (fault === 'reset_after') return void response.destroy();
    if (fault === 'silent') return undefined;
    if (fault === 'malformed') return void response.end('<html>captured</html>');
    if (fault !== 'wrong_mode') return send(response, answer, replayed);
    return send(response, { ...answer, body: { ...answer.body, livemode: !of.live } });
  }

  /** The first answer under an idempotency key, whatever it was, for a day. */
  #once(of: Account, { key, route }: Call, sent: Sent, run: () => Answer) {
    const request = JSON.stringify([route, sent]);
    const name = `${[...this.#accounts.values()].indexOf(of)} ${key}`;
    const known = this.#kept.get(name);
    if (key !== null && known !== undefined && of.now() - known.at < DAY) {
      const { status, body } = known.request === request ? known : OTHER_REQUEST;
      return { status, body, replayed: known.request === request };
    }
    const { status, body } = run();
    const answer = { status, body: structuredClone(body) };
    if (key !== null) this.#kept.set(name, { ...answer, request, at: of.now() });
    return { ...answer, replayed: false };
  }

  #perform(of: Account, call: Call, sent: Sent): Answer {
    const { status, body } = this.#answered(of, call, sent);
    const path = call.route.replace(':id', sent.id);
    const answer = { status, body: described(body, path) as object };
    const seen = { method: call.method, path, text: sent.text, ...answer };
    if (WITNESS !== undefined) appendFileSync(WITNESS, `${JSON.stringify(seen)}\n`);
    return answer;
  }

  #answered(of: Account, { method, route }: Call, { id, form }: Sent): Answer {
    try {
      const run = ROUTES[`${method} ${route}`];
      if (run === undefined) throw new ApiError(404, 'invalid_request_error', null);
      const body = run({ of, id, form, url: this.url });
      return { status: 200, body };
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  /** The page of Checkout, which refuses to be framed. A form leads the person back. */
  #page(method: string, path: string, body: string, response: ServerResponse): void {
    const [of, session] = this.#sessionOf(path.split('/').at(-1) ?? '');
    if (of === null) return send(response, NOBODY);
    const page = { 'content-type': 'text/html', 'x-frame-options': 'DENY' };
    if (method === 'GET') return void response.writeHead(200, page).end(sessionPage(session));
    const byForm = body.startsWith('number=');
    const { decision } = byForm
      ? { decision: 'confirm' }
      : (JSON.parse(body) as { decision: string });
    const type = session.sold?.type ?? 'card';
    const done = decision === 'confirm' && finishSession(of, session, { type });
    const { success_url: location } = session;
    if (byForm && done) return void response.writeHead(303, { location }).end();
    return send(response, { status: done || decision !== 'confirm' ? 200 : 409, body: {} });
  }

  /** The bank's page. */
  #decide(path: string, body: string, response: ServerResponse): void {
    const [, , secret = '', id = ''] = path.split('/');
    const { decision } = JSON.parse(body) as { decision: string };
    const done = this.account(secret).authenticate(id, decision === 'confirm');
    send(response, { status: done ? 200 : 409, body: {} });
  }
}

function send(response: ServerResponse, { status, body }: Answer, replayed = false): void {
  const headers = { 'content-type': 'application/json', 'request-id': newId('req') };
  response.writeHead(status, { ...headers, ...(replayed && { 'idempotent-replayed': 'true' }) });
  response.end(JSON.stringify(body));
}
