// HAProxy in front of two nodes, by the file in deploy/ha. The suites reach each host of the
// service by a port, where people use names; what makes ports of them is a second file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKOUT, freeBlock, launch, type Launched } from '../start/launch.ts';
import type { Ready } from './api.ts';
import type { Settings } from './platform.ts';
import { startNode } from './platform.ts';

/** Two nodes and their balancer. */
export interface Balanced {
  /** As of one node, with the balancer's addresses. */
  readonly ready: Ready;
  /** What the nodes wrote on stderr. */
  log(): string;
  /** Fails unless both nodes end well. */
  stop(): Promise<void>;
}

/** Starts two nodes one after the other, and HAProxy in front. */
export async function startBalanced(settings: Settings): Promise<Balanced> {
  const base = await freeBlock();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-balancer-'));
  const [listen, ...nodePorts] = [base, base + 1, base + 2];
  const nodes: { readonly node: Launched; readonly ready: Ready }[] = [];
  for (const port of nodePorts) {
    const node = await startNode({ ...settings, HOLDFAST_PROXY_PORT: String(port) });
    nodes.push({ node, ready: (await node.ready()) as unknown as Ready });
  }
  const [first] = nodes;
  if (first === undefined) throw new Error('there are no nodes');
  const ports = Object.keys(first.ready.urls).map((host, at): [string, number] => {
    return [host, base + 3 + at];
  });
  const names = join(folder, 'names.cfg');
  const frontends = ports.map(([host, port]) => `frontend ${host}
  mode http
  timeout client 60s
  bind 127.0.0.1:${port}
  http-request set-header Host ${host}.holdfast
  default_backend holdfast
`);
  writeFileSync(names, frontends.join(''));
  const [one, two] = nodePorts.map((port) => `127.0.0.1:${port}`);
  const proxy = launch({
    command: 'haproxy',
    args: ['-db', '-f', join(CHECKOUT, 'deploy/ha/haproxy.cfg'), '-f', names],
    env: { LISTEN: `127.0.0.1:${listen}`, NODE_1: one ?? '', NODE_2: two ?? '' },
  });
  const urls = Object.fromEntries(ports.map(([host, port]) => [host, `http://127.0.0.1:${port}`]));
  const isReady = (): Promise<boolean> => {
    return fetch(`${urls['internal']}/readyz`).then(({ ok }) => ok, () => false);
  };
  for (let n = 0; n < 100 && !(await isReady()); n += 1) await pause(100);
  return {
    ready: { ...first.ready, urls: urls as Ready['urls'] },
    log: () => nodes.map(({ node }) => node.stderr()).join(''),
    async stop() {
      proxy.child.kill('SIGTERM');
      await proxy.ended;
      for (const { node } of nodes) node.child.kill('SIGTERM');
      const codes = await Promise.all(nodes.map(({ node }) => node.ended));
      rmSync(folder, { recursive: true, force: true });
      if (codes.some((code) => code !== 0)) throw new Error(`nodes ended with ${codes.join()}`);
    },
  };
}
