// A server that is killed and restarted on the same data, with its own PostgreSQL unless the
// settings name a database. Real processes and real `kill -9`; nothing is left behind.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/db/index.ts';
import { Api, type Ready } from '../kit/api.ts';
import { dataFolder, faultsOf, startNode, type Settings } from '../kit/platform.ts';
import { remove, tree, type Launched } from '../start/launch.ts';

/** Who is killed: the server's process, its database's processes, or all of them. */
export type Target = 'server' | 'database' | 'both';

export class Victim {
  readonly #dataDir = dataFolder();
  readonly #settings: Settings;
  #node: Launched | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Starts it, or starts it again; gives a client. */
  async start(): Promise<Api> {
    const node = await startNode({ HOLDFAST_DATA_DIR: this.#dataDir, ...this.#settings });
    this.#node = node;
    return Api.open((await node.ready()) as unknown as Ready);
  }

  /** Kills; gives true when it has to be started again. */
  async kill(target: Target): Promise<boolean> {
    const pid = this.#node?.child.pid ?? 0;
    const all = tree(pid);
    if (target === 'database') {
      killAll(all.filter(isPostgres));
      return false;
    }
    killAll(target === 'both' ? all : [pid]);
    await this.#node?.ended;
    return true;
  }

  /** Has its database stand still, or go on. */
  signalDatabase(signal: 'SIGSTOP' | 'SIGCONT'): void {
    killAll(tree(this.#node?.child.pid ?? 0).filter(isPostgres), signal);
  }

  /** A pool on its own PostgreSQL as it runs now. */
  open(): Database {
    const url = readFileSync(join(this.#dataDir, 'staging/server.url'), 'utf8').trim();
    return new Database({ url, max: 2 });
  }

  /** The faults that it has written since its last start. */
  faults(): string[] {
    return faultsOf(this.#node?.stderr() ?? '');
  }

  /** Ends it and removes its data. */
  async end(): Promise<void> {
    this.#node?.child.kill('SIGTERM');
    await this.#node?.ended;
    remove(this.#dataDir);
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}

function killAll(pids: readonly number[], signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended by itself.
    }
  }
}
