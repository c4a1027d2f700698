// The HTTP thread: sockets, the parsing of HTTP, and its refusals. Short requests to operations go
// whole to the main thread and their answers come back whole; all else is relayed as it arrives.
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { MessageChannel, parentPort, type MessagePort } from 'node:worker_threads';
import type { Listener } from '../listener.ts';
import { linger } from '../linger.ts';
import { makeListener } from '../server.ts';
import type { Order, ToThread, WholeAnswer, WholeRequest } from './messages.ts';
import { PortStream } from './port-stream.ts';

/** What an order to listen or to close came to. */
export interface Done {
  readonly kind: 'done';
  readonly listener: number;
  /** The port that is listened on; null where it was taken. */
  readonly port: number | null;
  /** Why it could not be done. */
  readonly failure: string | null;
}

/** A request that is passed on as it arrives, over a port of its own. */
export interface Relayed {
  readonly kind: 'relayed';
  readonly listener: number;
  readonly peer: string | undefined;
  readonly port: MessagePort;
}

/** How late its event loop was since it was last asked: the 99th percentile. */
export interface Lag {
  readonly kind: 'lag';
  readonly seconds: number;
}

/** What the thread tells. */
export type FromThread = Done | Relayed | Lag | readonly WholeRequest[];

/** Longer bodies are relayed. */
const SHORT_BODY = 65_536;
/** Milliseconds that the rest of a short body is waited for before the request is relayed. */
const LATE_BODY_MS = 20;
/** Paths of operations: no page begins so. */
const OPERATION = /^\/v\d/;
/** Headers that concern one connection alone. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'host']);

const main = parentPort as NonNullable<typeof parentPort>;
const tell = (message: FromThread): void => main.postMessage(message);
const listeners = new Map<number, Listener>();
const waiting = new Map<number, ServerResponse>();
let lastId = 0;
let outbox: WholeRequest[] = [];
let arrivals: Arrival[] = [];
const NO_BYTES = Buffer.alloc(0);

/** A request at its door. */
interface Arrival {
  readonly listener: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

main.on('message', (message: ToThread) => {
  if (Array.isArray(message)) (message as readonly WholeAnswer[]).forEach(answer);
  else if ((message as Order | Lag).kind === 'lag') tellLag();
  else void obey(message as Order);
});

const delay = monitorEventLoopDelay();
delay.enable();

function tellLag(): void {
  tell({ kind: 'lag', seconds: delay.percentile(99) / 1e9 });
  delay.reset();
}

async function obey(order: Order): Promise<void> {
  const { listener: number } = order;
  const listener = listeners.get(number) as Listener;
  if (order.kind === 'make') {
    const handle = (request: IncomingMessage, response: ServerResponse): void =>
      take(number, request, response);
    listeners.set(number, makeListener(order.limits, { handle }));
    return;
  }
  if (order.kind === 'drain') return listener.drain();
  let port: number | null = null;
  let failure: string | null = null;
  try {
    if (order.kind === 'listen') port = await listener.listen(order.port, order.address);
    else await listener.close(order.graceMs);
  } catch (error) {
    failure = (error as Error).message;
  }
  tell({ kind: 'done', listener: number, port, failure });
}

function answer([id, status, headers, body]: WholeAnswer): void {
  const response = waiting.get(id);
  waiting.delete(id);
  if (response === undefined || response.destroyed) return;
  response.writeHead(status, headers as string[]);
  if (body === null) response.end();
  else response.end(body);
}

function take(listener: number, request: IncomingMessage, response: ServerResponse): void {
  const arrival: Arrival = { listener, request, response };
  const { headers, url } = request;
  const isShort = Number(headers['content-length'] ?? 0) <= SHORT_BODY;
  const isPlain = headers['transfer-encoding'] === undefined && headers.expect === undefined;
  if (!isShort || !isPlain || !OPERATION.test(url as string)) return relay(arrival, []);
  // By the end of this turn a body is here that was sent with its headers.
  if (arrivals.push(arrival) === 1) setImmediate(passOn);
}

function passOn(): void {
  const turn = arrivals;
  arrivals = [];
  for (const arrival of turn) {
    if (arrival.request.complete) carry(arrival, (arrival.request.read() ?? NO_BYTES) as Buffer);
    else collect(arrival);
  }
  flush();
}

function flush(): void {
  if (outbox.length === 0) return;
  tell(outbox);
  outbox = [];
}

/** Whoever sends a body slowly is relayed, and learns before its end why it is refused. */
function collect(arrival: Arrival): void {
  const { request } = arrival;
  const pieces: Buffer[] = [];
  const onData = (piece: Buffer): void => void pieces.push(piece);
  const onEnd = (): void => {
    clearTimeout(late);
    carry(arrival, Buffer.concat(pieces));
    flush();
  };
  const late = setTimeout(() => {
    request.off('data', onData);
    request.off('end', onEnd);
    request.pause();
    relay(arrival, pieces);
  }, LATE_BODY_MS);
  request.on('data', onData);
  request.on('end', onEnd);
  request.once('close', () => clearTimeout(late));
}

function carry({ listener, request, response }: Arrival, body: Buffer): void {
  lastId += 1;
  waiting.set(lastId, response);
  outbox.push([
    lastId,
    listener,
    request.method as string,
    request.url as string,
    request.httpVersionMinor,
    request.headers.host,
    request.socket.remoteAddress,
    request.rawHeaders,
    body.toString('latin1'),
  ]);
}

/** Sends the request on over a connection of its own, and the answer back, both as they arrive. */
function relay({ listener, request, response }: Arrival, begun: readonly Buffer[]): void {
  if (response.destroyed) return;
  const { port1, port2 } = new MessageChannel();
  const peer = request.socket.remoteAddress;
  main.postMessage({ kind: 'relayed', listener, peer, port: port2 } satisfies FromThread, [port2]);
  const stream = new PortStream(port1);
  // Kept alive: so the main thread closes it where it means to close the client's.
  const own = ['Host', request.headers.host ?? '', 'Connection', 'keep-alive'];
  const forwarded = http.request({
    createConnection: () => stream,
    method: request.method as string,
    path: request.url as string,
    headers: [...own, ...withoutConnection(request.rawHeaders)],
  });
  forwarded.on('continue', () => response.writeContinue());
  forwarded.on('response', (answered) => {
    if (answered.headers.connection === 'close') response.shouldKeepAlive = false;
    response.writeHead(answered.statusCode as number, withoutConnection(answered.rawHeaders));
    answered.pipe(response, { end: false });
    answered.once('end', () => {
      if (request.complete || response.shouldKeepAlive) return void response.end();
      request.unpipe();
      linger(request, response);
    });
    answered.on('error', () => response.destroy());
  });
  forwarded.on('error', () => response.destroy());
  response.once('close', () => stream.destroy());
  for (const piece of begun) forwarded.write(piece);
  request.pipe(forwarded);
}

function withoutConnection(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!OF_CONNECTION.has(name.toLowerCase())) kept.push(name, raw[at + 1] as string);
  }
  return kept;
}
