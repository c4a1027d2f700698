// docs/operations.md and docs/every-day.md as they stand, from an empty PostgreSQL server to two
// nodes of production that are monitored, restored, upgraded, stopped and given new secrets: every
// command in the pages' order, each block in a new terminal. Time passes for a replaced key alone.
import assert from 'node:assert/strict';
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Staff } from '../console/staff.ts';
import { selfSigned } from '../kit/certificate.ts';
import { openFront, type Front } from '../kit/front/index.ts';
import { DOMAIN } from '../kit/front/names.ts';
import { freePort, startProxy, type Proxy } from '../kit/haproxy.ts';
import { faultsOf } from '../kit/platform.ts';
import { openStripe, type StripeServer } from '../kit/stripe/server.ts';
import { until } from '../kit/until.ts';
import { CHECKOUT, endAll, freeBlock, launch, terminate } from '../start/launch.ts';
import type { Launched } from '../start/launch.ts';
import { write, type Step, type Terminal } from './guide.ts';
import { Machine, operatorSteps, SEPARATE } from './machine.ts';
import { elsewhere } from './page-rows.ts';

/** What stands in angle brackets in the pages. */
const facts = new Map<string, string>();
/** The nodes of the two machines. */
const nodes: (Launched | undefined)[] = [];
const typed: string[] = [];
let logged = '';
let machine: Machine;
let folder: string;
let stripe: StripeServer;
let front: Front;
let proxy: Proxy;
let terminal: Terminal | undefined;
let staff: Staff;
let ports: readonly number[];
let prometheus: string;

before(async () => {
  machine = await Machine.open();
  ({ folder } = machine);
  stripe = await openStripe();
  ports = [await freePort(), await freePort()];
  prometheus = `127.0.0.1:${await freePort()}`;
  front = await openFront(ports[0] as number, folder);
  Object.assign(machine.env, front.env);
  staff = new Staff(`https://console.${DOMAIN}:${front.port}`);
  machine.replaced.push(
    ['127.0.0.1:9090', prometheus],
    ['=7500', `=${ports[0]}`],
    ['HOLDFAST_PROXY_PORT=7600', `HOLDFAST_PROXY_PORT=${await freePort()}`],
    ['--port-base 7600', `--port-base ${await freeBlock()}`],
    [/(?<=\.)pay\.example\.com/g, `${DOMAIN}:${front.port}`],
    ['--provider stripe', `--provider stripe --base-url ${stripe.url}`],
  );
  for (const part of ['deploy', 'docs/generated/monitoring']) {
    cpSync(join(CHECKOUT, part), join(machine.files, part), { recursive: true });
  }
  writeFileSync(join(machine.files, 'terms.txt'), 'Pay what you owe.\n');
});
after(async () => {
  terminal?.close();
  for (const place of ports.keys()) await end(place);
  await proxy?.stop();
  endAll();
  front?.stop();
  await stripe?.close();
  await machine?.close();
});

function filled(text: string): string {
  const placed = machine.filled(text);
  return placed.replaceAll(/<([^<>\n]+)>/g, (whole, name: string) => facts.get(name) ?? whole);
}

/** Starts the node of a machine by its settings and those of the unit, as systemd does. */
async function serve(place: number): Promise<void> {
  const unit = readFileSync(join(folder, 'etc/systemd/system/holdfast.service'), 'utf8');
  const own = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) =>
    [name, filled(value ?? '')]);
  const settings = { ...Object.fromEntries(own), ...machine.settings(place === 1), ...front.env };
  const node = await machine.start({ ...settings, HOLDFAST_PROXY_PORT: String(ports[place]) });
  nodes[place] = node;
  const { urls } = (await node.ready()) as { urls: Record<string, string> };
  const monitored = [`10.0.0.1${place + 1}:7411`, new URL(urls['internal'] ?? '').host] as const;
  machine.replaced.unshift(monitored);
}

async function end(place: number): Promise<void> {
  const node = nodes[place];
  nodes[place] = undefined;
  if (node === undefined) return;
  await terminate(node);
  logged += node.stderr();
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

/** A setting of PostgreSQL that a reload cannot change is not changed here: its address. */
const reloaded = (): Promise<string> =>
  machine.typed('sudo -u postgres psql --command "select pg_reload_conf()"');

/** What systemd does, on the machine of this place. */
const SYSTEMD: Readonly<Record<string, (place: number) => Promise<unknown>>> = {
  'enable --now holdfast': serve,
  'start holdfast': serve,
  'stop holdfast': end,
  'restart holdfast': (place) => end(place).then(() => serve(place)),
  'restart postgresql': reloaded,
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
  remember(await machine.asService('holdfast tenant create --name "My shop" --currencies EUR'));
  const roles = '--username vera --roles supervisor';
  staff.hired(await machine.asService(`holdfast operator create --name "Vera" ${roles}`));
  await staff.at('vera');
}

/** What a restore will not know, though the nodes anchor it when they stop. */
async function more(): Promise<void> {
  await machine.asService('holdfast tenant create --name "Made later" --currencies EUR');
  const count = '--dbname=holdfast --command "select count(*) from audit_pending"';
  const pending = (): Promise<string> => machine.typed(`sudo -u postgres psql -At ${count}`);
  await until('it is sealed', async () => (await pending()) === '0\n');
}

/** How many tenants there are of the backup, and of after it. */
async function restored(): Promise<void> {
  const count = `"select name, count(*) from tenant where name ~ 'My|Made' group by 1 order by 1"`;
  const of = (database: string): Promise<string> =>
    machine.typed(`sudo -u postgres psql -At --dbname=${database} --command ${count}`);
  assert.equal(await of('lost_holdfast'), 'Made later|1\nMy shop|1\n');
  assert.equal(await of('holdfast'), 'My shop|1\n');
}

/** A quarter of an hour passes for the replaced key. */
async function waited(): Promise<void> {
  const file = join(folder, 'var/lib/holdfast/keys.json');
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
  const client = await machine.asService(`holdfast client create ${named}`);
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
  [/^sudo -u postgres pg_dump/, somebody],
  [/^holdfast keys drop/, waited],
  [/^holdfast provider set/, credentials],
  [/^holdfast person hold/, account],
];

/** The same, done after it. */
const AFTER: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
  [/^sudo -u postgres pg_dump/, more],
  [/^holdfast restored$/, restored],
];

/** What a command must print. */
const SAYS: readonly (readonly [RegExp, RegExp])[] = [
  [/holdfast migrate$/, /^(?:Nothing to do|applied 0001_workspaces\.sql$)/m],
  [/holdfast migrate$/, /^rights of service are set$/m],
  [/^holdfast migrate --finish$/, /^the upgrade is finished$/m],
  [/^holdfast check$/, /^ok +connection +encrypted by TLS, and the server is verified$/m],
  [/^holdfast check$/, /^ok +role +service, which owns nothing$[^]+^ok +schema +of this release/m],
  [/^curl .*well-known/, /"issuer":"https:\/\/auth\.pay\.example\.com/],
  [/^promtool check config/, /SUCCESS: \d+ rules found/],
  [/^promtool query/, /=> 2 @/],
  [/^holdfast verify --whole$/, /^All \d+ laws hold\.$/m],
  [/^holdfast start /, /Holdfast is ready \(production\)/],
  [/^holdfast reconcile$/, /^No open items\.$/m],
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
  const file = join(folder, 'scratch/ready.txt');
  const ready = `grep -q 'is ready' ${file}`;
  const wait = `until ${ready}; do kill -0 $! || break; sleep 0.2; done`;
  return `${command} > ${file} & ${wait}; ${ready} && kill $! && wait $!; cat ${file}`;
}

/** The first proof after the restore finds what was anchored after the backup, and nothing else. */
const isFirstProof = (text: string): boolean =>
  text === 'holdfast verify --whole' && typed.filter((one) => one === text).length === 1;

/** A command that the harness does, as no terminal here could; false: it is to be typed. */
async function done(text: string): Promise<boolean> {
  const [, far, unit = ''] = /^(?:sudo |(ssh root@10\.0\.0\.12 ))?systemctl (.*)$/.exec(text) ?? [];
  const systemd = SYSTEMD[unit];
  if (systemd !== undefined) await systemd(far === undefined ? 0 : 1);
  return systemd !== undefined || elsewhere(text) !== null;
}

/** `opening`: what each terminal of the page begins with. */
async function take(step: Step, opening: readonly string[]): Promise<void> {
  if (step.kind === 'file') return write(filled(step.path), filled(step.text));
  if (step.opens) {
    terminal?.close();
    terminal = machine.terminal();
    if (step.text !== opening[0]) for (const one of opening) await terminal.run(filled(one));
  }
  if (await done(step.text)) return undefined;
  typed.push(step.text);
  for (const [fits, act] of BEFORE) if (fits.test(step.text)) await act();
  const whose = /<code of (\w+)>/.exec(step.text)?.[1];
  if (whose !== undefined) facts.set(`code of ${whose}`, await staff.code(whose));
  const command = filled(step.text);
  assert.doesNotMatch(command, /<[^>]+>/);
  const person = /Password of (\w+)/.exec(command)?.[1];
  const passwords = person === undefined ? [] : [staff.passwordOf(person)];
  const line = command.startsWith('holdfast start') ? untilReady(command) : command;
  const breaks = isFirstProof(step.text);
  const out = (await terminal?.run(line, passwords, breaks ? 1 : 0)) ?? '';
  remember(out);
  const says = breaks ? [] : SAYS.filter(([fits]) => fits.test(step.text));
  for (const [, what] of says) assert.match(out, what, step.text);
  if (breaks) assert.match(out, /^BROKEN .*audit_anchors[^]+is gone: it was anchored at/m);
  if (breaks) assert.equal(out.match(/^BROKEN/gm)?.length, 1, out);
  for (const [fits, act] of AFTER) if (fits.test(step.text)) await act();
}

for (const [page, least] of [['operations', 80], ['every-day', 20]] as const) {
  test(`every command of ${page}.md works, in its order`, { timeout: 900_000 }, async (t) => {
    const steps = operatorSteps(page);
    assert.ok(steps.length > least, String(steps.length));
    const second = steps.findIndex((step, n) => n > 0 && step.kind === 'command' && step.opens);
    const opening = page === 'every-day' ? steps.slice(0, second).map(({ text }) => text) : [];
    for (const step of steps) {
      const began = performance.now();
      await take(step, opening);
      const ms = Math.round(performance.now() - began);
      if (step.kind === 'command') t.diagnostic(`${ms} ms: ${step.text.slice(0, 100)}`);
    }
  });
}

test('the account of the service reads nothing of the owner, and changes no setting', (t) => {
  if (!SEPARATE) {
    t.diagnostic('left out: only root can type as two accounts, in a checkout open to others');
    return;
  }
  const safe = join(folder, 'mnt/safe');
  const settings = join(folder, 'etc/holdfast');
  const reads = (path: string): boolean => machine.serviceCan('cat', path);
  const kept = readdirSync(safe);
  assert.ok(kept.includes('owner-password') && kept.includes('owner.env'), kept.join());
  for (const name of kept) assert.equal(reads(join(safe, name)), false, name);
  assert.equal(reads(join(folder, 'mnt/backup/holdfast.dump')), false);
  for (const name of ['holdfast.env', 'server-password']) {
    assert.equal(reads(join(settings, name)), true, name);
  }
  for (const path of [settings, ...readdirSync(settings).map((name) => join(settings, name))]) {
    assert.equal(machine.serviceCan('test', '-w', path), false, path);
  }
  // A folder that is open again is seen.
  chmodSync(safe, 0o755);
  chmodSync(join(safe, 'owner-password'), 0o644);
  assert.equal(reads(join(safe, 'owner-password')), true);
});

test('every replaced secret and every stop was followed without a fault', async () => {
  const rows = [...SAYS, ...BEFORE, ...AFTER];
  for (const [fits] of rows) assert.ok(typed.some((text) => fits.test(text)), String(fits));
  for (const place of ports.keys()) await end(place);
  assert.deepEqual(faultsOf(logged), []);
});
