// Finds the running sandbox that a terminal tool talks to and calls it as an integrator would:
// obtains and renews one token, and turns refusals into sentences. Production is refused.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { HOST_NAMES, type HostName } from '../core/operation.ts';
import type { CommandContext } from './context.ts';
import { notes, type ClientPair, type Found } from './discovery.ts';

/** Options of every command that talks to a running server. */
export interface ServerArguments {
  readonly url?: string;
  readonly port?: string;
  readonly json?: boolean;
}

type Urls = Found['urls'];

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call that was made, for commands that print what they do. */
export interface Made {
  readonly method: Method;
  readonly host: HostName;
  readonly path: string;
  readonly status: number;
}

/** The server refused a call; the message is one sentence that names the call. */
export class CallRefused extends Error {
  readonly status: number;
  readonly codes: readonly string[];

  constructor(call: string, status: number, codes: readonly string[], sentence: string) {
    super(`${call} was refused: ${[status, ...codes].join(' ')}. ${sentence}`.trim());
    this.status = status;
    this.codes = codes;
  }
}

/** No answer, or not in time. */
export class ServerGone extends Error {}

/** Moving a clock takes up to 50 seconds. */
const ANSWER_WITHIN_MS = 60_000;
const HEALTH_WITHIN_MS = 2_000;
/** A token is not used any more so many seconds before it expires. */
const TOKEN_MARGIN_SECONDS = 60;
const TRIES = 6;
const SHORTEST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/** Adds the options that `openServer` reads, and --json. */
export function withServerOptions(verb: Command): Command {
  return verb
    .option(
      '--url <url>', 'address of its invoicing host; also HOLDFAST_URL (default: found locally)',
    )
    .option('--port <port>', 'if several servers run here: the one with this port')
    .option('--json', 'print one line of JSON for each item')
    .allowExcessArguments(false);
}

/** A running sandbox with one of its clients. */
export class Server {
  readonly urls: Urls;
  readonly client: ClientPair;
  readonly #told: (made: Made) => void;
  #token: { readonly text: string; readonly until: number } | null = null;

  /** `told` is called with each call once it is answered. */
  constructor({ urls, client }: Found, told: (made: Made) => void = () => {}) {
    this.urls = urls;
    this.client = client;
    this.#told = told;
  }

  /** The same server, reporting each call. */
  telling(told: (made: Made) => void): Server {
    return new Server(this, told);
  }

  /** The same server with another client: that of a clone. */
  as(client: ClientPair): Server {
    return new Server({ urls: this.urls, client }, this.#told);
  }

  /**
   * Calls an operation and returns its payload, undefined if there is none. Retries a busy server
   * under the same key. Throws CallRefused or ServerGone.
   */
  async call(host: HostName, method: Method, path: string, body?: object): Promise<unknown> {
    const key = method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
    const headers = body === undefined ? key : { ...key, 'content-type': 'application/json' };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    let renewed = false;
    for (let tries = 1; ; tries += 1) {
      const authorization = `Bearer ${await this.#bearer()}`;
      const init = { method, headers: { ...headers, authorization }, ...text };
      const answer = await ask(this.urls[host] + path, init);
      const renew: boolean = answer.status === 401 && !renewed;
      if (answer.status === 401) this.#token = null;
      renewed ||= renew;
      const again = renew || answer.status === 503 || answer.status === 429;
      if (!again || tries === TRIES) {
        this.#told({ method, host, path, status: answer.status });
        return payloadOf(`${method} ${path}`, answer);
      }
      if (!renew) await sleep(waitOf(answer, tries));
    }
  }

  /** A token with every scope of the client. Throws CallRefused or ServerGone. */
  async #bearer(): Promise<string> {
    if (this.#token !== null && this.#token.until > Date.now()) return this.#token.text;
    const answer = await ask(`${this.urls.auth}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', ...this.client }),
    });
    if (answer.status !== 200) payloadOf('POST /token', answer);
    const given = JSON.parse(answer.text) as { access_token: string; expires_in: number };
    const seconds = given.expires_in - Math.min(TOKEN_MARGIN_SECONDS, given.expires_in / 10);
    this.#token = { text: given.access_token, until: Date.now() + seconds * 1000 };
    return given.access_token;
  }
}

/** Milliseconds a busy server asks to wait, or a few more with each try. */
function waitOf({ retryAfter }: Answer, tries: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(retryAfter * 1000, SHORTEST_WAIT_MS * tries));
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** Seconds; 0 if not given. */
  readonly retryAfter: number;
}

async function ask(url: string, init: RequestInit, ms = ANSWER_WITHIN_MS): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ms) });
    const retryAfter = Number(response.headers.get('retry-after') ?? '0') || 0;
    return { status: response.status, text: await response.text(), retryAfter };
  } catch {
    throw new ServerGone(`No answer from ${new URL(url).origin}.`);
  }
}

interface Envelope {
  readonly codes?: readonly string[];
  readonly message?: readonly string[];
  readonly payload?: { readonly errors?: Readonly<Record<string, string>> };
}

function payloadOf(call: string, { status, text }: Answer): unknown {
  let said: Envelope;
  try {
    said = text === '' ? {} : (JSON.parse(text) as Envelope);
  } catch {
    throw new CallRefused(
      call, status, [], 'This is not an answer from Holdfast: check the address.',
    );
  }
  if (status >= 200 && status < 300) return said.payload;
  const fields = Object.entries(said.payload?.errors ?? {}).map((pair) => pair.join(' '));
  const sentence = [(said.message ?? []).join(' '), fields.join(', ')].filter(Boolean).join(' ');
  throw new CallRefused(call, status, said.codes ?? [], sentence);
}

/**
 * Opens the named server (`--url`, HOLDFAST_URL) or the newest one running here, and checks its
 * client. Throws one sentence for people.
 */
export async function openServer(
  given: ServerArguments,
  context: Pick<CommandContext, 'environment' | 'home'>,
): Promise<Server> {
  const { environment } = context;
  if (environment['HOLDFAST_ENV'] === 'production') throw new Error(STAGING_ONLY);
  const url = given.url ?? (given.port === undefined ? environment['HOLDFAST_URL'] : undefined);
  if (url !== undefined && url !== '') {
    if (given.port !== undefined) throw new Error('Use either --url or --port, not both.');
    return openNamed({ urls: urlsFrom(url, environment), client: pairFrom(environment) });
  }
  for (const found of notes(context, given.port)) {
    const server = new Server(found);
    if (await answers(server)) return server;
  }
  const which = given.port === undefined ? 'is running' : `is running on port ${given.port}`;
  throw new Error(
    `No sandbox server ${which}. Start one with \`npx holdfast start\`, or name one with ` +
      '--url, HOLDFAST_CLIENT_ID and HOLDFAST_CLIENT_SECRET.',
  );
}

const STAGING_ONLY =
  'listen, trigger and explain work on a sandbox only; HOLDFAST_ENV is production.';

async function openNamed(found: Found): Promise<Server> {
  const server = new Server(found);
  try {
    await server.call('invoicing', 'GET', '/sandbox/test_cards');
  } catch (error) {
    if (error instanceof CallRefused && error.status === 404) throw new Error(STAGING_ONLY);
    throw error;
  }
  return server;
}

/** The file may be of a killed process, and its port another server's now. */
async function answers(server: Server): Promise<boolean> {
  try {
    const health = await ask(`${server.urls.internal}/healthz`, {}, HEALTH_WITHIN_MS);
    if (health.status !== 200) return false;
    await server.call('invoicing', 'GET', '/sandbox/test_cards');
    return true;
  } catch (error) {
    if (error instanceof ServerGone || error instanceof CallRefused) return false;
    throw error;
  }
}

type Environment = CommandContext['environment'];

function pairFrom(environment: Environment): ClientPair {
  const client_id = environment['HOLDFAST_CLIENT_ID'] ?? '';
  const client_secret = environment['HOLDFAST_CLIENT_SECRET'] ?? '';
  if (client_id === '' || client_secret === '') {
    throw new Error(
      '--url also needs HOLDFAST_CLIENT_ID and HOLDFAST_CLIENT_SECRET of a client there.',
    );
  }
  return { client_id, client_secret };
}

/**
 * Every host's URL from the invoicing host's: by its settings, by the first label of its name, or
 * by its place in the block of ports. [G-03]
 */
function urlsFrom(text: string, environment: Environment): Urls {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new Error(`--url must be the base address of the invoicing host, not ${text}.`);
  }
  const port = Number(url.port) - HOST_NAMES.indexOf('invoicing');
  const hostOf = (host: HostName, place: number): string => {
    const set = environment[`HOLDFAST_URL_${host.toUpperCase()}`];
    if (set !== undefined && set !== '') return set;
    const at = new URL(url.origin);
    if (at.hostname.startsWith('invoicing.')) {
      at.hostname = at.hostname.replace('invoicing', host);
    } else if (url.port !== '') at.port = String(port + place);
    return at.origin;
  };
  const entries = HOST_NAMES.map((host, place) => [host, hostOf(host, place)]);
  return { ...Object.fromEntries(entries), invoicing: url.origin } as Urls;
}
