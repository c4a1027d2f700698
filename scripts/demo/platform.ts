// A whole platform for one story: database, hosts and workers as `npm start` runs them, on ports of
// the system's choice, and a receiver for its events. Answers for leaving nothing behind.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/db/index.ts';
import { startEmbedded } from '../../src/db/embedded/index.ts';
import { startSystem } from '../../src/system.ts';

/** An event as it arrived: the exact bytes that were signed. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The platform of one story. */
export interface Platform {
  /** What the ready line says. */
  readonly ready: Ready;
  /** For looking at the books behind the interface. */
  readonly db: Database;
  /** The first event that fits, waited for up to ten seconds. */
  event(fits: (body: EventBody) => boolean): Promise<Received>;
  stop(): Promise<void>;
}

/** The parts of the ready line that the story uses. */
export interface Ready {
  readonly urls: Readonly<Record<string, string>>;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly webhook: { readonly secret: string };
  readonly accounts: Readonly<Record<'buyer' | 'seller', Readonly<Record<string, string>>>>;
}

/** The parts of an event that the story uses. */
export interface EventBody {
  readonly event_name: string;
  readonly sequence: number;
  readonly message: Readonly<Record<string, unknown>>;
}

const WAIT_MS = 10_000;

/** Starts it; on a database that is named, or on an embedded one that is thrown away. */
export async function startPlatform(databaseUrl: string | null): Promise<Platform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
  const server =
    databaseUrl === null
      ? await startEmbedded({
          dataDir,
          programsDir: join(import.meta.dirname, '../../.holdfast/programs'),
          ephemeral: true,
          log: () => {},
        })
      : null;
  const url = server?.url ?? databaseUrl ?? '';
  const receiver = await receive();
  const system = await startSystem({
    env: 'staging',
    databaseUrl: url,
    portBase: 0,
    forwardTo: receiver.url,
    dataDir,
    ephemeral: true,
    log: () => {},
  });
  const db = new Database({ url, max: 1 });
  return {
    ready: system.ready as unknown as Ready,
    db,
    event: (fits) => receiver.first(fits),
    async stop() {
      await db.close();
      await system.stop();
      await receiver.close();
      await server?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface Receiver {
  readonly url: string;
  first(fits: (body: EventBody) => boolean): Promise<Received>;
  close(): Promise<void>;
}

async function receive(): Promise<Receiver> {
  const received: Received[] = [];
  let arrived = (): void => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
      arrived();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    async first(fits) {
      const deadline = AbortSignal.timeout(WAIT_MS);
      for (;;) {
        const found = received.find(({ body }) => fits(JSON.parse(body) as EventBody));
        if (found !== undefined) return found;
        await new Promise<void>((done, fail) => {
          arrived = done;
          deadline.onabort = () => fail(new Error('the event did not arrive in ten seconds'));
        });
      }
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
