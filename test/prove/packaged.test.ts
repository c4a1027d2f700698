// What is in deploy/: linted by the tools of those formats, then used. The image is built by its
// Dockerfile, the compose file starts it on a read-only root behind the example proxy, a sale goes
// through, and clients count by their own addresses.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ready } from '../kit/api.ts';
import { podman, PODMAN, prepareContainers, ran, RUN_ARGS } from '../kit/containers.ts';
import { freePort, startProxy, type Answer, type Order, type Proxy } from '../kit/haproxy.ts';
import { installLinters, LINTERS } from '../kit/linters.ts';
import { ROOT } from '../tidy/tree.ts';
import { remove, temporaryFolder } from '../start/launch.ts';

const SERVICE = join(ROOT, 'deploy/holdfast.service');
const COMPOSE = join(ROOT, 'deploy/compose.yaml');
const ROLES = join(ROOT, 'deploy/roles.sh');
const IMAGE = 'localhost/holdfast:proven';
const NEXT = 'localhost/holdfast:next';
const HOLDFAST = 'holdfast_holdfast_1';
const DATABASE = 'holdfast_database_1';
/** Of `systemd-analyze security`, in tenths: 100 would be no protection. */
const EXPOSURE_MOST = '15';
const WAIT_MS = 120_000;

const folder = temporaryFolder();
const compose = join(folder, 'compose.yaml');
const override = join(folder, 'override.yaml');
let endContainers: (() => void) | undefined;
let port: number;
let internal: number;
let proxy: Proxy;

/** Where a test differs: where images come from, and a sandbox that says who its client is. */
const OVERRIDE = `services:
  database:
    image: localhost/postgres
    networks: { default: { ipv4_address: 172.30.0.10 } }
  migrate:
    extra_hosts: ['database:172.30.0.10']
  holdfast:
    extra_hosts: ['database:172.30.0.10']
    command: [start, --json]
    environment: { HOLDFAST_ADDRESS_GUESSES: '1' }
`;

before(async () => {
  endContainers = await prepareContainers();
  installLinters();
  copyFileSync(COMPOSE, compose);
  writeFileSync(override, OVERRIDE);
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'secrets/owner'), 'secret of the owner');
  writeFileSync(join(folder, 'secrets/server'), 'secret of the server');
  copyFileSync(ROLES, join(folder, 'roles.sh'));
  runImage(IMAGE);
  [port, internal] = [await freePort(), await freePort()];
  proxy = await startProxy([port]);
});
after(async () => {
  await proxy?.stop();
  endContainers?.();
  remove(folder);
});

/** Runs podman-compose on the compose file as it stands and the little above. */
function composed(...args: readonly string[]): string {
  const paths = ['--podman-path', PODMAN, '-f', compose, '-f', override];
  const runs = ['--podman-run-args', RUN_ARGS.join(' ')];
  return ran(LINTERS.podmanCompose, [...paths, ...runs, ...args], {
    HOLDFAST_ENV: 'staging',
    HOLDFAST_INTERNAL_PORT: String(internal),
    HOLDFAST_PORT: String(port),
  });
}

/** The settings of the page, in the file that compose reads. */
function runImage(image: string): void {
  const lines = ['HOLDFAST_DOMAIN=example.test', `HOLDFAST_IMAGE=${image}`];
  writeFileSync(join(folder, '.env'), `${lines.join('\n')}\n`);
}

/** Waits until the health check of a container says that it is well. */
async function healthy(container: string): Promise<void> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    try {
      podman('healthcheck', 'run', container);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await sleep(500);
  }
}

test('each file is what the tools of its format want', () => {
  ran(LINTERS.hadolint, ['deploy/Dockerfile']);
  ran(LINTERS.dclint, ['--max-warnings', '0', '-c', 'deploy/.dclintrc.yaml', COMPOSE]);
  const bin = join(folder, 'opt/holdfast/node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync('/bin/true', join(bin, 'holdfast'));
  const unit = join(folder, 'holdfast.service');
  writeFileSync(unit, readFileSync(SERVICE, 'utf8').replace('=/opt/', `=${folder}/opt/`));
  ran('systemd-analyze', ['verify', unit]);
  ran('systemd-analyze', ['security', '--offline=true', `--threshold=${EXPOSURE_MOST}`, unit]);
});

test('the image holds what it runs, and neither npm nor an account with rights', () => {
  const bases = ['BUILDER=localhost/node', 'BASE=localhost/debian'];
  podman(
    ...['build', '--quiet', '--isolation', 'chroot', '--format', 'docker', '--tag', IMAGE],
    ...bases.flatMap((one) => ['--build-arg', one]),
    ...['--volume', `${join(homedir(), '.npm')}:/root/.npm`],
    ...['--file', 'deploy/Dockerfile', '.'],
  );
  const about = JSON.parse(podman('image', 'inspect', IMAGE)) as readonly {
    readonly Config: { readonly User: string; readonly StopSignal: string };
    readonly Labels: Readonly<Record<string, string>>;
  }[];
  assert.equal(about[0]?.Config.User, '10001:10001');
  assert.equal(about[0].Config.StopSignal, 'SIGTERM');
  assert.equal(about[0].Labels['org.opencontainers.image.licenses'], 'Apache-2.0');
  const look = 'command -v npm tsc; find / -xdev -name npm -o -xdev -path "*/holdfast/src/*.ts"';
  const run = ['run', '--rm', ...RUN_ARGS, '--network', 'none', '--entrypoint', 'sh', IMAGE];
  assert.equal(podman(...run, '-c', `${look}; true`), '');
  const bill = JSON.parse(podman(...run, '-c', 'cat /opt/holdfast/bill.cdx.json')) as {
    readonly components: readonly { readonly name: string }[];
  };
  assert.ok(bill.components.some(({ name }) => name === 'fastify'));
});

/** What stands for the image of the next release: this one, under another digest. */
function next(): string {
  const file = join(folder, 'Containerfile');
  writeFileSync(file, `FROM ${IMAGE}\nLABEL next=yes\n`);
  return file;
}

async function ask<T>(order: Order & { readonly wanted: number }): Promise<T> {
  const answer = await proxy.call(order);
  assert.equal(answer.status, order.wanted, `${order.path}: ${answer.text}`);
  return (JSON.parse(answer.text) as { payload: T }).payload;
}

function tokenFor(ready: Ready, from: string, more: Record<string, string> = {}): Promise<Answer> {
  const body = String(new URLSearchParams({ grant_type: 'client_credentials', ...ready.client }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
  return proxy.call({ host: 'auth', method: 'POST', path: '/token', headers, body, from });
}

async function started(): Promise<Ready> {
  composed('up', '-d', '--no-deps', 'database');
  await healthy(DATABASE);
  assert.match(composed('run', '--rm', '--no-deps', 'migrate'), /^applied 0001_workspaces\.sql$/m);
  composed('up', '-d', '--no-deps', 'holdfast');
  await healthy(HOLDFAST);
  await proxy.serving();
  return readyLine();
}

/** What the node says once it is ready. */
async function readyLine(): Promise<Ready> {
  const said = (): string | undefined =>
    podman('logs', HOLDFAST).split('\n').find((one) => one.startsWith('{"ready":true'));
  const end = Date.now() + WAIT_MS;
  for (let line = said(); ; line = said()) {
    if (line !== undefined) return JSON.parse(line) as Ready;
    assert.ok(Date.now() < end, podman('logs', HOLDFAST));
    await sleep(500);
  }
}

test('behind the proxy it sells; it writes only its data; it stops and starts again', async () => {
  const ready = await started();
  assert.equal(ready.urls.invoicing, 'https://invoicing.example.test');
  const figures = await fetch(`http://127.0.0.1:${internal}/metrics`);
  assert.match(await figures.text(), /^holdfast_database_up 1$/m);
  const { access_token } = JSON.parse((await tokenFor(ready, '127.0.0.9')).text) as {
    access_token: string;
  };
  const { buyer, seller } = ready.accounts;
  const recipient = { amount: 5, currency: 'USD', destination_wallet_id: seller.wallet_id };
  const item = { transaction_type: 'user_to_user', product_sku: 'sku', amount: 5, currency: 'USD' };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const at = { host: 'invoicing', headers };
  const { invoice_id } = await ask<{ invoice_id: string }>({
    ...{ ...at, wanted: 201, method: 'POST', path: '/v2/invoice' },
    body: JSON.stringify({
      ...{ account_id: buyer.account_id, reference_type: 'test', reference_id: '1' },
      payment_methods: [{ payment_method_id: buyer.wallet_payment_method_id }],
      line_items: [{ ...item, recipients: [recipient] }],
    }),
  });
  const path = `/v2/invoice/${invoice_id}`;
  await ask({ ...at, wanted: 200, method: 'POST', path: `${path}/pay` });
  const inside = 'id -u; grep -E "^(CapEff|NoNewPrivs)" /proc/1/status; touch /opt/x 2>&1; true';
  const seen = podman('exec', HOLDFAST, 'sh', '-c', inside);
  assert.match(seen, /^10001\nCapEff:\s0{16}\nNoNewPrivs:\s1\n.*Read-only file system\n$/);
  podman('stop', HOLDFAST);
  assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', HOLDFAST), '0\n');
  podman('start', HOLDFAST);
  await healthy(HOLDFAST);
  await proxy.serving();
  const { state } = await ask<{ state: string }>({ ...at, wanted: 200, path });
  assert.equal(state, 'success');
});

test('an upgrade: another image migrates, takes the place of the node, and finishes', async () => {
  const build = ['build', '--quiet', '--isolation', 'chroot', '--format', 'docker'];
  podman(...build, '--tag', NEXT, '--file', next(), folder);
  runImage(NEXT);
  assert.match(composed('run', '--rm', '--no-deps', 'migrate'), /^rights of holdfast are set$/m);
  composed('up', '-d', '--no-deps', 'holdfast');
  await healthy(HOLDFAST);
  await proxy.serving();
  assert.equal(podman('inspect', '--format', '{{.ImageName}}', HOLDFAST), `${NEXT}\n`);
  const finish = ['run', '--rm', '--no-deps', 'migrate', 'migrate', '--finish'];
  assert.match(composed(...finish), /^the upgrade is finished$/m);
});

test('clients are counted by their own addresses, whatever they write into a header', async () => {
  const ready = await readyLine();
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const claimed = { 'x-forwarded-for': `198.51.100.${n}` };
    const guess = { ...ready, client: { ...ready.client, client_secret: 'guessed' } };
    statuses.push((await tokenFor(guess, '127.0.0.2', claimed)).status);
  }
  assert.deepEqual([statuses.at(0), statuses.at(-1)], [401, 429], statuses.join());
  assert.equal((await tokenFor(ready, '127.0.0.2')).status, 429);
  assert.equal((await tokenFor(ready, '127.0.0.3')).status, 200);
});

test('the proxy publishes no inner host, passes on nothing too large, and says HSTS', async () => {
  for (const host of ['internal', 'processor', 'example']) {
    assert.equal((await proxy.call({ host, path: '/healthz' })).status, 404, host);
  }
  const inner = { host: 'internal', path: 'https://invoicing.example.test/healthz' };
  assert.equal((await proxy.call(inner)).status, 400);
  const headers = { 'content-length': String(2 ** 30) };
  const large = { host: 'invoicing', method: 'POST', path: '/v2/invoice', headers };
  assert.equal((await proxy.call({ ...large, body: '{}' })).status, 413);
  const answer = await proxy.call({ host: 'invoicing', path: '/openapi.json' });
  assert.match(answer.headers['strict-transport-security'] ?? '', /^max-age=/);
});
