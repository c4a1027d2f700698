// Debian's HAProxy with deploy/haproxy.cfg, or deploy/directory.cfg, as it stands: only addresses,
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
import { ROOT } from '../tidy/tree.ts';
import { selfSigned } from './certificate.ts';

const CONFIGURATION = join(ROOT, 'deploy/haproxy.cfg');
const DIRECTORY = join(ROOT, 'deploy/directory.cfg');
const MAP = '/etc/haproxy/tenants.map';
const UP_WITHIN_MS = 30_000;

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
  /** One request, sent once. Rejects when the connection fails. */
  call(order: Order): Promise<Answer>;
  /** Waits until it sends requests to some node. */
  serving(): Promise<void>;
  /** What it wrote: a line for each request. */
  log(): string;
  stop(): Promise<void>;
}

/** The configuration for these two nodes, with each of its places changed exactly once. */
function configurationFor(port: number, pem: string, nodes: readonly number[]): string {
  const [one, two = one] = nodes;
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^    log \/dev\/log local0$/m, '    log stdout format raw local0'],
    [/^frontend plain\n(?:    .*\n)+/m, ''],
    [/bind :443 ssl crt \S+/, `bind 127.0.0.1:${port} ssl crt ${pem}`],
    [/server one \S+/, `server one 127.0.0.1:${one}`],
    [/server two \S+/, `server two 127.0.0.1:${two}`],
  ];
  return changes.reduce((text, [what, by]) => {
    assert.equal(text.match(new RegExp(what, `g${what.flags}`))?.length, 1, String(what));
    return text.replace(what, by);
  }, readFileSync(CONFIGURATION, 'utf8'));
}

/** The configuration for one node of each of two installations, with each place changed once. */
function directoryFor(port: number, pem: string, nodes: readonly number[], map: string): string {
  const changes: readonly (readonly [string, string])[] = [
    ['log /dev/log local0', 'log stdout format raw local0'],
    [':443 ssl crt /etc/haproxy/holdfast.pem', `127.0.0.1:${port} ssl crt ${pem}`],
    ['10.0.0.11:7500', `127.0.0.1:${nodes[0]}`],
    ['10.0.1.11:7500', `127.0.0.1:${nodes[1]}`],
  ];
  const text = readFileSync(DIRECTORY, 'utf8').replaceAll(MAP, map);
  return changes.reduce((changed, [what, by]) => {
    assert.equal(changed.split(what).length, 2, what);
    return changed.replace(what, by);
  }, text);
}

/**
 * Starts it in front of the ports of two nodes; with a map, of one node of each of two
 * installations.
 */
export async function startProxy(nodes: readonly number[], map?: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-haproxy-'));
  const { key, cert } = selfSigned('example.test');
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  const pem = join(folder, 'holdfast.pem');
  writeFileSync(pem, cert + key, { mode: 0o600 });
  const names = join(folder, 'tenants.map');
  writeFileSync(names, map ?? '');
  const text =
    map === undefined ? configurationFor(port, pem, nodes) : directoryFor(port, pem, nodes, names);
  writeFileSync(file, text);
  const checked = spawnSync('haproxy', ['-c', '-V', '-f', file], { encoding: 'utf8' });
  assert.match(checked.stdout + checked.stderr, /Configuration file is valid/);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => (log += piece));
  }
  const agent = new Agent({ keepAlive: true, ca: cert, servername: 'example.test' });
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
    rmSync(folder, { recursive: true });
  };
  return { call, serving, log: () => log, stop };
}

function send(order: Order, port: number, agent: Agent): Promise<Answer> {
  const { host, method = 'GET', path, headers, body, from } = order;
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ agent, method, path, hostname: '127.0.0.1', port },
      ...(from === undefined ? {} : { localAddress: from }),
      headers: { host: `${host}.example.test`, ...headers },
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
