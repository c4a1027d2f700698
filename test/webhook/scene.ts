// A database, a workspace and receivers for webhook tests; events appear as the sealing loop makes
// them: gapless, in one transaction with their deliveries.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { outboundHttp } from '../../src/providers/outbound/http.ts';
import { startTestServer, testServer, oldestBinaries } from '../../src/db/embedded/test-server.ts';
import { Database } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { deliveryLoop, fanOut } from '../../src/product/tell/webhook/index.ts';
import type { DeliveryLoop, DeliveryOptions } from '../../src/product/tell/webhook/index.ts';
import { Records, Stream } from '../../src/outbox/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Keys } from '../../src/providers/keys/port.ts';
import type { Outbound } from '../../src/providers/outbound/port.ts';

/** Keys under a master key in memory. */
export function memoryKeys(master = randomBytes(32)): Keys {
  return {
    async wrap(key, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(key), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    async unwrap(wrapped, context) {
      const bytes = Buffer.from(wrapped, 'base64');
      const open = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, 12));
      open.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([open.update(bytes.subarray(28)), open.final()]);
    },
    mac: (purpose, text) => createHmac('sha256', master).update(`${purpose}:${text}`).digest('hex'),
    lineageOf: (workspace) => workspace,
  };
}

/** One request that a receiver got. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: { event_id: string; sequence: number; message: { resource: string; n: number } };
  /** Milliseconds since the process began. */
  readonly at: number;
}

/** What a receiver answers. `hang`: nothing, until it is closed. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly hang?: true;
}

/** A local receiver that remembers what it got. */
export interface Receiver {
  readonly url: string;
  readonly got: Received[];
  close(): Promise<void>;
}

export async function receiver(reply: (request: Received) => Reply): Promise<Receiver> {
  const got: Received[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const one = {
        headers: request.headers,
        body,
        event: JSON.parse(body) as Received['event'],
        at: performance.now(),
      };
      got.push(one);
      const answer = reply(one);
      if (answer.hang === true) return;
      response.writeHead(answer.status, { 'content-type': 'text/plain', ...answer.headers });
      response.end(answer.body ?? '');
    });
  });
  server.keepAliveTimeout = 60_000;
  // A failed test leaves its receiver open; it may not keep the process alive.
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A token like the auth host's; `life` in seconds. */
export async function signToken(endpointId: string, life = 3600): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(endpointId)
    .setExpirationTime(`${life} seconds`)
    .sign(new Uint8Array(32));
}

/** Everything a test needs. */
export interface Scene {
  readonly env: 'staging';
  readonly db: Database;
  readonly databaseUrl: string;
  /** For another process on the same database. */
  readonly master: Buffer;
  readonly keys: Keys;
  readonly random: typeof systemRandom;
  readonly outbound: Outbound;
  readonly stream: Stream;
  readonly integrator: string;
  readonly workspace: number;
  /** Creates a further tenant's workspace. */
  addWorkspace(): Promise<{ workspace: number; integrator: string }>;
  /** Seals one event per resource, in order, with its deliveries; gives event ids. */
  seal(workspace: number, resources: readonly string[], name?: string): Promise<string[]>;
  loop(options?: Partial<DeliveryOptions>): DeliveryLoop;
  end(): Promise<void>;
}

/** A new database with one workspace; on Debian's PostgreSQL 15 with `HOLDFAST_TEST_OLDEST=1`. */
export async function scene(): Promise<Scene> {
  const oldest = process.env['HOLDFAST_TEST_OLDEST'] === '1' ? oldestBinaries() : null;
  const server = oldest === null ? await testServer() : await startTestServer(oldest);
  const url = new URL(server.url);
  const name = `webhook_${randomBytes(6).toString('hex')}`;
  const admin = new Database({ url: server.url, max: 1 });
  await admin.execute(`create database ${name}`);
  url.pathname = `/${name}`;
  const db = new Database({ url: url.href, max: 8 });
  await migrate(db, new URL('../../migrations/', import.meta.url));
  const loops: DeliveryLoop[] = [];
  const outbound = outboundHttp({ env: 'staging' });
  const master = randomBytes(32);
  const keys = memoryKeys(master);
  const stream = new Stream(db, new Records([]), 'staging');
  const services = { env: 'staging' as const, db, keys, random: systemRandom, outbound, stream };
  const first = await addWorkspace(db);
  return {
    ...services,
    ...first,
    databaseUrl: url.href,
    master,
    addWorkspace: () => addWorkspace(db),
    seal: (workspace, resources, event = 'invoice-completed') =>
      seal(db, workspace, resources, event),
    loop(options = {}) {
      const loop = deliveryLoop(services, {
        signToken,
        scheduleSeconds: [0.01, 0.02, 0.03],
        pollMs: 20,
        timeoutMs: 2000,
        stopMs: 200,
        onFault: (error) => console.error('fault', error),
        ...options,
      });
      loops.push(loop);
      return loop;
    },
    async end() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await outbound.close();
      await db.close();
      await admin.execute(`drop database ${name} with (force)`);
      await admin.close();
      await server.stop();
    },
  };
}

async function addWorkspace(db: Database): Promise<{ workspace: number; integrator: string }> {
  const integrator = systemRandom.uuid();
  await db.execute({ text: `insert into tenant values ($1, 'T')`, values: [integrator] });
  const [row] = await db.query<{ workspace: number }>({
    text: 'insert into workspace (integrator) values ($1) returning workspace',
    values: [integrator],
  });
  const workspace = (row as { workspace: number }).workspace;
  await db.execute({ text: 'insert into seal (workspace) values ($1)', values: [workspace] });
  return { workspace, integrator };
}

const resourceCounts = new Map<string, number>();

async function seal(
  db: Database,
  workspace: number,
  resources: readonly string[],
  name: string,
): Promise<string[]> {
  const ids = resources.map(() => systemRandom.uuid());
  await db.transaction(async (tx) => {
    const [row] = await tx.query<{ first: bigint }>({
      text: `update seal set sequence = sequence + $2 where workspace = $1
        returning sequence - $2 + 1 as first`,
      values: [workspace, resources.length],
    });
    const first = (row as { first: bigint }).first;
    const numbers = resources.map((resource) => {
      const n = (resourceCounts.get(resource) ?? 0) + 1;
      resourceCounts.set(resource, n);
      return n;
    });
    const bodies = resources.map((resource, at) =>
      JSON.stringify({
        event_id: ids[at],
        event_name: name,
        bucket_key: 'staging',
        sequence: Number(first) + at,
        resource_version: numbers[at],
        message: { resource, n: numbers[at] },
      }),
    );
    await tx.execute({
      text: `insert into event
        select $1, $2 + i - 1, event_id, $3, resource_id, version, clock_timestamp(), body
        from unnest($4::uuid[], $5::uuid[], $6::integer[], $7::text[])
          with ordinality as u(event_id, resource_id, version, body, i)`,
      values: [workspace, first, name, ids, resources, numbers, bodies],
    });
    const sealed = resources.map((resource, at) => ({
      workspace,
      sequence: first + BigInt(at),
      name,
      resource_id: resource,
    }));
    await tx.execute(fanOut(sealed));
  });
  return ids;
}

/** How many deliveries of a workspace are in each state. */
export async function states(db: Database, workspace: number): Promise<Record<string, number>> {
  const rows = await db.query<{ state: string; n: number }>({
    text: 'select state, count(*)::integer as n from delivery where workspace = $1 group by state',
    values: [workspace],
  });
  return Object.fromEntries(rows.map((row) => [row.state, row.n]));
}

/** Waits until a condition holds; fails after `ms`. */
export async function until(ms: number, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not happen within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
