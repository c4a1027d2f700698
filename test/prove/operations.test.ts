// docs/operations.md and docs/every-day.md as they stand, from an empty PostgreSQL server to two
// nodes of production that are monitored, restored, upgraded, stopped and given new secrets: every
// command in the pages' order, each block in a new terminal. Time passes for a replaced key alone.
import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { selfSigned } from '../kit/certificate.ts';
import { DOMAIN } from '../kit/front/names.ts';
import { freePort, startProxy, type Proxy } from '../kit/haproxy.ts';
import { faultsOf } from '../kit/platform.ts';
import { until } from '../kit/until.ts';
import { freeBlock, launch } from '../start/launch.ts';
import type { Reader, Story } from './guide.ts';
import { openingOf, operatorSteps, SEPARATE, type Machine } from './machine.ts';
import { Production } from './production.ts';

let production: Production;
let machine: Machine;
let reader: Reader;
let folder: string;
let proxy: Proxy;
let prometheus: string;

before(async () => {
  production = await Production.open();
  ({ machine, reader } = production);
  ({ folder } = machine);
  prometheus = `127.0.0.1:${await freePort()}`;
  machine.replaced.push(
    ['127.0.0.1:9090', prometheus],
    ['HOLDFAST_PROXY_PORT=7600', `HOLDFAST_PROXY_PORT=${await freePort()}`],
    ['--port-base 7600', `--port-base ${await freeBlock()}`],
  );
  Object.assign(production.systemd, { 'reload haproxy': openProxy, 'reload prometheus': monitor });
  writeFileSync(join(machine.files, 'terms.txt'), 'Pay what you owe.\n');
});
after(async () => {
  await proxy?.stop();
  await production?.close();
});

/** The proxy on both nodes, by the same file. */
async function openProxy(): Promise<void> {
  proxy = await startProxy(production.ports);
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

/** The certificate of the proxy, and where it lies here. */
async function certificate(): Promise<void> {
  const { key, cert } = selfSigned(`*.${DOMAIN}`);
  writeFileSync(join(folder, 'etc/haproxy/holdfast.pem'), cert + key, { mode: 0o600 });
  const file = join(folder, 'etc/haproxy/haproxy.cfg');
  const text = machine.filled(readFileSync(file, 'utf8'));
  writeFileSync(file, text.replace('log /dev/log local0', ''));
}

/** A tenant, and somebody who may resume what was stopped. */
async function somebody(): Promise<void> {
  const made = await machine.asService('holdfast tenant create --name "My shop" --currencies EUR');
  reader.facts.set('integrator', valueOf(made, 'integrator'));
  const vera = '--name "Vera" --username vera --roles supervisor';
  production.staff.hired(await machine.asService(`holdfast operator create ${vera}`));
  await production.staff.at('vera');
}

const valueOf = (printed: string, name: string): string =>
  new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? assert.fail(name);

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
  machine.write('/var/lib/holdfast/stripe.json', JSON.stringify(secrets));
}

/** An account, made by a client as the tenant's server does. */
async function account(): Promise<void> {
  const named = `--integrator ${reader.facts.get('integrator')} --name probe --scopes all`;
  const client = await machine.asService(`holdfast client create ${named}`);
  const grant = { grant_type: 'client_credentials', client_id: valueOf(client, 'client_id') };
  const body = new URLSearchParams({ ...grant, client_secret: valueOf(client, 'client_secret') });
  const given = await fetch(production.url('auth', '/token'), { method: 'POST', body });
  const { access_token } = (await given.json()) as { access_token: string };
  const answer = await fetch(production.url('accounts', '/register'), {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'somebody' }),
  });
  const made = (await answer.json()) as { payload: { account_id: string } };
  reader.facts.set('account', made.payload.account_id);
}

const STORY: Story = {
  before: [
    [/^haproxy -c/, certificate],
    [/^sudo -u postgres pg_dump/, somebody],
    [/^holdfast keys drop/, waited],
    [/^holdfast provider set/, credentials],
    [/^holdfast person hold/, account],
  ],
  after: [
    [/^sudo -u postgres pg_dump/, more],
    [/^holdfast restored$/, restored],
    [/^holdfast verify --whole$/, anchored],
  ],
  says: [
    [/holdfast migrate$/, /^(?:The schema is up|applied 0001_workspaces\.sql$)/m],
    [/holdfast migrate$/, /^rights of service are set$/m],
    [/^holdfast migrate --finish$/, /^the upgrade is finished$/m],
    [/^holdfast check$/, /^ok +connection +encrypted by TLS, and the server is verified$/m],
    [/^holdfast check$/, /^ok +role +service, which owns nothing$/m],
    [/^holdfast check$/, /^ok +schema +of this release/m],
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
  ],
  does: (text) => production.does(text),
  // The first proof after the restore.
  code: (text) => Number(text === PROOF && proofs() === 1),
  line: (command) => (command.startsWith('holdfast start') ? untilReady(command) : command),
};
const PROOF = 'holdfast verify --whole';
const proofs = (): number => reader.typed.filter((text) => text === PROOF).length;

/** The first proof finds what was anchored after the backup, and nothing else. */
function anchored(out: string): void {
  if (proofs() > 1) return;
  assert.match(out, /^BROKEN .*audit_anchors[^]+is gone: it was anchored at/m);
  assert.equal(out.match(/^BROKEN/gm)?.length, 1, out);
}

/** A start in the terminal, ended once it is ready. */
function untilReady(command: string): string {
  const file = join(folder, 'scratch/ready.txt');
  const ready = `grep -q 'is ready' ${file}`;
  const wait = `until ${ready}; do kill -0 $! || break; sleep 0.2; done`;
  return `${command} > ${file} & ${wait}; ${ready} && kill $! && wait $!; cat ${file}`;
}

for (const [page, least] of [['operations', 80], ['every-day', 20]] as const) {
  test(`every command of ${page}.md works, in its order`, { timeout: 900_000 }, async (told) => {
    const steps = operatorSteps(page);
    assert.ok(steps.length > least, String(steps.length));
    const opening = page === 'every-day' ? openingOf(steps) : [];
    await reader.read(steps, STORY, { opening, told });
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
  reader.usedAll(STORY);
  for (const place of production.ports.keys()) await production.end(place);
  assert.deepEqual(faultsOf(production.log()), []);
});
