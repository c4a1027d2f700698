// The machine that the operators' pages are about, as a folder: its files, the accounts that type
// there, a second machine that `ssh` leads to, and what stands here for addresses and paths.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { oldestBinaries, startTestServer } from '../../src/db/embedded/test-server.ts';
import type { TestServer } from '../../src/db/embedded/test-server.ts';
import { startNode, type Settings } from '../kit/platform.ts';
import { CHECKOUT, cleanEnvironment, remove, temporaryFolder } from '../start/launch.ts';
import type { Launched } from '../start/launch.ts';
import { putPrograms, stepsOf, Terminal, write, type Step } from './guide.ts';

/** The account of the service: a number that no account of this machine has. */
const SERVICE = 61_321;

/** Where the test is root, and other accounts may read the checkout, accounts are real. */
export const SEPARATE = process.getuid?.() === 0 && isOpen(CHECKOUT);

function isOpen(path: string): boolean {
  const passes = (statSync(path).mode & 0o001) !== 0;
  return passes && (path === dirname(path) || isOpen(dirname(path)));
}

/** The section that another test types, since it begins with a database of 0.2. */
export const ASIDE = { heading: '### A database of 0.2', by: 'test/prove/one-role.test.ts' };

/** The steps of a page of the operators, without that section, or of it alone. */
export function operatorSteps(page: string, which: 'whole' | 'aside' = 'whole'): Step[] {
  const text = readFileSync(join(CHECKOUT, `docs/${page}.md`), 'utf8');
  const from = text.indexOf(ASIDE.heading);
  if (from < 0) return which === 'aside' ? [] : stepsOf(text);
  const next = text.indexOf('\n#', from + ASIDE.heading.length);
  const aside = text.slice(from, next);
  return stepsOf(which === 'aside' ? aside : text.replace(aside, ''));
}

/** What each terminal of a page begins with, where it says so: the first of its blocks. */
export function openingOf(steps: readonly Step[]): string[] {
  const second = steps.findIndex((step, n) => n > 0 && step.kind === 'command' && step.opens);
  return steps.slice(0, second).map(({ text }) => text);
}

/** For a server without TLS. */
export function withoutTls(text: string): string {
  return text.replaceAll(/sslmode=\S+?\.crt&?/g, '');
}

/** The settings in a file, as systemd reads them. */
function parsed(file: string): Settings {
  return Object.fromEntries(file.trim().split('\n').map((line) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return [name, value.replace(/^"(.*)"$/, '$1')];
  }));
}

export class Machine {
  readonly folder = temporaryFolder();
  /** Where commands are typed: a checkout's files for the proxy and monitoring. */
  readonly files = join(this.folder, 'checkout');
  readonly replaced: (readonly [string | RegExp, string])[] = [];
  readonly server: TestServer;
  /** Variables of every terminal. */
  readonly env: Record<string, string> = {};

  private constructor(server: TestServer) {
    this.server = server;
    const { folder } = this;
    const { hostname, port } = new URL(server.url);
    this.replaced.push(
      [/(?:127\.0\.0\.1|10\.0\.0\.11):5432/g, `${hostname}:${port}`],
      // The name of the test server's own superuser.
      [/(?<=(?:create|alter) role |owned by |postgres:\/\/)holdfast\b/g, 'service'],
      [/(?<![\w.*])\/(?=(?:etc|var|mnt|tmp)\/)/g, `${folder}/`],
      ['--directory /', `--directory ${folder}`],
      [/ -([og]) holdfast\b/g, SEPARATE ? ` -$1 ${SERVICE}` : ''],
      ['chgrp holdfast', SEPARATE ? `chgrp ${SERVICE}` : 'true'],
      ['chown holdfast:', SEPARATE ? `chown ${SERVICE}:${SERVICE}` : 'true'],
      [/10\.0\.0\.1[012]/g, '127.0.0.1'],
    );
  }

  /** An empty PostgreSQL server, and a machine on which nothing is installed. */
  static async open(): Promise<Machine> {
    const binaries = oldestBinaries();
    assert.ok(binaries, 'this needs the programs of PostgreSQL: apt-get install postgresql');
    const machine = new Machine(await startTestServer(binaries));
    await machine.#furnish();
    return machine;
  }

  async #furnish(): Promise<void> {
    const { folder, server } = this;
    const places = ['etc', 'etc/haproxy', 'etc/systemd/system', 'etc/prometheus', 'var/lib', 'mnt'];
    for (const place of [...places, 'var/lib/postgresql', 'second/var/lib/holdfast', 'checkout']) {
      mkdirSync(join(folder, place), { recursive: true });
    }
    mkdirSync(join(folder, 'scratch'));
    chmodSync(join(folder, 'scratch'), 0o777);
    const bin = join(folder, 'bin');
    putPrograms(bin, new URL(server.url));
    // As on a fresh machine.
    const terminal = this.terminal();
    await terminal.run('sudo -u postgres dropdb holdfast');
    const said = await terminal.run('sudo -u postgres psql -Atc "show data_directory"');
    terminal.close();
    const { uid, gid } = statSync(said.trim());
    const as = (id: number | string, group: number | string): string =>
      SEPARATE ? `setpriv --reuid ${id} --regid ${group} --clear-groups` : '';
    const accounts = { holdfast: as(SERVICE, SERVICE), postgres: as(uid, gid) };
    putPrograms(bin, new URL(server.url), accounts);
    if (SEPARATE) {
      chownSync(join(folder, 'var/lib/postgresql'), uid, gid);
      chownSync(join(folder, 'second/var/lib/holdfast'), SERVICE, SERVICE);
    }
    // On the second machine every path is below a folder of its own.
    const far = `sed "s|${folder}|${folder}/second|g"`;
    const ssh = `shift\nexec sh -c "$(printf '%s' "$*" | ${far})"`;
    write(join(bin, 'ssh'), `#!/bin/sh\n${ssh}\n`);
    chmodSync(join(bin, 'ssh'), 0o755);
  }

  /** What the page says, with what stands for it here. */
  filled(text: string): string {
    return this.replaced.reduce<string>((all, [from, to]) => all.replaceAll(from, to), text);
  }

  /** Writes a file of a page; what lies in the service's folder is for its account alone. */
  write(path: string, text: string): void {
    write(this.filled(path), text);
    if (path.startsWith('/var/lib/holdfast/')) this.give(path);
  }

  /** A new terminal, which knows nothing of others. */
  terminal(): Terminal {
    const own = cleanEnvironment();
    const PATH = `${join(this.folder, 'bin')}:${own['PATH']}`;
    return new Terminal(this.files, { ...own, ...this.env, PATH });
  }

  /** Types commands of a page into one terminal; what they print. */
  typed(...commands: readonly string[]): Promise<string> {
    return this.run(...commands.map((command) => this.filled(command)));
  }

  /** The same, of what is filled. */
  async run(...commands: readonly string[]): Promise<string> {
    const terminal = this.terminal();
    const said: string[] = [];
    try {
      for (const command of commands) said.push(await terminal.run(command));
    } finally {
      terminal.close();
    }
    return said.join('');
  }

  /**
   * Makes folders, passwords and roles by the commands of docs/operations.md, and its settings as
   * they are for a sandbox on this machine, with what differs; no database.
   */
  async prepare(differs: Settings = {}): Promise<void> {
    const steps = operatorSteps('operations');
    const at = (start: string): number => steps.findIndex(({ text }) => text.startsWith(start));
    const folders = steps.filter(({ text }) => text.startsWith('sudo install -d'));
    const from = at('openssl rand -hex 24 > /mnt/safe/owner');
    const roles = steps.slice(from, at('sudo -u postgres createdb'));
    await this.typed(...[...folders, ...roles].map(({ text }) => text));
    const names = Object.entries({ ...differs, HOLDFAST_ENV: 'staging' });
    for (const step of steps) {
      if (step.kind !== 'file' || !/\/(?:holdfast|owner)\.env/.test(step.path)) continue;
      const here = withoutTls(step.text).replaceAll(/^HOLDFAST_(?:URL|ENV|PROXY).*\n/gm, '');
      const own = names.map(([name, value]) => `${name}=${value}\n`).join('');
      this.write(step.path, this.filled(here) + (step.path.startsWith('/etc') ? own : ''));
    }
    await this.typed('chgrp holdfast /etc/holdfast/holdfast.env');
  }

  /** The owner's settings. */
  owner(): Settings {
    const file = readFileSync(join(this.folder, 'mnt/safe/owner.env'), 'utf8');
    return parsed(file);
  }

  /** Gives a file of this machine to the account of the service. */
  give(path: string): void {
    chmodSync(join(this.folder, path), 0o600);
    if (SEPARATE) chownSync(join(this.folder, path), SERVICE, SERVICE);
  }

  /** Types a command of the service's account, with its settings. */
  asService(command: string): Promise<string> {
    const settings = 'set -a && . /etc/holdfast/holdfast.env && set +a';
    return this.typed('sudo -u holdfast -s', settings, command);
  }

  /** Whether the service's account can run this. */
  serviceCan(...command: readonly string[]): boolean {
    const args = ['-u', 'holdfast', ...command];
    return spawnSync(join(this.folder, 'bin/sudo'), args, { stdio: 'ignore' }).status === 0;
  }

  /** The settings of the first or the second node, as systemd reads them. */
  settings(second = false): Settings {
    const home = second ? join(this.folder, 'second') : this.folder;
    const file = readFileSync(join(home, 'etc/holdfast/holdfast.env'), 'utf8');
    const own = second ? file.replaceAll(`${this.folder}/`, `${home}/`) : file;
    return parsed(own);
  }

  /** Starts a node as the account of the service. */
  start(settings: Settings): Promise<Launched> {
    const account = SEPARATE ? { account: { uid: SERVICE, gid: SERVICE } } : {};
    return startNode(settings, [], { cwd: join(this.folder, 'scratch'), ...account });
  }

  async close(): Promise<void> {
    await this.server.stop();
    remove(this.folder);
  }
}
