// Three hosts of a database as in deploy/ha, each a network namespace with etcd, Patroni and
// PostgreSQL from Debian's packages. A host can be killed, frozen, or cut off without a word. Needs
// root.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKOUT } from '../start/launch.ts';

type Environment = Readonly<Record<string, string>>;

export const DEPLOY = join(CHECKOUT, 'deploy/ha');
/** The user that everything of a host runs as. */
export const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
const BRIDGE = 'holdfast-ha';
/** A range for documentation: it leads nowhere else. */
const NETWORK = '198.51.100.';
const HEALTHY_MS = 120_000;

/** Runs a program to its end; what it printed. */
export function done(command: string, args: readonly string[], env: Environment = {}): string {
  const ran = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  assert.equal(ran.status, 0, `${command} ${args.join(' ')}: ${ran.error ?? ran.stderr}`);
  return ran.stdout;
}

const ip = (line: string): string => done('ip', line.split(' '));

/** The lines of the page's blocks that begin so, with what differs here. */
export function pageLines(start: string, here: Environment = {}): string[] {
  const page = readFileSync(join(CHECKOUT, 'docs/high-availability.md'), 'utf8');
  const lines = page.split('\n').filter((line) => line.startsWith(start));
  assert.ok(lines.length > 0, `the page has no line that begins with ${start}`);
  return lines.map((line) => {
    return Object.entries(here).reduce((text, [there, own]) => text.replaceAll(there, own), line);
  });
}

/** As Patroni shows a member. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | 'unknown';
}

export class Host {
  readonly name: string;
  readonly address: string;
  /** Its data directory. */
  readonly data: string;
  readonly env: Environment;
  readonly #folder: string;

  constructor(at: number, folder: string) {
    this.name = 'abc'[at] ?? '';
    this.address = `${NETWORK}${11 + at}`;
    this.#folder = join(folder, this.name);
    this.data = join(this.#folder, 'data');
    mkdirSync(this.#folder);
    const patroni = readFileSync(join(DEPLOY, 'patroni.yml'), 'utf8');
    const own = patroni
      .replace('/var/run/postgresql', this.#folder)
      .replace('/var/lib/postgresql/', `${this.#folder}/`);
    writeFileSync(join(this.#folder, 'patroni.yml'), own);
    done('chown', ['-R', 'postgres', this.#folder]);
    this.env = this.#settings(folder);
    ip(`netns add ${this.#space}`);
    ip(`link add ${this.#space} type veth peer name eth0 netns ${this.#space}`);
    ip(`link set ${this.#space} master ${BRIDGE} up`);
    ip(`-n ${this.#space} addr add ${this.address}/24 dev eth0`);
    for (const name of ['lo', 'eth0']) ip(`-n ${this.#space} link set ${name} up`);
  }

  get #space(): string {
    return `${BRIDGE}-${this.name}`;
  }

  /** Those of deploy/ha for host `a`, with this one's name, address and folders. */
  #settings(folder: string): Environment {
    const lines = readFileSync(join(DEPLOY, 'host.env'), 'utf8').split('\n');
    const pairs = lines.filter((line) => /^\w+=/.test(line)).map((line): [string, string] => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name.endsWith('_NAME') && value === 'a') return [name, this.name];
      if (/HOSTS$|CLUSTER$/.test(name)) return [name, value];
      return [name, value.replace(`${NETWORK}11`, this.address)];
    });
    return {
      ...Object.fromEntries(pairs),
      ETCD_DATA_DIR: join(this.#folder, 'etcd'),
      PATRONI_POSTGRESQL_DATA_DIR: this.data,
      ...backupSettings(folder, this.data, this.#folder),
    };
  }

  start(): void {
    this.#run('etcd', []);
    this.#run('patroni', ['patroni.yml']);
  }

  #run(command: string, args: readonly string[]): void {
    const inside = ['netns', 'exec', this.#space, ...AS_POSTGRES, command, ...args];
    const child = spawn('ip', inside, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.#folder,
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...this.env },
    });
    const log = createWriteStream(join(this.#folder, `${command}.log`), { flags: 'a' });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
  }

  /** A signal for everything that runs there, or for PostgreSQL alone. */
  signal(signal: NodeJS.Signals, which: 'all' | 'postgres' = 'all'): void {
    for (const pid of ip(`netns pids ${this.#space}`).split('\n').filter(Boolean)) {
      try {
        const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
        if (which === 'all' || name === which) process.kill(Number(pid), signal);
      } catch {
        // It has just ended by itself.
      }
    }
  }

  /** Nothing that is sent arrives any more, and nobody is told. */
  cut(): void {
    ip(`link set ${this.#space} down`);
  }

  join(): void {
    ip(`link set ${this.#space} up`);
  }

  /** An administrator of this host runs the page's lines that begin so, in their order. */
  commands(start: string, here: Environment = {}): void {
    const file = join(this.#folder, 'patroni.yml');
    const { PATRONI_SUPERUSER_PASSWORD: PGPASSWORD = '' } = this.env;
    const shell = ['netns', 'exec', this.#space, ...AS_POSTGRES, 'bash', '-c'];
    for (const line of pageLines(start, { ...here, '/etc/patroni/patroni.yml': file })) {
      done('ip', [...shell, line], { ...this.env, PGPASSWORD });
    }
  }

  /** An administrator makes the synchronous standby primary; returns when it is. */
  async switchOver(): Promise<void> {
    const standby = (await this.members())?.find(({ role }) => role === 'sync_standby');
    const here = { '--candidate b': `--candidate ${standby?.name}` };
    this.commands('patronictl -c /etc/patroni/patroni.yml switchover', here);
  }

  /** The members as it sees them; null while it does not answer. */
  async members(): Promise<readonly Member[] | null> {
    try {
      const signal = AbortSignal.timeout(1_000);
      const answer = await fetch(`http://${this.address}:8008/cluster`, { signal });
      return ((await answer.json()) as { members: Member[] }).members;
    } catch {
      return null;
    }
  }

  /** The term of its etcd: each election, and each try of one, begins another. */
  async term(): Promise<number> {
    const url = `http://${this.address}:2379/v3/maintenance/status`;
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    return Number(((await answer.json()) as { raftTerm: string }).raftTerm);
  }
}

/** Ends everything that runs in the hosts, and takes their network down. */
function clear(): void {
  const tried = (line: string): string => {
    return spawnSync('ip', line.split(' '), { encoding: 'utf8' }).stdout;
  };
  for (const space of ['a', 'b', 'c'].map((name) => `${BRIDGE}-${name}`)) {
    const pids = (): string[] => tried(`netns pids ${space}`).split('\n').filter(Boolean);
    // One of them may have started another meanwhile; what was killed is there until it is reaped.
    for (let left = pids(), n = 0; left.length > 0 && n < 50; left = pids(), n += 1) {
      spawnSync('kill', ['-9', ...left]);
    }
    tried(`netns del ${space}`);
    tried(`link del ${space}`);
  }
  tried(`link del ${BRIDGE}`);
}

/** Where pgbackrest finds a cluster's data directory, and where it keeps things here. */
export function backupSettings(folder: string, data: string, sockets: string): Environment {
  return {
    PGBACKREST_CONFIG: join(DEPLOY, 'pgbackrest.conf'),
    PGBACKREST_STANZA: 'holdfast',
    PGBACKREST_PG1_PATH: data,
    PGBACKREST_PG1_SOCKET_PATH: sockets,
    ...Object.fromEntries(
      ['REPO1', 'LOG', 'LOCK', 'SPOOL'].map((what) => {
        return [`PGBACKREST_${what}_PATH`, join(folder, 'pgbackrest', what.toLowerCase())];
      }),
    ),
  };
}

export class Cluster {
  readonly hosts: readonly Host[];
  readonly folder: string;
  /** Of the database, with all hosts. */
  readonly url: string;

  private constructor(folder: string) {
    this.folder = folder;
    for (const what of ['repo1', 'log', 'lock', 'spool']) {
      mkdirSync(join(folder, 'pgbackrest', what), { recursive: true });
    }
    done('chown', ['-R', 'postgres', join(folder, 'pgbackrest')]);
    ip(`link add ${BRIDGE} type bridge`);
    ip(`addr add ${NETWORK}1/24 dev ${BRIDGE}`);
    ip(`link set ${BRIDGE} up`);
    this.hosts = [0, 1, 2].map((at) => new Host(at, folder));
    const among = this.hosts.map(({ address }) => `${address}:5432`).join();
    this.url = `postgres://holdfast:secret@${among}/holdfast?target_session_attrs=read-write`;
  }

  /** Starts the hosts, and makes the database and its roles. */
  static async start(): Promise<Cluster> {
    // What a run that was killed has left.
    clear();
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-ha-'));
    chmodSync(folder, 0o755);
    const cluster = new Cluster(folder);
    try {
      for (const host of cluster.hosts) host.start();
      const leader = await cluster.healthy();
      leader.commands('pgbackrest --stanza=holdfast stanza-create');
      leader.commands('patronictl -c /etc/patroni/patroni.yml list');
      leader.commands('psql ');
      return cluster;
    } catch (error) {
      cluster.stop();
      throw error;
    }
  }

  /** The page's line that makes the tables and rights, with the settings of a node. */
  migrate(settings: Environment): void {
    const program = `${process.execPath} ${join(CHECKOUT, 'src/main.ts')}`;
    for (const line of pageLines('HOLDFAST_OWNER_URL=')) {
      done('bash', ['-c', `holdfast() { ${program} "$@"; }; ${line}`], settings);
    }
  }

  /** The URL of the superuser. */
  administrator(database = 'postgres'): string {
    const password = this.hosts[0]?.env['PATRONI_SUPERUSER_PASSWORD'] ?? '';
    const url = this.url.replace('holdfast:secret', `postgres:${password}`);
    return url.replace('/holdfast?', `/${database}?`);
  }

  /** Waits until one leads, one is its synchronous standby, and all three run; the leader. */
  async healthy(): Promise<Host> {
    let seen = '';
    for (const end = Date.now() + HEALTHY_MS; Date.now() < end; await pause(250)) {
      const views = await Promise.all(this.hosts.map((host) => host.members()));
      seen = JSON.stringify(views);
      const leaders = new Set(views.map((view) => healthyLeader(view)));
      const [leader] = leaders;
      const host = this.hosts.find(({ name }) => name === leader);
      if (leaders.size === 1 && host !== undefined) return host;
    }
    throw new Error(`the cluster is not healthy: ${seen}`);
  }

  stop(): void {
    clear();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Who leads a whole cluster; null where a member is missing, or does not follow. */
function healthyLeader(members: readonly Member[] | null): string | null {
  const leader = members?.find(({ role }) => role === 'leader');
  const follows = ({ state, timeline, lag = 0 }: Member): boolean =>
    (state === 'running' || state === 'streaming') && timeline === leader?.timeline && lag === 0;
  if (members?.length !== 3 || !members.every(follows)) return null;
  return members.some(({ role }) => role === 'sync_standby') ? (leader?.name ?? null) : null;
}
