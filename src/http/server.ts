// One listening socket: its time limits, the requests that HTTP itself refuses, and its graceful
// stop.
import http from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { refuse } from '../core/refusal.ts';
import type { RefusalSpec } from '../core/refusal.ts';
import { answerHeaders } from './envelope.ts';
import type { Door, Handler, Listener, ListenerLimits } from './listener.ts';
import { protocolRefusals } from './protocol-refusals.ts';
import { refusalAnswer, sendRefusal } from './send.ts';

const MAX_HEADER_BYTES = 16_384;
/** How often Node checks for slow connections; its default of 30 s would be the real limit. */
const CHECK_MS = 1_000;
const REAP_MS = 50;

/** A listener with these limits on this thread. */
export function makeListener(limits: ListenerLimits, door: Door): Listener {
  const server = makeServer(limits, door);
  return {
    listen: (port, address) => listen(server, port, address),
    drain: () => drainServer(server),
    close: (graceMs) => closeServer(server, graceMs),
  };
}

/** A server with these limits, not yet listening. */
export function makeServer(limits: ListenerLimits, door: Door): Server {
  const server = http.createServer({
    headersTimeout: Math.min(limits.headersMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node would refuse with an empty body; the envelope is sent below. [G-72]
    requireHostHeader: false,
    noDelay: true,
  });
  server.maxRequestsPerSocket = limits.requestsPerSocket;
  server.maxConnections = limits.connections;
  const drain = followSockets(server);
  drains.set(server, drain);
  const guarded: Handler = (request, response) => {
    if (drain.begun) response.shouldKeepAlive = false;
    const spec = refusedAddress(request);
    if (spec === null) door.handle(request, response);
    else sendRefusal(request, response, refuse(spec));
  };
  server.on('request', guarded);
  // With this listener Node does not invite the body; the pipeline does when it wants it.
  server.on('checkContinue', guarded);
  server.on('checkExpectation', (request, response) => {
    sendRefusal(request, response, refuse(protocolRefusals.EXPECTATION_FAILED));
  });
  server.on('clientError', answerClientError);
  return server;
}

/** What a server's connections are doing, for its stop. */
interface Drain {
  begun: boolean;
  readonly sockets: ReadonlySet<Socket>;
}

const drains = new WeakMap<Server, Drain>();

function followSockets(server: Server): Drain {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return { begun: false, sockets };
}

/** The answer a connection is being sent, or null. */
function answerOn(socket: Socket): ServerResponse | null {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

function drainServer(server: Server): void {
  const drain = drains.get(server);
  if (drain === undefined) return;
  drain.begun = true;
  for (const socket of drain.sockets) {
    const answer = answerOn(socket);
    if (answer !== null && !answer.headersSent) answer.shouldKeepAlive = false;
  }
}

const NOT_ASCII = /[^\x21-\x7e]/;

function refusedAddress(request: IncomingMessage): RefusalSpec | null {
  // HTTP/0.9 has no headers; Node still accepts it.
  if (request.httpVersionMajor !== 1) return protocolRefusals.REQUEST_MALFORMED;
  if (request.headers.host === undefined && request.httpVersionMinor === 1) {
    return protocolRefusals.REQUEST_MALFORMED;
  }
  const url = request.url as string;
  // A request must not contain a fragment; it is not repaired.
  if (url.includes('#') || NOT_ASCII.test(url)) return protocolRefusals.URL_MALFORMED;
  return url.startsWith('/') || url === '*' ? null : takeAbsolute(request, url);
}

const ABSOLUTE = /^https?:\/\/((?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?)(\/[^?]*)?(\?.*)?$/i;

/** An absolute URL names the host, whatever the Host header says. (RFC 9112, section 3.2.2) */
function takeAbsolute(request: IncomingMessage, url: string): RefusalSpec | null {
  const [whole, authority, path = '/', query = ''] = ABSOLUTE.exec(url) ?? [];
  if (whole === undefined) return protocolRefusals.URL_MALFORMED;
  request.headers.host = authority;
  request.url = path + query;
  return null;
}

/** Unreadable requests are answered in the envelope, and their connection is closed. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // A second answer must not follow one already being sent.
  const begun = answerOn(socket)?.headersSent === true;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const { status, body } = refusalAnswer(refuse(specOf(error.code)), { oauth: false });
  const list = answerHeaders(Buffer.byteLength(body), { Connection: 'close' });
  let head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n`;
  for (let at = 0; at < list.length; at += 2) head += `${list[at]}: ${list[at + 1]}\r\n`;
  socket.end(`${head}Date: ${new Date().toUTCString()}\r\n\r\n${body}`, () => socket.destroy());
}

function specOf(code: string | undefined): RefusalSpec {
  if (code === 'HPE_HEADER_OVERFLOW') return protocolRefusals.HEADERS_TOO_LARGE;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return protocolRefusals.REQUEST_TIMEOUT;
  return protocolRefusals.REQUEST_MALFORMED;
}

function listen(server: Server, port: number, address: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    };
    server.once('error', onError);
    server.listen({ port, host: address, exclusive: true }, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    // A keep-alive connection becomes idle only after its answer.
    const reaper = setInterval(() => server.closeIdleConnections(), REAP_MS);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(reaper);
      resolve();
    });
    server.closeIdleConnections();
  });
}
