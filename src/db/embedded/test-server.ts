// The PostgreSQL of the tests: one throwaway server for all files of a run, started by `npm test`;
// a file run by hand starts its own. Each test creates its own databases. Nothing survives, so
// fsync is off.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from './index.ts';
import type { Binaries } from './binaries.ts';

/** Environment variable that gives test files the server's URL. */
export const TEST_URL_VARIABLE = 'HOLDFAST_TEST_DATABASE_URL';
/** Its major version, for what a test prints. */
export const TEST_MAJOR_VARIABLE = 'HOLDFAST_TEST_DATABASE_MAJOR';

// Versions in Debian's folders, oldest first; the SQL keeps to what the first one knows.
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

/** The oldest supported PostgreSQL as Debian installs it; null if absent. */
export function oldestBinaries(): Binaries | null {
  for (const major of OLDER_MAJORS) {
    const bin = `/usr/lib/postgresql/${major}/bin`;
    if (existsSync(join(bin, 'postgres'))) return { bin, major };
  }
  return null;
}

/** Starts a throwaway server from npm's PostgreSQL or the programs given. */
export async function startTestServer(binaries: Binaries | null): Promise<TestServer> {
  const server = await startEmbedded({
    dataDir: mkdtempSync(join(tmpdir(), 'holdfast-test-')),
    programsDir: join(import.meta.dirname, '../../../.holdfast/programs'),
    ephemeral: true,
    durable: false,
    log: () => {},
    ...(binaries === null ? {} : { binaries }),
  });
  return { url: server.ownerUrl, major: server.major, stop: () => server.stop() };
}
