// Sends requests to URLs that tenants chose, and connects only to checked addresses: the name is
// resolved once, every address is checked, and the socket is opened to the checked address itself,
// so that a resolver cannot answer differently in between.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { Agent, buildConnector, request as send } from 'undici';
import type { Dispatcher } from 'undici';
import { literalAddress, mayConnect, readTarget } from './port.ts';
import type {
  Outbound,
  OutboundEnv,
  OutboundFailure,
  OutboundRequest,
  OutboundResult,
} from './port.ts';

/** Returns every address of a name; throws if there is none. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** How the adapter is made. */
export interface OutboundOptions {
  readonly env: OutboundEnv;
  /** Default: the system's resolver, all addresses. */
  readonly resolve?: Resolver;
  /** Milliseconds for TCP and TLS together; default 5,000. */
  readonly connectMs?: number;
  /** Further trusted certificates in PEM, for tests. */
  readonly ca?: string;
}

/** Bytes of an answer that are read; a confirmation needs none. */
export const ANSWER_MAX = 4096;
/** Milliseconds for the body after the status. */
const BODY_MS = 1000;
/** Milliseconds an idle connection is kept; after it a changed name is resolved again. */
const KEEP_ALIVE_MS = 4000;
const KEEP_ALIVE_MAX_MS = 30_000;

/** Thrown inside `connect` only; the message is the outcome. */
class Objection extends Error {
  readonly failure: OutboundFailure;
  constructor(failure: OutboundFailure) {
    super(failure);
    this.failure = failure;
  }
}

const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map((entry) => entry.address);

/** Outbound HTTP over undici. */
export function outboundHttp(options: OutboundOptions): Outbound {
  const agent = new Agent({
    connect: guardedConnect(options),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: 8192,
  });
  let closed = false;
  return {
    async post(request) {
      const started = performance.now();
      const elapsed = (): number => Math.round(performance.now() - started);
      if (closed) return { kind: 'failed', reason: 'stopped', ms: 0 };
      const read = readTarget(request.url, options.env);
      if ('objection' in read) {
        return { kind: 'failed', reason: `target_${read.objection}`, ms: elapsed() };
      }
      const timer = new AbortController();
      const limit = setTimeout(() => timer.abort(), request.timeoutMs);
      try {
        return await exchange(agent, read.target.url, request, timer.signal, elapsed);
      } catch (error) {
        const timedOut = timer.signal.aborted;
        const reason = timedOut ? 'timeout' : closed ? 'stopped' : failureOf(error);
        return { kind: 'failed', reason, ms: elapsed() };
      } finally {
        clearTimeout(limit);
      }
    },
    async close() {
      closed = true;
      await agent.destroy();
    },
  };
}

async function exchange(
  agent: Agent,
  url: URL,
  request: OutboundRequest,
  signal: AbortSignal,
  elapsed: () => number,
): Promise<OutboundResult> {
  const answer = await send(url, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'accept-encoding': 'identity', ...request.headers },
    body: request.body,
    headersTimeout: request.timeoutMs,
    bodyTimeout: BODY_MS,
    signal,
  });
  return {
    kind: 'answered',
    status: answer.statusCode,
    retryAfter: one(answer.headers['retry-after']),
    contentType: one(answer.headers['content-type']),
    bytes: await firstBytes(answer.body),
    ms: elapsed(),
  };
}

function one(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

/** The status has decided already: a long, slow or broken body changes nothing. */
async function firstBytes(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  const limit = setTimeout(() => body.destroy(), BODY_MS);
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length >= ANSWER_MAX) break;
    }
  } catch {
    // What was read until then is kept.
  } finally {
    clearTimeout(limit);
  }
  return Buffer.concat(parts).subarray(0, ANSWER_MAX);
}

function guardedConnect(options: OutboundOptions): buildConnector.connector {
  const resolve = options.resolve ?? systemResolver;
  const connect = buildConnector({
    timeout: options.connectMs ?? 5000,
    allowH2: false,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  return (wanted, callback) => {
    checkedAddress(wanted, options.env, resolve).then(
      (address) => {
        const { servername: _, ...rest } = wanted;
        const https = wanted.protocol === 'https:';
        const name = literalAddress(wanted.hostname) === null ? wanted.hostname : null;
        connect(
          { ...rest, hostname: address, ...(https && name !== null ? { servername: name } : {}) },
          (...[error, socket]) => {
            if (error !== null) return callback(error, null);
            // A second check: the connected address is the checked one.
            if (!isSame(socket, address)) {
              socket.destroy();
              return callback(new Objection('target_address'), null);
            }
            callback(null, socket);
          },
        );
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('failed'), null),
    );
  };
}

function isSame(socket: Socket, address: string): boolean {
  const remote = socket.remoteAddress;
  return remote === undefined || remote === address || remote === `::ffff:${address}`;
}

/** Resolves once and checks every address; returns the one to connect to. */
async function checkedAddress(
  wanted: buildConnector.Options,
  env: OutboundEnv,
  resolve: Resolver,
): Promise<string> {
  const host = wanted.hostname.includes(':') && !wanted.hostname.startsWith('[')
    ? `[${wanted.hostname}]`
    : wanted.hostname;
  const port = wanted.port === '' ? '' : `:${wanted.port}`;
  const read = readTarget(`${wanted.protocol}//${host}${port}/`, env);
  if ('objection' in read) throw new Objection(`target_${read.objection}`);
  const literal = literalAddress(host);
  const addresses = literal === null ? await resolved(host, resolve) : [literal];
  // The socket would look up again what is no canonical address.
  if (!addresses.every((address) => isIP(address) !== 0)) throw new Objection('target_address');
  if (!mayConnect(read.target, addresses, env)) throw new Objection('target_address');
  return addresses[0] as string;
}

async function resolved(hostname: string, resolve: Resolver): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(hostname);
  } catch {
    throw new Objection('name_not_resolved');
  }
  if (addresses.length === 0) throw new Objection('name_not_resolved');
  return addresses;
}

const FAILURES: Readonly<Record<string, OutboundFailure>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
};

/** One word for an error; its message may name addresses and is dropped. */
function failureOf(error: unknown): OutboundFailure {
  if (error instanceof Objection) return error.failure;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = FAILURES[code];
  if (known !== undefined) return known;
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls' : 'protocol';
}
