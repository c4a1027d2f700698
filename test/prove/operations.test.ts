// docs/operations.md and docs/every-day.md as they stand, from an empty PostgreSQL server to two
// nodes of production that are monitored, restored for practice, upgraded, stopped and given new
// secrets: every command in the pages' order. Time passes for a replaced key alone.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { oldestBinaries, startTestServer } from '../../src/db/embedded/test-server.ts';
import type { TestServer } from '../../src/db/embedded/test-server.ts';
import { Staff } from '../console/staff.ts';
import { selfSigned } from '../kit/certificate.ts';
import { openFront, type Front } from '../kit/front/index.ts';
import { DOMAIN } from '../kit/front/names.ts';
import { freePort, startProxy, type Proxy } from '../kit/haproxy.ts';
import { faultsOf, startNode } from '../kit/platform.ts';
import { openStripe, type StripeServer } from '../kit/stripe/server.ts';
import { until } from '../kit/until.ts';
import { CHECKOUT, cleanEnvironment, endAll, freeBlock, launch } from '../start/launch.ts';
import { remove, temporaryFolder, terminate, type Launched } from '../start/launch.ts';
import { putPrograms, stepsOf, Terminal, write, type Step } from './guide.ts';
import { elsewhere } from './page-rows.ts';

const folder = temporaryFolder();
const files = join(folder, 'checkout');
/** What stands in angle brackets in the pages. */
const facts = new Map<string, string>();
const nodes: Launched[] = [];
const replaced: (readonly [string | RegExp, string])[] = [];
const typed: string[] = [];
let logged = '';
let server: TestServer;
let stripe: StripeServer;
let front: Front;
let proxy: Proxy;
let terminal: Terminal;
let staff: Staff;
let ports: readonly number[];
let prometheus: string;

before(async () => {
  const binaries = oldestBinaries();
  assert.ok(binaries, 'this needs the programs of PostgreSQL: apt-get install postgresql');
  server = await startTestServer(binaries);
  stripe = await openStripe();
  ports = [await freePort(), await freePort()];
  prometheus = `127.0.0.1:${await freePort()}`;
  front = await openFront(ports[0] as number, folder);
  staff = new Staff(`https://console.${DOMAIN}:${front.port}`);
  const { hostname, port } = new URL(server.url);
  const drill = String(await freeBlock());
  replaced.push(
    ['127.0.0.1:5432', `${hostname}:${port}`],
    // The name of the test server's own superuser.
    [/(?<=(?:create|alter) role |postgres:\/\/)holdfast\b/g, 'service'],
    ['127.0.0.1:9090', prometheus],
    ['=7500', `=${ports[0]}`],
    ['HOLDFAST_PROXY_PORT=7600', `HOLDFAST_PROXY_PORT=${await freePort()}`],
    ['--port-base 7600', `--port-base ${drill}`],
    [/(?<=\.)pay\.example\.com/g, `${DOMAIN}:${front.port}`],
    [/(?<![\w.*])\/(?=(?:etc|var|mnt|tmp)\/)/g, `${folder}/`],
    ['--provider stripe', `--provider stripe --base-url ${stripe.url}`],
  );
  for (const part of ['deploy', 'docs/generated/monitoring']) {
    cpSync(join(CHECKOUT, part), join(files, part), { recursive: true });
  }
  writeFileSync(join(files, 'terms.txt'), 'Pay what you owe.\n');
  for (const place of ['etc/holdfast', 'etc/haproxy', 'etc/systemd/system', 'var/lib/holdfast']) {
    write(join(folder, place, 'x'), '');
  }
  for (const place of ['mnt/safe/x', 'mnt/backup/x', 'etc/prometheus/x']) {
    write(join(folder, place), '');
  }
  putPrograms(join(folder, 'bin'), new URL(server.url));
  const own = cleanEnvironment();
  const PATH = `${join(folder, 'bin')}:${own['PATH']}`;
  terminal = new Terminal(files, { ...own, ...front.env, PATH });
  // As on a fresh machine.
  await terminal.run('sudo -u postgres dropdb holdfast');
});
after(async () => {
  terminal?.close();
  await ended();
  await proxy?.stop();
  endAll();
  front?.stop();
  await stripe?.close();
  await server?.stop();
  remove(folder);
});

function filled(text: string): string {
  const placed = replaced.reduce<string>((all, [from, to]) => all.replaceAll(from, to), text);
  return placed.replaceAll(/<([^<>\n]+)>/g, (whole, name: string) => facts.get(name) ?? whole);
}

/** Starts both nodes by the settings of the page and of the unit, as systemd does. */
async function serve(): Promise<void> {
  const unit = readFileSync(join(folder, 'etc/systemd/system/holdfast.service'), 'utf8');
  const own = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line]) => filled(line ?? ''));
  const file = readFileSync(join(folder, 'etc/holdfast/holdfast.env'), 'utf8');
  const lines = [...own, ...file.trim().split('\n')];
  const env = Object.fromEntries(
    lines.map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
  for (const [n, port] of ports.entries()) {
    const node = await startNode({ ...env, ...front.env, HOLDFAST_PROXY_PORT: String(port) });
    nodes.push(node);
    const { urls } = (await node.ready()) as { urls: Record<string, string> };
    replaced.push([`10.0.0.1${n + 1}:7411`, new URL(urls['internal'] ?? '').host]);
  }
}

async function ended(): Promise<void> {
  for (const node of nodes.splice(0)) {
    await terminate(node);
    logged += node.stderr();
  }
}

/** The proxy on both nodes, by the same file. */
async function openProxy(): Promise<void> {
  proxy = await startProxy(ports);
  await proxy.serving();
}

async function monitor(): Promise<void> {
  const args = [
    `--config.file=${join(folder, 'etc/prometheus/prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
    `--web.listen-address=${prometheus}`,
  ];
  launch({ command: 'prometheus', args });
  const query = `http://${prometheus}/api/v1/query?query=${encodeURIComponent('sum(up)')}`;
  await until('Prometheus sees both nodes', async () => {
    const answer = await fetch(query).then((one) => one.text(), () => '');
    return /"2"\]/.test(answer);
  });
}

/** What systemd does. */
const SYSTEMD: Readonly<Record<string, () => Promise<void>>> = {
  'enable --now holdfast': serve,
  'restart holdfast': () => ended().then(serve),
  'reload haproxy': openProxy,
  'reload prometheus': monitor,
};

/** The certificate of the proxy, and where it lies here. */
async function certificate(): Promise<void> {
  const { key, cert } = selfSigned(`*.${DOMAIN}`);
  writeFileSync(join(folder, 'etc/haproxy/holdfast.pem'), cert + key, { mode: 0o600 });
  const file = join(folder, 'etc/haproxy/haproxy.cfg');
  writeFileSync(file, filled(readFileSync(file, 'utf8')).replace('log /dev/log local0', ''));
}

/** A tenant, and somebody who may resume what was stopped. */
async function somebody(): Promise<void> {
  const made = await terminal.run('holdfast tenant create --name "My shop" --currencies EUR');
  remember(made);
  const roles = '--username vera --roles supervisor';
  staff.hired(await terminal.run(`holdfast operator create --name "Vera" ${roles}`));
  await staff.at('vera');
}

/** A quarter of an hour passes for the replaced key. */
async function waited(): Promise<void> {
  const file = join(folder, 'etc/holdfast/keys.json');
  const keys = JSON.parse(readFileSync(file, 'utf8')) as { replaced: Record<string, string> };
  const before = new Date(Date.now() - 3_600_000).toISOString();
  const past = Object.keys(keys.replaced).map((version) => [version, before]);
  writeFileSync(file, JSON.stringify({ ...keys, replaced: Object.fromEntries(past) }));
}

async function credentials(): Promise<void> {
  const secrets = { secret_key: 'sk_live_operations1', webhook_secrets: [] };
  writeFileSync(join(folder, 'etc/holdfast/stripe.json'), JSON.stringify(secrets));
}

/** An account, made by a client as the tenant's server does. */
async function account(): Promise<void> {
  const named = `--integrator ${facts.get('integrator')} --name probe --scopes all`;
  const client = await terminal.run(`holdfast client create ${named}`);
  const of = (name: string): string => new RegExp(`^${name} +(\\S+)$`, 'm').exec(client)?.[1] ?? '';
  const grant = { grant_type: 'client_credentials', client_id: of('client_id') };
  const body = new URLSearchParams({ ...grant, client_secret: of('client_secret') });
  const at = (host: string, path: string): string =>
    `https://${host}.${DOMAIN}:${front.port}${path}`;
  const given = await fetch(at('auth', '/token'), { method: 'POST', body });
  const { access_token } = (await given.json()) as { access_token: string };
  const answer = await fetch(at('accounts', '/register'), {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'somebody' }),
  });
  const made = (await answer.json()) as { payload: { account_id: string } };
  facts.set('account', made.payload.account_id);
}

/** What the pages say between two commands: done before the one that fits. */
const BEFORE: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
  [/^haproxy -c/, certificate],
  [/^holdfast stop payouts$/, somebody],
  [/^holdfast keys drop/, waited],
  [/^holdfast provider set/, credentials],
  [/^holdfast person hold/, account],
];

/** What a command must print. */
const SAYS: readonly (readonly [RegExp, RegExp])[] = [
  [/^HOLDFAST_OWNER_URL="\$OWNER" holdfast migrate/, /^rights of service are set$/m],
  [/holdfast migrate$/, /^(?:Nothing to do|applied 0001_workspaces\.sql$)/m],
  [/^holdfast check$/, /^ok +role +service, which owns nothing$[^]+^ok +schema +of this release/m],
  [/^curl .*well-known/, /"issuer":"https:\/\/auth\.pay\.example\.com/],
  [/^promtool check config/, /SUCCESS: \d+ rules found/],
  [/^promtool query/, /=> 2 @/],
  [/^holdfast verify$/, /^All \d+ laws hold\.$/m],
  [/^holdfast start /, /Holdfast is ready \(production\)/],
  [/^holdfast stop$/, /^payouts of all [^]+^provider:stripe of all /m],
  [/^holdfast resume payouts/, /^state +resumed$/m],
  [/^holdfast keys rotate$/, /v2/],
  [/^holdfast provider list$/, /stripe/],
  [/^holdfast person erase/, /acct_/],
];

function remember(out: string): void {
  for (const name of ['integrator', 'client_id']) {
    const [, found] = new RegExp(`^${name} +(\\S+)$`, 'm').exec(out) ?? [];
    if (found !== undefined) facts.set(name, found);
  }
}

/** A start in the terminal, ended once it is ready. */
function untilReady(command: string): string {
  const ready = "grep -q 'is ready' ready.txt";
  const wait = `until ${ready}; do kill -0 $! || break; sleep 0.2; done`;
  return `${command} > ready.txt & ${wait}; ${ready} && kill $! && wait $!; cat ready.txt`;
}

async function take(step: Step): Promise<void> {
  if (step.kind === 'file') return write(filled(step.path), filled(step.text));
  const systemd = SYSTEMD[/^sudo systemctl (.*)$/.exec(step.text)?.[1] ?? ''];
  if (systemd !== undefined) return systemd();
  if (elsewhere(step.text) !== null) return undefined;
  typed.push(step.text);
  for (const [fits, act] of BEFORE) if (fits.test(step.text)) await act();
  const whose = /<code of (\w+)>/.exec(step.text)?.[1];
  if (whose !== undefined) facts.set(`code of ${whose}`, await staff.code(whose));
  const command = filled(step.text);
  assert.doesNotMatch(command, /<[^>]+>/);
  const person = /Password of (\w+)/.exec(command)?.[1];
  const passwords = person === undefined ? [] : [staff.passwordOf(person)];
  const line = command.startsWith('holdfast start') ? untilReady(command) : command;
  const out = await terminal.run(line, passwords);
  remember(out);
  for (const [fits, says] of SAYS) if (fits.test(step.text)) assert.match(out, says, step.text);
}

for (const [page, least] of [['operations', 40], ['every-day', 20]] as const) {
  test(`every command of ${page}.md works, in its order`, { timeout: 600_000 }, async (t) => {
    const steps = stepsOf(readFileSync(join(CHECKOUT, `docs/${page}.md`), 'utf8'));
    assert.ok(steps.length > least, String(steps.length));
    for (const step of steps) {
      const began = performance.now();
      await take(step);
      const ms = Math.round(performance.now() - began);
      if (step.kind === 'command') t.diagnostic(`${ms} ms: ${step.text.slice(0, 100)}`);
    }
  });
}

test('every replaced secret and every stop was followed without a fault', async () => {
  for (const row of [...SAYS, ...BEFORE]) assert.ok(typed.some((text) => row[0].test(text)));
  await ended();
  assert.deepEqual(faultsOf(logged), []);
});
