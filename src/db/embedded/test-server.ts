// The PostgreSQL that tests speak to. Answers for one throwaway server shared by all test files of
// a run: `npm test` starts it and names it in the environment, a file run by hand starts its own.
// Tests make databases of their own on it; nothing here survives, so fsync is off.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from './index.ts';
import type { Binaries } from './binaries.ts';

/** Names the run's server to its test files. */
export const TEST_URL_VARIABLE = 'HOLDFAST_TEST_DATABASE_URL';
/** Its major version, for what a test prints. */
export const TEST_MAJOR_VARIABLE = 'HOLDFAST_TEST_DATABASE_MAJOR';

// Debian's folders; the first one found is used. The SQL keeps to what the first one knows.
const OLDER_MAJORS = [15, 16, 17];

/** A server for tests; the URL's account may create databases. */
export interface TestServer {
  readonly url: string;
  readonly major: number;
  /** Stops the server if this call started it; the run's own server stays. */
  stop(): Promise<void>;
}

/** The run's server, or a new one that ends with this process at the latest. */
export async function testServer(): Promise<TestServer> {
  const url = process.env[TEST_URL_VARIABLE];
  if (url !== undefined && url !== '') {
    return { url, major: Number(process.env[TEST_MAJOR_VARIABLE] ?? 0), stop: async () => {} };
  }
  return startTestServer(null);
}

/** The oldest PostgreSQL that we support, as Debian installs it; null where it is absent. */
export function oldestBinaries(): Binaries | null {
  for (const major of OLDER_MAJORS) {
    const bin = `/usr/lib/postgresql/${major}/bin`;
    if (existsSync(join(bin, 'postgres'))) return { bin, major };
  }
  return null;
}

/** Starts a throwaway server: npm's PostgreSQL, or these programs. */
export async function startTestServer(binaries: Binaries | null): Promise<TestServer> {
  const server = await startEmbedded({
    dataDir: mkdtempSync(join(tmpdir(), 'holdfast-test-')),
    programsDir: join(import.meta.dirname, '../../../.holdfast/programs'),
    ephemeral: true,
    durable: false,
    log: () => {},
    ...(binaries === null ? {} : { binaries }),
  });
  return { url: server.url, major: server.major, stop: () => server.stop() };
}
