// The embedded PostgreSQL: a real server from npm, started beside Holdfast when no DATABASE_URL
// names another [G-05]. At most one per data directory, and it never outlives its owner.
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findPackage, provideBinaries } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { keepCluster } from './supervisor.ts';
import { isLocked, lockDirectory } from './lock.ts';
import type { Operator } from './operator.ts';
import { findOperator } from './operator.ts';
import { letPass, openDirectory, placeCluster, placePrograms } from './folders.ts';
import { sweepAfter } from './parent-watchdog.ts';
import { makeServerRole, serverUrl } from './server-role.ts';

export { openDirectory } from './folders.ts';
export { serverUrl } from './server-role.ts';
export { sweepAfter } from './parent-watchdog.ts';

// A previous process that was told to stop may still be stopping.
const LOCK_WAIT_MS = 3_000;

/** What to start. */
export interface EmbeddedOptions {
  /** Data lies below it, in a folder named by PostgreSQL's major version. */
  readonly dataDir: string;
  /** The data directory is removed at the end, also after SIGKILL. */
  readonly ephemeral: boolean;
  /** Where the copy of the programs lies; default: beside the data directory. */
  readonly programsDir?: string;
  /** Other programs than npm's, for the tests on Debian's PostgreSQL. */
  readonly binaries?: Binaries;
  /** False only in tests: no fsync. */
  readonly durable?: boolean;
  log(line: string): void;
}

/** A running embedded server. */
export interface EmbeddedServer {
  /** A connection URL for `pg` and libpq's programs; it holds the password of the server's role. */
  readonly url: string;
  /** The same as the owner of everything. */
  readonly ownerUrl: string;
  /** PostgreSQL's major version. */
  readonly major: number;
  /** Stops the server; removes the data directory if it is ephemeral. */
  stop(): Promise<void>;
  /** Resolves when the server has ended for good: stopped, or given up after repeated crashes. */
  readonly ended: Promise<number>;
}

const ADDRESS = 'server.url';

/**
 * The server for a short command: the running one if another Holdfast holds the data directory,
 * else one started for the command. Fails as `startEmbedded` does.
 */
export async function joinEmbedded(
  options: EmbeddedOptions,
): Promise<Pick<EmbeddedServer, 'url' | 'ownerUrl' | 'stop'>> {
  const address = join(resolve(options.dataDir), ADDRESS);
  if (isLocked(resolve(options.dataDir)) && existsSync(address)) {
    const ownerUrl = readFileSync(address, 'utf8').trim();
    return { url: serverUrl(ownerUrl), ownerUrl, stop: async () => {} };
  }
  return startEmbedded(options);
}

/**
 * Starts the server of a data directory and waits until it takes connections. Fails with one
 * sentence for the operator: directory in use, other major version, out of reach, or no start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  openDirectory(dataDir);
  const operator = findOperator();
  letPass(dataDir, operator);
  const lock = await lockDirectory(dataDir, LOCK_WAIT_MS);
  try {
    const binaries = options.binaries ?? npmBinaries(options, dataDir, operator);
    const folder = placeCluster(dataDir, binaries.major, operator);
    const owner = ownerOf(folder, operator);
    const folders = folder.startsWith(`${dataDir}/`) ? [dataDir] : [dirname(folder), dataDir];
    const sweeper = options.ephemeral ? sweepAfter(folders) : null;
    const cluster = await keepCluster({
      binaries,
      operator: owner,
      folder,
      logPath: join(dataDir, `postgres-${binaries.major}.log`),
      durable: options.durable ?? true,
      held: sweeper?.pipe ?? null,
      log: options.log,
    });
    await makeServerRole(cluster.url);
    const address = join(dataDir, ADDRESS);
    writeFileSync(address, `${cluster.url}\n`, { mode: 0o600 });
    return {
      url: serverUrl(cluster.url),
      ownerUrl: cluster.url,
      major: binaries.major,
      ended: cluster.ended,
      async stop() {
        rmSync(address, { force: true });
        await cluster.stop();
        lock.release();
        await sweeper?.stop();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function npmBinaries(options: EmbeddedOptions, dataDir: string, operator: Operator): Binaries {
  const preferred = options.programsDir ?? join(dirname(dataDir), 'programs');
  return provideBinaries(findPackage(), placePrograms(preferred, operator), operator);
}

/** An existing cluster keeps its owner: root runs it as that account, anybody else is refused. */
function ownerOf(folder: string, operator: Operator): Operator {
  let found: { uid: number; gid: number };
  try {
    found = lstatSync(folder);
  } catch {
    return operator;
  }
  if (operator.switchTo !== null && found.uid !== 0) {
    return { switchTo: { uid: found.uid, gid: found.gid } };
  }
  if (operator.switchTo === null && found.uid !== process.getuid?.()) {
    throw new Error(
      `The cluster ${folder} belongs to uid ${found.uid}, not to you: start as that account, ` +
        'or set HOLDFAST_DATA_DIR to a directory of your own.',
    );
  }
  return operator;
}
