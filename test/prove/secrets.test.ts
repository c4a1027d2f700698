// Secrets are replaced while two nodes serve: the master key, those that sign tokens and the audit,
// of a client, an endpoint, a provider and an operator, the password of the database. No request
// fails, and no node is restarted. Credentials for AWS KMS are those of its own battery. [PD3]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import { Api } from '../kit/api.ts';
import { sandboxDatabase, startFleet, type Fleet } from '../kit/platform.ts';
import { CHECKOUT, launch } from '../start/launch.ts';
import { Staff } from '../console/staff.ts';
import { until } from '../kit/until.ts';
import { Provider, Receiver } from './followed-secrets.ts';

const ROLE = 'holdfast_secrets';
const BURST = 8;
/** Nodes follow what is cached within three seconds. */
const FOLLOWED_MS = 4_000;
/** Of the tenant at its card processor, one after the other. */
const KEYS = ['sk_test_theformer1', 'sk_test_thelatter1'] as const;

const folder = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'));
const passwordFile = join(folder, 'password');
const receiver = new Receiver();
const stripe = new Provider();
let fleet: Fleet;
before(async () => {
  const HOLDFAST_KEY_FILE = join(folder, 'keys.json');
  const base = await sandboxDatabase(HOLDFAST_KEY_FILE);
  await base.db.execute(`create role ${ROLE} login password 'first'`);
  writeFileSync(passwordFile, 'first\n');
  const url = new URL(base.url);
  [url.username, url.password] = [ROLE, ''];
  const reached = { DATABASE_URL: url.href, HOLDFAST_DATABASE_PASSWORD_FILE: passwordFile };
  fleet = await startFleet(2, { HOLDFAST_KEY_FILE, ...reached }, [], base);
});
after(async () => {
  await fleet?.stop();
  receiver.close();
  await stripe.close();
  rmSync(folder, { recursive: true, force: true });
});

async function holdfast(...args: string[]): Promise<Record<string, unknown>> {
  const run = launch({
    command: process.execPath,
    args: [join(CHECKOUT, 'src/main.ts'), ...args, '--json'],
    env: fleet.settings,
  });
  assert.equal(await run.ended, 0, run.stderr());
  return JSON.parse(run.stdout()) as Record<string, unknown>;
}

/** Registers, opens, sells and pays: at one node with a token of the other, a new one each time. */
async function round(at: number): Promise<void> {
  const [issuer, other] = [fleet.nodes[at % 2], fleet.nodes[(at + 1) % 2]];
  assert.ok(issuer && other);
  const api = (await Api.open(issuer.ready)).through(other.ready);
  const { account_id } = await api.register(`person ${at} ${performance.now()}`);
  const opened = await api.send('accounts', 'GET', `/v1/user-info/${account_id}`);
  assert.equal(opened.status, 200, opened.text);
  const wallet = { payment_method_id: api.ready.accounts.buyer.wallet_payment_method_id };
  const id = await api.created(api.sale(1, [wallet]));
  const paid = await api.send('invoicing', 'POST', `/v2/invoice/${id}/pay`);
  assert.equal(paid.status, 200, paid.text);
}

/** Two callers until told to end; gives how many rounds they made, and what failed. */
function load(): { stop(): Promise<{ rounds: number; failed: string[] }> } {
  const seen = { rounds: 0, failed: [] as string[] };
  let open = true;
  const callers = [0, 1].map(async (first) => {
    for (let at = first; open; at += 3) {
      await round(at).then(
        () => (seen.rounds += 1),
        (error: unknown) => seen.failed.push(String(error)),
      );
    }
  });
  return {
    async stop() {
      open = false;
      await Promise.all(callers);
      return seen;
    },
  };
}

async function kidOf(): Promise<string> {
  const [node] = fleet.nodes;
  assert.ok(node);
  return decodeProtectedHeader(await new Api(node.ready).token()).kid ?? '';
}

async function integratorOf(): Promise<string> {
  const [home] = await fleet.db.query<{ integrator: string }>(
    'select integrator from workspace order by workspace limit 1',
  );
  return home?.integrator ?? '';
}

/** Connections of the nodes that were made after a moment of the database's clock. */
async function madeSince(moment: string): Promise<number> {
  const rows = await fleet.db.query({
    text: `select from pg_stat_activity where usename = $1 and backend_start > $2
      and application_name <> 'holdfast cli'`,
    values: [ROLE, moment],
  });
  return rows.length;
}

async function newPassword(): Promise<string> {
  await fleet.db.execute(`alter role ${ROLE} password 'second'`);
  writeFileSync(passwordFile, 'second\n');
  const [row] = await fleet.db.query<{ now: string }>('select clock_timestamp() as now');
  return row?.now ?? '';
}

/** Connects the tenant by this key, or replaces the one that it is connected by. */
async function connect(secret_key: string): Promise<void> {
  const credentials = join(folder, 'stripe.json');
  writeFileSync(credentials, JSON.stringify({ secret_key, webhook_secrets: [] }));
  const place = ['--integrator', await integratorOf(), '--kind', 'processor'];
  const given = ['--credentials', credentials, '--base-url', stripe.url];
  await holdfast('provider', 'set', ...place, '--provider', 'stripe', ...given);
}

/** The provider is asked with this key, and from then on with no other. */
async function asked(key: string): Promise<void> {
  await pause(FOLLOWED_MS);
  stripe.keys.clear();
  await until('a call to the provider', async () => {
    await fleet.db.execute('update statement_cursor set due = clock_timestamp()');
    await pause(100);
    return stripe.keys.size > 0;
  });
  assert.deepEqual([...stripe.keys], [key]);
}

/** An operator signs in at one node, is reset, and signs in with what was printed at the other. */
async function resetOperator(): Promise<void> {
  const printed = (record: object): string => {
    return Object.entries(record).map(([name, value]) => `${name} ${value}\n`).join('');
  };
  const [one, two] = fleet.nodes.map(({ ready }) => new Staff(ready.urls.console));
  assert.ok(one && two);
  const wish = ['--name', 'Vera', '--username', 'vera', '--roles', 'support'];
  one.hired(printed(await holdfast('operator', 'create', ...wish)));
  const before = await one.at('vera');
  assert.equal((await before.get('/')).status, 200);
  two.hired(printed({ username: 'vera', ...(await holdfast('operator', 'reset', 'vera')) }));
  await two.at('vera');
  assert.notEqual((await before.get('/')).status, 200, 'who was signed in before is not any more');
}

test('all secrets are replaced under load, and no request fails', async (t) => {
  await stripe.open();
  await connect(KEYS[0]);
  await asked(KEYS[0]);
  const service = load();
  const [node] = fleet.nodes;
  assert.ok(node);
  await receiver.open(await Api.open(node.ready));
  const kid = await kidOf();
  const audited = 'select key from audit_key where retired is null';
  const auditKey = await fleet.db.query(audited);

  assert.equal((await holdfast('keys', 'rotate'))['v1'], 0);
  await holdfast('keys', 'rotate-signing');
  await holdfast('keys', 'rotate-audit');
  await pause(FOLLOWED_MS);
  assert.notEqual(await kidOf(), kid);
  assert.notDeepEqual(await fleet.db.query(audited), auditKey);

  const { client_id } = node.ready.client;
  const rotated = await holdfast('client', 'rotate', '--client-id', client_id);
  const client = { client_id, client_secret: String(rotated['client_secret']) };
  for (const one of [client, node.ready.client]) {
    await Api.open({ ...node.ready, client: one });
  }

  await receiver.replace(await Api.open(node.ready));
  await connect(KEYS[1]);
  await asked(KEYS[1]);
  await resetOperator();

  await holdfast('tenant', 'currencies', await integratorOf(), '--add', 'CHF');

  const moment = await newPassword();
  await Promise.all(Array.from({ length: BURST }, (_, at) => round(at)));
  assert.ok((await madeSince(moment)) > 0, 'connections were made with the new password');

  const { rounds, failed } = await service.stop();
  t.diagnostic(`${rounds} rounds beside a burst of ${BURST}: ${failed.length} failed`);
  assert.deepEqual(failed, []);
  assert.deepEqual(receiver.refused, []);
  assert.equal(receiver.verified.size, 2, 'by each secret of the endpoint');
  assert.ok(rounds > 20, `${rounds} rounds`);
  const [{ accounts = 0n, wallets = 0n } = {}] = await fleet.db.query<Record<string, bigint>>(
    `select (select count(*) from account) as accounts,
      (select count(*) from wallet where currency = 'CHF' and account_id is not null) as wallets`,
  );
  assert.equal(wallets, accounts, 'those registered meanwhile have a wallet in the currency too');
  assert.equal((await holdfast('verify'))['ok'], true);
  assert.deepEqual(fleet.faults(), []);
});

test('payouts in an added currency wait for money at the provider of the tenant', async () => {
  const credentials = join(folder, 'stripe.json');
  writeFileSync(credentials, '{"secret_key": "sk_test_ofnobody", "webhook_secrets": []}');
  const integrator = await integratorOf();
  const place = ['--integrator', integrator, '--kind', 'processor', '--provider', 'stripe'];
  const given = ['--credentials', credentials, '--base-url', 'http://127.0.0.1:9'];
  await holdfast('provider', 'set', ...place, ...given);
  await holdfast('tenant', 'currencies', integrator, '--add', 'NOK,CHF');
  const open = await fleet.db.query<{ currency: string }>(
    "select currency from funds where place = 'processor' and currency in ('NOK', 'CHF')",
  );
  assert.deepEqual(open.map(({ currency }) => currency).toSorted(), ['CHF', 'NOK']);
});
