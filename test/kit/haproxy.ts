// Debian's HAProxy with deploy/haproxy.cfg and deploy/directory.cfg as they stand: only addresses,
// certificate and map are those of a test.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { ROOT } from '../tidy/tree.ts';
import { selfSigned } from './certificate.ts';

const MAP = '/etc/haproxy/tenants.map';
const UP_WITHIN_MS = 30_000;
const NAME = 'example.test';

/** One certificate for all proxies of a test, so that each trusts the other. */
const CERTIFICATE = selfSigned(NAME);
const FOLDER = mkdtempSync(join(tmpdir(), 'holdfast-haproxy-'));
const PEM = join(FOLDER, 'holdfast.pem');
writeFileSync(PEM, CERTIFICATE.cert + CERTIFICATE.key, { mode: 0o600 });
writeFileSync(join(FOLDER, 'ca.pem'), CERTIFICATE.cert);
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

/** What a client sees. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A call through the proxy. */
export interface Order {
  /** The first label of the name that is called, such as `invoicing`. */
  readonly host: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address of this machine that the client calls from. */
  readonly from?: string;
}

/** A running proxy. */
export interface Proxy {
  readonly port: number;
  /** One request, sent once. Rejects when the connection fails. */
  call(order: Order): Promise<Answer>;
  /** All that comes back for these bytes until it closes the connection. */
  raw(bytes: string): Promise<string>;
  /** Waits until it sends requests to some node. */
  serving(): Promise<void>;
  /** What it wrote: a line for each request. */
  log(): string;
  stop(): Promise<void>;
}

/** What differs from the files, each of which is there exactly once. */
type Changes = readonly (readonly [RegExp, string])[];

/** A file of deploy/ with the addresses and the certificate of a test. */
function configured(name: string, port: number, changes: Changes): string {
  const all: Changes = [
    [/^    log \/dev\/log local0$/m, '    log stdout format raw local0'],
    [/^frontend plain\n(?:    .*\n)+/m, ''],
    [/bind :443 ssl crt \/etc\/haproxy\/holdfast\.pem/, `bind 127.0.0.1:${port} ssl crt ${PEM}`],
    ...changes,
  ];
  return all.reduce((text, [what, by]) => {
    assert.equal(text.match(new RegExp(what, `g${what.flags}`))?.length, 1, String(what));
    return text.replace(what, by);
  }, readFileSync(join(ROOT, 'deploy', name), 'utf8'));
}

/** The two servers of a backend, from the addresses that the file has; without one it is cut. */
function servers([one, two]: readonly number[], first: RegExp, second: RegExp): Changes {
  const further = new RegExp(`(?:    #.*\\n)?    server two ${second.source}\\n`);
  const line = two === undefined ? '' : `    server two 127.0.0.1:${two}\n`;
  return [[first, `127.0.0.1:${one}`], [further, line]];
}

/** What a proxy is started with beside its nodes. */
export interface ProxyOptions {
  /** The address of a proxy in front of it. */
  readonly inFront?: string;
  /** Frontends of the test's own, which lead to those of the file at this port. */
  readonly more?: (port: number) => string;
}

/** Starts that of deploy/haproxy.cfg in front of the ports of one node or two. */
export async function startProxy(
  nodes: readonly number[],
  { inFront, more }: ProxyOptions = {},
): Promise<Proxy> {
  const port = await freePort();
  const text = configured('haproxy.cfg', port, [
    ...servers(nodes, /10\.0\.0\.11:7500/, /10\.0\.0\.12:7500/),
    ...(inFront === undefined ? [] : [[/192\.0\.2\.1/, inFront] as const]),
  ]);
  return run(port, text + (more?.(port) ?? ''));
}

/** Starts that of deploy/directory.cfg in front of the ports of two installations' proxies. */
export async function startDirectory(
  installations: readonly (readonly number[])[],
  map: string,
): Promise<Proxy> {
  const port = await freePort();
  const [first = [], second = []] = installations;
  const file = join(FOLDER, `${port}.map`);
  writeFileSync(file, map);
  const text = configured('directory.cfg', port, [
    ...servers(first, /10\.0\.0\.1:443/, /10\.0\.0\.2:443/),
    ...servers(second, /10\.0\.1\.1:443/, /10\.0\.1\.2:443/),
    [/ca-file \S+/, `ca-file ${join(FOLDER, 'ca.pem')}`],
  ]);
  const placed = text.replaceAll(MAP, file).replaceAll('invoicing.pay.example.com', NAME);
  return run(port, placed);
}

async function run(port: number, text: string): Promise<Proxy> {
  const file = join(FOLDER, `${port}.cfg`);
  writeFileSync(file, text);
  const checked = spawnSync('haproxy', ['-c', '-V', '-f', file], { encoding: 'utf8' });
  assert.match(checked.stdout + checked.stderr, /Configuration file is valid/);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => (log += piece));
  }
  const agent = new Agent({ keepAlive: true, ca: CERTIFICATE.cert, servername: NAME });
  const call = (order: Order): Promise<Answer> => send(order, port, agent);
  const serving = async (): Promise<void> => {
    const end = Date.now() + UP_WITHIN_MS;
    const asked = { host: 'invoicing', path: '/openapi.json' };
    for (;;) {
      const status = await call(asked).then((answer) => answer.status, () => 0);
      if (status !== 0 && status !== 503) return;
      assert.ok(Date.now() < end, `no node behind the proxy: ${log}`);
      await sleep(100);
    }
  };
  const stop = async (): Promise<void> => {
    agent.destroy();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { port, call, raw: (bytes) => sendRaw(bytes, port), serving, log: () => log, stop };
}

function sendRaw(bytes: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca: CERTIFICATE.cert, servername: NAME });
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.once('close', () => resolve(text)).once('error', reject);
    socket.write(bytes);
  });
}

function send(order: Order, port: number, agent: Agent): Promise<Answer> {
  const { host, method = 'GET', path, headers, body, from } = order;
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ agent, method, path, hostname: '127.0.0.1', port },
      ...(from === undefined ? {} : { localAddress: from }),
      headers: { host: `${host}.${NAME}`, ...headers },
    });
    sent.once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.once('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
