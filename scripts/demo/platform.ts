// A whole platform for one story: database, hosts and workers as under `npm start`, on ports of the
// system's choice, with a receiver for its events and the operator's command line. It leaves
// nothing behind.
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../src/cli/program.ts';
import { Database } from '../../src/db/index.ts';
import { startEmbedded } from '../../src/db/embedded/index.ts';
import { openInstallation, startSystem } from '../../src/system.ts';

/** An event as it arrived: the exact bytes that were signed. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The platform of one story. */
export interface Platform {
  /** Contents of the ready line. */
  readonly ready: Ready;
  /** For reading the ledger behind the interface. */
  readonly db: Database;
  /** The first matching event, awaited for up to ten seconds by default. */
  event(fits: Fits, withinMs?: number): Promise<Received>;
  /** Number of matching events that arrived; one posted again counts once. */
  count(fits: Fits): number;
  /** Runs `holdfast` on the same data with `--json`; returns its output, fails as it does. */
  holdfast(...args: readonly string[]): Promise<Record<string, unknown>>;
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

type Fits = (body: EventBody) => boolean;

const WAIT_MS = 10_000;

/**
 * Starts the platform on the named database, or on an embedded one that is thrown away. `say`
 * receives progress lines.
 */
export async function startPlatform(
  databaseUrl: string | null,
  say: (line: string) => void = () => {},
): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
  // Where the command line looks for this environment's data.
  const dataDir = join(folder, 'staging');
  mkdirSync(dataDir);
  const server =
    databaseUrl === null
      ? await startEmbedded({
          dataDir,
          programsDir: join(import.meta.dirname, '../../.holdfast/programs'),
          ephemeral: true,
          log: say,
        })
      : null;
  const url = server?.url ?? databaseUrl ?? '';
  const receiver = await receive();
  const system = await startSystem({
    env: 'staging',
    databaseUrl: url,
    ownerUrl: server?.ownerUrl ?? null,
    portBase: 0,
    forwardTo: receiver.url,
    dataDir,
    ephemeral: true,
    log: say,
  });
  const db = new Database({ url: server?.ownerUrl ?? url, max: 1 });
  return {
    ready: system.ready as unknown as Ready,
    db,
    event: (fits, withinMs) => receiver.first(fits, withinMs),
    count: (fits) => receiver.count(fits),
    holdfast: (...args) => holdfast({ DATABASE_URL: url, HOLDFAST_DATA_DIR: folder }, args),
    async stop() {
      await db.close();
      await system.stop();
      await receiver.close();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What `src/main.ts` does, in this process. */
async function holdfast(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Record<string, unknown>> {
  let printed = '';
  let said = '';
  const code = await runProgram([...args, '--json'], {
    environment,
    home: tmpdir(),
    print: (text) => void (printed += text),
    say: (line) => void (said += line),
    colours: false,
    startSystem,
    openInstallation,
    asked: new Promise(() => {}),
  });
  if (code !== 0) throw new Error(`holdfast ${args.join(' ')}: ${said} ${printed}`);
  return JSON.parse(printed) as Record<string, unknown>;
}

interface Receiver {
  readonly url: string;
  first(fits: Fits, withinMs?: number): Promise<Received>;
  count(fits: Fits): number;
  close(): Promise<void>;
}

async function receive(): Promise<Receiver> {
  const received: Received[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
      arrivals.emit('event');
    });
  });
  const fitting = (fits: Fits): Received[] =>
    received.filter(({ body }) => fits(JSON.parse(body) as EventBody));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    async first(fits, withinMs = WAIT_MS) {
      const signal = AbortSignal.timeout(withinMs);
      for (;;) {
        const found = fitting(fits)[0];
        if (found !== undefined) return found;
        await once(arrivals, 'event', { signal }).catch((cause: unknown) => {
          throw new Error(`an event did not arrive in ${withinMs} ms`, { cause });
        });
      }
    },
    count: (fits) => new Set(fitting(fits).map(({ headers }) => headers['webhook-id'])).size,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
