// Machines with systemd from Debian's packages, by systemd-nspawn: each has its own processes,
// network and disk, boots, is cut off, freezes, loses its power, and boots again. Needs root.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKOUT } from '../start/launch.ts';

const PACKAGES = ['mmdebstrap', 'systemd-container', 'iproute2'];
/** What a machine has when it arrives, and what the pages install on it: it reaches no registry. */
const INSTALLED = [
  ...['systemd-sysv', 'dbus', 'iproute2', 'procps', 'sudo', 'openssl', 'curl', 'ca-certificates'],
  ...['postgresql', 'patroni', 'etcd-server', 'etcd-client', 'pgbackrest'],
];
/** As the page has it before PostgreSQL is installed. */
const SETUP = `mkdir -p "$1/etc/postgresql-common"
echo 'create_main_cluster = false' > "$1/etc/postgresql-common/createcluster.conf"`;
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
const BRIDGE = 'hf-hosts';
/** A range for documentation: it leads nowhere else. */
const NETWORK = '198.51.100.';
const BOOT_MS = 60_000;

/** Only control groups of the second version, one of its own, and a disk above the image. */
const BOOT = `set -e
space=$1 image=$2 folder=$3 name=$4; shift 4
umount -R /sys/fs/cgroup 2>/dev/null || true
mount -t cgroup2 none /sys/fs/cgroup
mkdir -p /sys/fs/cgroup/$space
echo $$ > /sys/fs/cgroup/$space/cgroup.procs
mkdir -p "$folder/up" "$folder/work" "$folder/root"
cd "$folder"
mount -t overlay overlay -o "lowerdir=$image,upperdir=up,workdir=work" root
echo "$name" > "$folder/root/etc/hostname"
echo "127.0.0.1 localhost $name" > "$folder/root/etc/hosts"
export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1
exec systemd-nspawn --boot --directory="$folder/root" --machine="$name" --register=no --keep-unit \\
  --network-namespace-path="/run/netns/$space" --console=pipe --link-journal=no \\
  --resolv-conf=off --timezone=off --quiet "$@"`;

/** Runs a program to its end; what it printed. */
export function done(command: string, args: readonly string[], input = ''): string {
  const ran = spawnSync(command, args, { encoding: 'utf8', input, maxBuffer: 2 ** 26 });
  assert.equal(ran.status, 0, `${command} ${args.join(' ')}: ${ran.error ?? ran.stderr}`);
  return ran.stdout;
}

const ip = (line: string): string => done('ip', line.split(' '));

/** The folder of a root file system with these packages, made once. */
export function image(): string {
  const missing = ['mmdebstrap', 'systemd-nspawn', 'ip'].filter((one) => {
    return spawnSync('which', [one]).status !== 0;
  });
  assert.deepEqual(missing, [], `install ${PACKAGES.join(' ')}, as root`);
  const folder = join(CHECKOUT, '.holdfast/machines');
  const made = join(folder, hash('sha256', [...INSTALLED, SETUP].join('\n')).slice(0, 12));
  if (existsSync(made)) return made;
  mkdirSync(folder, { recursive: true });
  const half = `${made}.half`;
  rmSync(half, { recursive: true, force: true });
  const sources = SOURCES.find((path) => existsSync(path)) ?? '';
  const include = `--include=${INSTALLED.join()}`;
  done('mmdebstrap', [
    ...['--variant=minbase', include, `--setup-hook=${SETUP}`, 'bookworm', half, sources],
  ]);
  renameSync(half, made);
  return made;
}

/** The network that machines share with this one. */
export function openNetwork(): void {
  ip(`link add ${BRIDGE} type bridge`);
  ip(`addr add ${NETWORK}1/24 dev ${BRIDGE}`);
  ip(`link set ${BRIDGE} up`);
}

/** What a run that was killed has left, and what machines had. */
export function closeNetwork(names: readonly string[]): void {
  for (const name of names) {
    const space = `${BRIDGE}-${name}`;
    const pids = spawnSync('ip', ['netns', 'pids', space], { encoding: 'utf8' }).stdout;
    spawnSync('kill', ['-9', ...pids.split('\n').filter(Boolean)]);
    spawnSync('ip', ['netns', 'del', space]);
    spawnSync('ip', ['link', 'del', space]);
  }
  spawnSync('ip', ['link', 'del', BRIDGE]);
}

export class Machine {
  readonly name: string;
  readonly address: string;
  readonly #folder: string;
  readonly #binds: readonly string[];
  #running: ChildProcess | null = null;

  /** A new machine, without power; what it reads of this one, as `from:to`. */
  constructor(name: string, address: string, folder: string, binds: readonly string[] = []) {
    [this.name, this.address] = [name, address];
    this.#binds = binds.map((bind) => `--bind-ro=${bind}`);
    this.#folder = join(folder, name);
    mkdirSync(this.#folder);
    ip(`netns add ${this.#space}`);
    ip(`link add ${this.#space} type veth peer name host0 netns ${this.#space}`);
    ip(`link set ${this.#space} master ${BRIDGE} up`);
    ip(`-n ${this.#space} addr add ${this.address}/24 dev host0`);
    for (const link of ['lo', 'host0']) ip(`-n ${this.#space} link set ${link} up`);
  }

  get #space(): string {
    return `${BRIDGE}-${this.name}`;
  }

  /** Switches it on; returns when its systemd takes commands. */
  async boot(): Promise<void> {
    const given = [this.#space, image(), this.#folder, this.name, ...this.#binds];
    this.#running = spawn('unshare', ['--mount', '--cgroup', 'sh', '-c', BOOT, 'sh', ...given], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (const end = Date.now() + BOOT_MS; ; await pause(100)) {
      const [program, args] = this.#inside('systemctl list-units > /dev/null 2>&1');
      if (this.#init() !== '' && spawnSync(program, args).status === 0) return;
      assert.ok(Date.now() < end, `${this.name} does not boot`);
    }
  }

  /** Its first process, as this machine counts them. */
  #init(): string {
    const pid = String(this.#running?.pid ?? 0);
    const path = `/proc/${pid}/task/${pid}/children`;
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  }

  /** What enters it from this machine, before the words of a command. */
  get shell(): string {
    const env = 'env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8';
    return `nsenter -t ${this.#init()} -a -w ${env}`;
  }

  #inside(line: string, account = 'root'): [string, string[]] {
    const [program = '', ...args] = this.shell.split(' ');
    return [program, [...args, 'runuser', '-u', account, '--', 'bash', '-ec', line]];
  }

  /** Its administrator types this, as root or another account; what it prints. */
  async type(text: string, account?: string): Promise<string> {
    return this.#run(`cd /tmp\n${text}`, '', account);
  }

  /** Copies a file to its disk. */
  async give(file: string, to: string): Promise<void> {
    await this.#run(`umask 077; base64 -d > ${to}`, readFileSync(file, 'base64'));
  }

  async #run(line: string, input: string, account?: string): Promise<string> {
    const [program, args] = this.#inside(line, account);
    const running = spawn(program, args, { stdio: 'pipe' });
    running.stdin.end(input);
    const read = (from: Readable): Promise<string> => from.setEncoding('utf8').toArray()
      .then((parts) => parts.join(''));
    const [out, err, [code]] = await Promise.all([
      ...[read(running.stdout), read(running.stderr)],
      once(running, 'close'),
    ] as const);
    assert.equal(code, 0, `${this.name}: ${line}: ${out}${err}`);
    return out;
  }

  /** Nothing that is sent arrives any more, and nobody is told. */
  cut(): void {
    ip(`link set ${this.#space} down`);
  }

  join(): void {
    ip(`link set ${this.#space} up`);
  }

  /** Its power fails. */
  powerOff(): void {
    if (this.#running?.exitCode === null) this.#control('cgroup.kill', '1');
    this.#running = null;
  }

  freeze(): void {
    this.#control('cgroup.freeze', '1');
  }

  thaw(): void {
    this.#control('cgroup.freeze', '0');
  }

  #control(file: string, value: string): void {
    const [, mount = ''] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    const groups = readFileSync(`/proc/${this.#running?.pid}/cgroup`, 'utf8');
    const [, path = ''] = new RegExp(`^0::(.*/${this.#space})`, 'm').exec(groups) ?? [];
    writeFileSync(join(mount, path, file), value);
  }

  /** It is gone for good: another arrives in its place, empty. */
  replace(): void {
    this.powerOff();
    for (const what of ['up', 'work']) {
      rmSync(join(this.#folder, what), { recursive: true, force: true });
    }
  }
}
