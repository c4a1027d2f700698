// A server shaped as Stripe's API is described, for tests: form bodies, an account for each secret
// key, idempotency keys that replay for a day (failures too). It misbehaves on request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Account } from './account.ts';
import { readNested } from './form.ts';
import { ApiError, newId, type Behaviour, type Session } from './objects.ts';
import { ROUTES } from './routes.ts';

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

const DAY = 86_400;
const LATE_MS = 600;
const IDS = /\/((?:pi|cs|ch|vs)_\w+)/;

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
  readonly #sessions = new Map<string, Session>();
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
    const session = this.#sessions.get(id);
    if (session === undefined) throw new Error('there is no such session');
    const { id: method, customer } = this.account(secret).save(does);
    const card = { brand: 'visa', last4: '4242' };
    const shape = does.type === 'card' ? { card } : { us_bank_account: { last4: '6789' } };
    session.status = 'complete';
    session.customer = customer;
    session.setup_intent = { payment_method: { id: method, type: does.type, ...shape } };
  }

  expire(id: string): void {
    const session = this.#sessions.get(id);
    if (session !== undefined) session.status = 'expired';
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
    const body = Buffer.concat(chunks).toString('utf8');
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { method = '' } = request;
    if (path.startsWith('/bank/')) return this.#decide(path, body, response);
    const secret = /^Bearer ([sr]k_(?:test|live)_\w+)$/.exec(request.headers.authorization ?? '');
    if (secret === null) return send(response, NOBODY);
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null;
    const call: Call = { method, route: path.replace(IDS, '/:id'), key };
    this.calls.push(call);
    const alike = this.calls.filter((one) => one.method === method && one.route === call.route);
    const fault = this.#plan(call, alike.length);
    const id = IDS.exec(path)?.[1] ?? '';
    const sent = { id, text: method === 'GET' ? query : body };
    return this.#under(fault, this.account(secret[1] ?? ''), call, sent, response);
  }

  /** Answers a call, or fails to. */
  #under(
    fault: Fault | null,
    of: Account,
    call: Call,
    sent: { readonly id: string; readonly text: string },
    response: ServerResponse,
  ): void {
    const run = (): Answer => {
      if (fault === 'error_before') return FAILURE;
      const done = this.#perform(of, call, sent.id, sent.text);
      return fault === 'error_after' ? FAILURE : done;
    };
    if (fault === 'busy') return send(response, BUSY);
    if (fault === 'reset_before') return void response.destroy();
    if (fault === 'late') return void setTimeout(run, LATE_MS);
    const { replayed, ...answer } = this.#once(of, call, sent.text, run);
    if (fault === 'reset_after') return void response.destroy();
    if (fault === 'silent') return undefined;
    if (fault === 'malformed') return void response.end('<html>captured</html>');
    if (fault !== 'wrong_mode') return send(response, answer, replayed);
    return send(response, { ...answer, body: { ...answer.body, livemode: !of.live } });
  }

  /** The first answer under an idempotency key, whatever it was, for a day. */
  #once(of: Account, { key }: Call, request: string, run: () => Answer) {
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

  #perform(of: Account, { method, route }: Call, id: string, text: string): Answer {
    try {
      const run = ROUTES[`${method} ${route}`];
      if (run === undefined) throw new ApiError(404, 'invalid_request_error', null);
      const form = readNested(text);
      const body = run({ of, id, form, sessions: this.#sessions, url: this.url });
      return { status: 200, body };
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
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
