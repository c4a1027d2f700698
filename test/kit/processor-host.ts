// The provider simulators on a loopback port with their own database; a test can stop and restart
// them on the same records. The product serves them by its own hosts.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Database } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { testServer } from '../../src/db/embedded/test-server.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Answer, OperationRequest } from '../../src/core/operation.ts';
import { Refusal } from '../../src/core/refusal.ts';
import type { Keys } from '../../src/providers/keys/port.ts';
import type { SandboxProcessorServices } from '../../src/sandbox/simulators/processor/index.ts';
import { operations as processor } from '../../src/sandbox/simulators/processor/index.ts';
import { operations as vendor } from '../../src/sandbox/simulators/vendor/index.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const CONNECTIONS = 10;

/** Keys that wrap nothing: the processor only asks for keyed hashes. */
export const testKeys: Keys = {
  wrap: () => Promise.reject(new Error('not wanted here')),
  unwrap: () => Promise.reject(new Error('not wanted here')),
  mac: (purpose, text) => createHmac('sha256', purpose).update(text).digest('hex'),
  lineageOf: (workspace) => workspace,
};

/** A database with every migration. */
export interface TestBook {
  readonly url: string;
  /** Drops the database; ends the server if this call started it. */
  drop(): Promise<void>;
}

/** Makes an empty book. */
export async function openBook(): Promise<TestBook> {
  const server = await testServer();
  const admin = new Database({ url: server.url, max: 1 });
  const name = `processor_${randomUUID().replaceAll('-', '')}`;
  await admin.execute(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const db = new Database({ url: url.href, max: 1 });
  await migrate(db, MIGRATIONS);
  await db.close();
  return {
    url: url.href,
    async drop() {
      await admin.execute(`drop database ${name} with (force)`);
      await admin.close();
      await server.stop();
    },
  };
}

/** A running processor. */
export interface TestHost {
  readonly url: string;
  readonly db: Database;
  /** Stops listening and closes the pool; the book stays. */
  close(): Promise<void>;
}

/** Serves a book; `delay` stands for the passing of time. */
export async function openHost(
  book: TestBook,
  delay: SandboxProcessorServices['delay'],
): Promise<TestHost> {
  const db = new Database({ url: book.url, max: CONNECTIONS });
  const urls = { processor: '', widget: 'http://widget.test', hosted: 'http://hosted.test' };
  const framesOf = async (): Promise<readonly string[]> => [];
  const services = { db, keys: testKeys, random: systemRandom, delay, urls, framesOf };
  const server = createServer((request, response) => {
    void serve(services, request).then((answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(JSON.stringify(answer.bare));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  urls.processor = `http://127.0.0.1:${port}`;
  return {
    url: urls.processor,
    db,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await db.close();
    },
  };
}

async function serve(
  services: SandboxProcessorServices,
  request: IncomingMessage,
): Promise<Answer> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return await route(services, request, Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    if (error instanceof Refusal) {
      return { status: error.spec.status, bare: { message: error.spec.code } };
    }
    return { status: 500, bare: { message: String(error) } };
  }
}

async function route(
  services: SandboxProcessorServices,
  request: IncomingMessage,
  body: string,
): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://processor');
  for (const operation of [...processor, ...vendor]) {
    if (operation.method !== request.method) continue;
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(url.pathname);
    if (match === null) continue;
    const params = operation.params.safeParse({ ...match.groups });
    const query = operation.query.safeParse(Object.fromEntries(url.searchParams));
    const read = operation.body?.safeParse(body === '' ? {} : JSON.parse(body));
    if (!params.success || !query.success || read?.success === false) {
      return { status: 400, bare: { message: 'INPUT_ERROR' } };
    }
    const input = { params: params.data, query: query.data, body: read?.data };
    const rest = { caller: null, idempotency: null, headers: request.headers };
    const asked = { ...input, ...rest } as unknown;
    const answer = await operation.run(
      services,
      asked as OperationRequest<unknown, unknown, unknown>,
    );
    const declared = operation.answers[answer.status];
    if (!declared?.safeParse(answer.bare).success) throw new Error(`undeclared: ${operation.id}`);
    return answer;
  }
  return { status: 404, bare: { message: 'NOT_FOUND' } };
}
