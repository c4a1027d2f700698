// The hosts of docs/high-availability.md: three of the database and one of its backups, each a
// machine on which the page's commands were typed. Needs root.
import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKOUT } from '../start/launch.ts';
import { closeNetwork, done, Machine, openNetwork } from './machine.ts';
import { until } from './until.ts';

const HEALTHY_MS = 120_000;
const ANSWER_MS = 1_000;
const NAMES = ['a', 'b', 'c', 'backup', 'node'];
/** The address of a machine beside the hosts. */
const NODE = '198.51.100.21';

/** What differs here from what stands on the page. */
type Here = Readonly<Record<string, string>>;

const page = (): string => readFileSync(join(CHECKOUT, 'docs/high-availability.md'), 'utf8');

function here(text: string, differs: Here): string {
  return Object.entries(differs).reduce((told, [there, own]) => told.replaceAll(there, own), text);
}

/** The commands of the n-th block below a heading of the page. */
export function pageBlock(heading: string, at: number, differs: Here = {}): string {
  const section = page().split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, text = '']) => text);
  const block = blocks[at];
  assert.ok(block !== undefined, `${heading} has no block ${at}`);
  return here(block, differs);
}

/** As Patroni shows a member. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | 'unknown';
}

/** The certificate of a host, and the authority. */
interface Proof {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A host of the database. */
export class Host extends Machine {
  readonly #proof: Proof;

  constructor(name: string, address: string, folder: string, proof: Proof) {
    super(name, address, folder);
    this.#proof = proof;
  }

  /** Its PostgreSQL crashes. */
  async crash(): Promise<void> {
    await this.type('pkill -KILL -x postgres');
  }

  /** The name of the synchronous standby, as it sees it. */
  async standby(): Promise<string> {
    return (await this.members())?.find(({ role }) => role === 'sync_standby')?.name ?? '';
  }

  /** An administrator has it hand over to the synchronous standby; returns when it has stopped. */
  async switchOver(): Promise<void> {
    await this.type(pageBlock('Switch over by hand', 0));
  }

  /** It comes back afterwards, as a standby. */
  async follow(): Promise<void> {
    await this.type(pageBlock('Switch over by hand', 1));
  }

  /** The members as it sees them; null while it does not answer. */
  async members(): Promise<readonly Member[] | null> {
    const text = await this.#asked(8008, 'GET', '/cluster').catch(() => '');
    return text === '' ? null : (JSON.parse(text) as { members: Member[] }).members;
  }

  /** The term of its etcd: each election, and each try of one, begins another. */
  async term(): Promise<number> {
    return Number((await this.#etcd()).raftTerm);
  }

  /** Whether its etcd has a leader. */
  async voted(): Promise<boolean> {
    const { leader = '0' } = await this.#etcd().catch(() => ({ leader: '0' }));
    return leader !== '0';
  }

  async #etcd(): Promise<{ readonly raftTerm: string; readonly leader?: string }> {
    const text = await this.#asked(2379, 'POST', '/v3/maintenance/status');
    return JSON.parse(text) as { raftTerm: string; leader?: string };
  }

  /** What another host is answered. */
  #asked(port: number, method: string, path: string): Promise<string> {
    const proof = { ...this.#proof, agent: false };
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const to = { host: this.address, port, method, path, ...proof, signal };
      request(to, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (text += part));
        answer.on('end', () => resolve(text)).on('error', reject);
      })
        .on('error', reject)
        .end(method === 'POST' ? '{}' : '');
    });
  }
}

export class Cluster {
  readonly hosts: readonly Host[];
  readonly backup: Machine;
  readonly folder: string;
  readonly #keys: string;
  readonly #others: Machine[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    const keys = join(folder, 'ha');
    this.#keys = keys;
    const place = { ' deploy/': ` ${CHECKOUT}/deploy/`, ' ha\n': ` ${keys}\n` };
    done('sh', ['-ec', pageBlock('Prepare', 0, { ...place, 'sh ha/': `sh ${keys}/` })]);
    const conf = readFileSync(join(keys, 'cluster.conf'), 'utf8');
    const places = new Map([...conf.matchAll(/^(\w+)=(\S+)$/gm)].map(([, name, at]) => [name, at]));
    openNetwork();
    const address = (name: string): string => places.get(name) ?? '';
    const read = (name: string): string => done('tar', ['-xOf', join(keys, 'a.tar'), name]);
    const proof = { ca: read('ca.crt'), cert: read('a.crt'), key: read('a.key') };
    this.hosts = ['a', 'b', 'c'].map((name) => new Host(name, address(name), folder, proof));
    this.backup = new Machine('backup', address('backup'), folder);
    for (const place of ['safe', 'etc']) mkdirSync(join(folder, place), { mode: 0o755 });
    cpSync(join(keys, 'ca.crt'), join(folder, 'etc/database.crt'));
    chmodSync(join(folder, 'etc/database.crt'), 0o644);
  }

  /** What the page calls so, and where it is here. */
  get #here(): Here {
    return {
      '/mnt/safe/': join(this.folder, 'safe/'),
      '/etc/holdfast/': join(this.folder, 'etc/'),
      ' -g holdfast': '',
    };
  }

  /** The page's value of a setting. */
  setting(name: string): string {
    return new RegExp(`^${name}="(.*)"$`, 'm').exec(page())?.[1] ?? '';
  }

  #own(name: string): string {
    return here(this.setting(name), this.#here);
  }

  /** Of the database, with all hosts. */
  get url(): string {
    const password = readFileSync(join(this.folder, 'etc/server-password'), 'utf8').trim();
    return this.#own('DATABASE_URL').replace('holdfast@', `holdfast:${password}@`);
  }

  /** Starts the hosts, and makes the database and its roles. */
  static async start(): Promise<Cluster> {
    // What a run that was killed has left.
    closeNetwork(NAMES);
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-ha-'));
    chmodSync(folder, 0o755);
    const cluster = new Cluster(folder);
    try {
      await Promise.all([...cluster.hosts, cluster.backup].map((machine) => machine.boot()));
      for (const host of cluster.hosts) await cluster.install(host, 'The database', 0);
      const leader = await cluster.healthy();
      await leader.type(pageBlock('The database', 1));
      const ssh = `ssh() { shift; ${leader.shell} "$@"; }\n`;
      done('bash', ['-ec', ssh + pageBlock('The database', 2, cluster.#here)]);
      await cluster.install(cluster.backup, 'Backups', 0);
      return cluster;
    } catch (error) {
      cluster.stop();
      throw error;
    }
  }

  /** Types a block of the page on a machine that has its archive. */
  async install(machine: Machine, heading: string, at: number): Promise<void> {
    const { name } = machine;
    const archive = { 'a.tar': `/root/${name}.tar` };
    await machine.give(join(this.#keys, `${name}.tar`), `/root/${name}.tar`);
    await machine.type(pageBlock('Prepare', 1, archive));
    const block = pageBlock(heading, at, archive);
    await machine.type(block.replace(/host\.sh [abc]\b/, `host.sh ${name}`));
  }

  /** Gives every host a new certificate of the same authority. */
  async renew(): Promise<void> {
    done('sh', [join(this.#keys, 'prepare.sh')]);
    for (const machine of [...this.hosts, this.backup]) {
      await this.install(machine, 'New certificates', 0);
    }
  }

  /** Makes the tables and rights, with the settings of a node and the page's of the owner. */
  migrate(settings: Here): void {
    const env = { ...settings, HOLDFAST_OWNER_URL: this.#own('HOLDFAST_OWNER_URL') };
    const given = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    done('env', [...given, process.execPath, join(CHECKOUT, 'src/main.ts'), 'migrate']);
  }

  /** The address of one host, or one restored beside it, alone. */
  urlOf(host: Host, port: number): string {
    return this.url.replace(/@[^/]+/, `@${host.address}:${port}`);
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
    const told = await Promise.all(this.hosts.map((host) => {
      return host.type('journalctl -qu patroni -n 30 --no-pager -o cat').catch(String);
    }));
    throw new Error(`the cluster is not healthy: ${seen}\n${told.join('\n')}`);
  }

  /** Waits until another host leads. */
  async handedOver(from: Host): Promise<void> {
    const others = this.hosts.filter((host) => host !== from);
    await until('another host leads', async () => {
      const views = await Promise.all(others.map((host) => host.members()));
      const leader = views[0]?.find(({ role }) => role === 'leader')?.name;
      return leader !== undefined && leader !== from.name;
    }, HEALTHY_MS);
  }

  /** Another machine, which reads so much of this one. */
  machine(binds: readonly string[]): Machine {
    const machine = new Machine('node', NODE, this.folder, binds);
    this.#others.push(machine);
    return machine;
  }

  stop(): void {
    for (const machine of [...this.hosts, this.backup, ...this.#others]) machine.replace();
    closeNetwork(NAMES);
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
