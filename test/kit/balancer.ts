// Two nodes behind HAProxy with deploy/haproxy.cfg. The suites reach each host of the service by a
// port, where people use names: a frontend for each port leads to that of the file, by its name.
import type { Launched } from '../start/launch.ts';
import type { Ready } from './api.ts';
import { freePort, startProxy } from './haproxy.ts';
import type { Settings } from './platform.ts';
import { startNode } from './platform.ts';

/** Hosts that the proxy does not publish: a suite reaches them at the first node itself. */
const INNER: ReadonlySet<string> = new Set(['internal', 'processor', 'shop']);

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
  const nodePorts = [await freePort(), await freePort()];
  const nodes: { readonly node: Launched; readonly ready: Ready }[] = [];
  for (const port of nodePorts) {
    const node = await startNode({ ...settings, HOLDFAST_PROXY_PORT: String(port) });
    nodes.push({ node, ready: (await node.ready()) as unknown as Ready });
  }
  const [first] = nodes;
  if (first === undefined) throw new Error('there are no nodes');
  const ports: [string, number][] = [];
  for (const host of Object.keys(first.ready.urls).filter((one) => !INNER.has(one))) {
    ports.push([host, await freePort()]);
  }
  const proxy = await startProxy(nodePorts, { more: (port) => names(ports, port) });
  await proxy.serving();
  const urls = Object.fromEntries(ports.map(([host, port]) => [host, `http://127.0.0.1:${port}`]));
  return {
    ready: { ...first.ready, urls: { ...first.ready.urls, ...urls } },
    log: () => nodes.map(({ node }) => node.stderr()).join(''),
    async stop() {
      await proxy.stop();
      for (const { node } of nodes) node.child.kill('SIGTERM');
      const codes = await Promise.all(nodes.map(({ node }) => node.ended));
      if (codes.some((code) => code !== 0)) throw new Error(`nodes ended with ${codes.join()}`);
    },
  };
}

/** A frontend for each host, which names it to the frontend of the file. */
function names(ports: readonly (readonly [string, number])[], port: number): string {
  const frontends = ports.map(([host, own]) => `
frontend ${host}
    bind 127.0.0.1:${own}
    http-request set-header Host ${host}.example.test
    default_backend published
`);
  return `${frontends.join('')}
backend published
    server public 127.0.0.1:${port} ssl verify none
`;
}
