// Debian's podman for tests, where no registry of images is reached: the base images are assembled
// from Debian's packages and from the Node and npm of this machine. All of it lies below
// .holdfast/containers and is reached from this machine only.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../tidy/tree.ts';
import { cleanEnvironment } from '../start/launch.ts';

const FOLDER = join(ROOT, '.holdfast/containers');
/** Where this machine gets Debian's packages from. */
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const PACKAGES = ['podman', 'crun', 'mmdebstrap', 'iptables', 'containernetworking-plugins'];

/** The program that compose files and tests call as `podman`. */
export const PODMAN = join(FOLDER, 'podman');

/** What runs containers inside a container or a small machine: limits and groups as they are. */
export const RUN_ARGS = [
  '--cgroups=disabled',
  '--log-driver=k8s-file',
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
];

/**
 * Where control groups of both versions are mounted, crun refuses: it is shown the second alone.
 * What podman notes of networks is gone with the view, which ends with this process.
 */
const VIEW = `umount -R /sys/fs/cgroup 2>/dev/null; mount -t cgroup2 none /sys/fs/cgroup || exit 1
for at in /run /var/lib/cni /etc/cni/net.d; do mkdir -p $at && mount -t tmpfs none $at; done
echo ready; exec cat`;

/** Calls podman in the view of this process, which all containers share. */
function wrapper(pid: number): string {
  const own = `--root ${FOLDER}/images --runroot /run/holdfast-containers --tmpdir /run/libpod`;
  const plain = '--storage-driver overlay --cgroup-manager cgroupfs --events-backend none';
  const enter = `nsenter --target ${pid} --mount --wd="$PWD"`;
  return `#!/bin/sh\nexec ${enter} podman ${own} ${plain} --log-level=fatal "$@"\n`;
}

/** Runs a program to its end; gives what it printed. */
export function ran(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = ROOT,
): string {
  const done = spawnSync(program, args, {
    ...{ cwd, encoding: 'utf8', maxBuffer: 2 ** 26 },
    env: { ...cleanEnvironment(), ...env },
  });
  const said = `${done.error?.message ?? ''}${done.stdout}${done.stderr}`;
  assert.equal(done.status, 0, `${program} ${args.join(' ')}: ${said}`);
  return done.stdout;
}

/** Runs podman to its end; gives what it printed. */
export function podman(...args: readonly string[]): string {
  return ran(PODMAN, args);
}

/** Builds an image from lines of a container file, unless there is one of the same lines. */
function image(name: string, lines: readonly string[], context: string): void {
  const made = `${name}:${hash('sha256', [...lines, ENTRYPOINT].join('\n')).slice(0, 12)}`;
  const file = join(FOLDER, 'Containerfile');
  writeFileSync(file, `${lines.join('\n')}\n`);
  if (spawnSync(PODMAN, ['image', 'exists', made]).status !== 0) {
    podman('build', '--quiet', '--isolation', 'chroot', '--tag', made, '--file', file, context);
  }
  podman('tag', made, `${name}:latest`);
}

/**
 * Makes podman usable, and the images that stand for those of a registry. What it gives ends all
 * that still runs.
 */
export async function prepareContainers(): Promise<() => void> {
  const missing = ['podman', 'mmdebstrap'].filter((one) => spawnSync('which', [one]).status !== 0);
  assert.deepEqual(missing, [], `install ${PACKAGES.join(' ')}, as root`);
  mkdirSync(FOLDER, { recursive: true });
  const view = spawn('unshare', ['--mount', 'sh', '-c', VIEW], { stdio: ['pipe', 'pipe', 2] });
  assert.ok(view.stdout);
  await once(view.stdout, 'data');
  writeFileSync(PODMAN, wrapper(view.pid ?? 0), { mode: 0o755 });
  prepareImages();
  return () => {
    for (const kind of ['pod', 'container']) podman(kind, 'rm', '--all', '--force', '--time', '0');
    for (const kind of ['volume', 'network']) podman(kind, 'prune', '--force');
    view.kill('SIGKILL');
  };
}

function prepareImages(): void {
  const context = join(FOLDER, 'context');
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context);
  if (!existsSync(join(FOLDER, 'debian.tar'))) {
    const sources = SOURCES.find((path) => existsSync(path)) ?? '';
    ran('mmdebstrap', ['--variant=minbase', 'bookworm', join(FOLDER, 'debian.tar'), sources]);
  }
  cpSync(join(FOLDER, 'debian.tar'), join(context, 'debian.tar'));
  image('localhost/debian', ['FROM scratch', 'ADD debian.tar /'], context);
  const npm = dirname(dirname(realpathSync(ran('which', ['npm']).trim())));
  cpSync(realpathSync(ran('which', ['node']).trim()), join(context, 'node'));
  cpSync(npm, join(context, 'npm'), { recursive: true });
  cpSync(CERTIFICATES, join(context, 'certificates'));
  image('localhost/node', [
    'FROM localhost/debian',
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    `COPY certificates ${CERTIFICATES}`,
    `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
  ], context);
  // What the compose file wants of PostgreSQL's image: a database and a role, by these settings.
  writeFileSync(join(context, 'entrypoint'), ENTRYPOINT, { mode: 0o755 });
  image('localhost/postgres', [
    'FROM localhost/debian',
    'RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql-15',
    'COPY entrypoint /entrypoint',
    'ENV PATH=/usr/lib/postgresql/15/bin:/usr/bin:/bin',
    'RUN install -d -o postgres /var/lib/postgresql/data',
    'USER postgres',
    'ENTRYPOINT ["/entrypoint"]',
  ], context);
  rmSync(context, { recursive: true });
}

const ENTRYPOINT = `#!/bin/sh
set -e
cd /var/lib/postgresql/data
if [ ! -e PG_VERSION ]; then
  initdb -D . -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" -A scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >> pg_hba.conf
  echo "create database $POSTGRES_DB" | postgres --single -D . postgres >/dev/null
  pg_ctl -D . -w -o "-c listen_addresses= -c unix_socket_directories=/tmp" start >/dev/null
  export PGHOST=/tmp PGPASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")"
  for one in /docker-entrypoint-initdb.d/*.sh; do sh "$one"; done
  pg_ctl -D . -w -m fast stop >/dev/null
fi
exec postgres -D . -c listen_addresses='*' -c unix_socket_directories=/tmp
`;
