// `holdfast provider` and `holdfast check` with a provider that only tests register: what is
// connected where, what is refused, and that credentials are printed and kept nowhere.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import type { ProviderRow } from '../../src/providers/port.ts';
import { openInstallation } from '../../src/system.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

const FAKE: ProviderRow = {
  kind: 'processor',
  name: 'fake',
  holdDays: 30,
  load: () => import('../kit/fake-provider/index.ts'),
};
const SECRET = 'sk_test_neverseen';

const home = mkdtempSync(join(tmpdir(), 'holdfast-provider-'));
let base: TestDatabase;
let outside: Server;
let url = '';
let [one, two] = ['', ''];
let printed = '';

before(async () => {
  base = await testDatabase();
  // The provider, and the address that its webhooks go to.
  outside = createServer(({ url: path, headers }, response) => {
    const good = headers.authorization === `Bearer ${SECRET}`;
    response.writeHead(path === '/account' && good ? 200 : 401).end();
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const made = () => json('tenant', 'create', '--name', 'Shop', '--currencies', 'USD');
  [one, two] = [String((await made())['integrator']), String((await made())['integrator'])];
});
after(async () => {
  outside.close();
  await base.drop();
  rmSync(home, { recursive: true, force: true });
});

const holdfast = (...args: string[]) =>
  ran(base.url, { HOLDFAST_URL_PAYMENTS: url }, ...args);

async function ran(DATABASE_URL: string, settings: Record<string, string>, ...args: string[]) {
  let [out, err] = ['', ''];
  const before = { ...process.env };
  Object.assign(process.env, settings, { DATABASE_URL });
  const code = await runProgram(args, {
    environment: { DATABASE_URL },
    home,
    print: (text) => void (out += text),
    say: (line) => void (err += `${line}\n`),
    colours: false,
    startSystem: () => Promise.reject(new Error('nothing is started here')),
    openInstallation: (options) => openInstallation({ ...options, providers: [FAKE] }),
    asked: new Promise(() => {}),
  });
  for (const name of [...Object.keys(settings), 'DATABASE_URL']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  printed += out + err;
  return { code, out, err };
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await holdfast(...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as Record<string, unknown>;
}

let files = 0;

function fileOf(credentials: unknown): string {
  const path = join(home, `credentials-${(files += 1)}.json`);
  writeFileSync(path, typeof credentials === 'string' ? credentials : JSON.stringify(credentials));
  return path;
}

const GOOD = { account: 'acme', secret_key: SECRET };

function setting(integrator: string, credentials: unknown, ...more: string[]): string[] {
  const named = ['--integrator', integrator, '--kind', 'processor', '--provider', 'fake'];
  return ['provider', 'set', ...named, '--credentials', fileOf(credentials), ...more];
}

test('a tenant is connected, listed and disconnected', async () => {
  assert.equal((await holdfast('provider', 'list')).out, 'No tenant is connected to a provider.\n');
  const made = await json(...setting(one, GOOD, '--base-url', `${url}/`));
  const { webhooks, ...rest } = made;
  const named = { integrator: one, kind: 'processor', provider: 'fake', base_url: url };
  assert.deepEqual(rest, { ...named, mode: 'test' });
  const funds = await base.db.query('select place, currency, available from funds');
  assert.deepEqual(funds, [{ place: 'processor', currency: 'USD', available: 0n }]);
  assert.match(String(webhooks), /^http:.*:\d+\/v1\/processor_notices\/[0-9a-f-]{36}$/);
  const again = await json(...setting(one, GOOD, '--base-url', url));
  assert.equal(again['webhooks'], webhooks, 'the address of webhooks stays');
  await json(...setting(two, { ...GOOD, account: 'other' }));
  const { connections } = await json('provider', 'list', '--integrator', one);
  assert.deepEqual(connections, [{ ...named, webhooks }]);
  const all = await json('provider', 'list');
  assert.equal((all['connections'] as unknown[]).length, 2);
  const gone = ['provider', 'remove', '--integrator', two, '--kind', 'processor'];
  assert.deepEqual(await json(...gone), { integrator: two, kind: 'processor', provider: 'none' });
  assert.match((await holdfast(...gone)).err, /^The tenant has no processor provider\.\n/);
});

test('a wrong request is one sentence, writes nothing and quotes nothing', async () => {
  const rows = () => base.db.query('select * from provider_connection order by workspace');
  const before = await rows();
  const refused: [string[], RegExp][] = [
    [setting(one, { ...GOOD, secret_key: 'sk_live_neverseen' }), /^These are live credentials: st/],
    [setting(one, { ...GOOD, secret_key: 'neverseen' }), /secret_key \(must be a secret key\)/],
    [setting(one, { ...GOOD, neverseen: 1 }), /unknown fields/],
    [setting(one, 'neverseen'), /must be a JSON object/],
    [setting('x', GOOD), /no such tenant/],
    [setting(one, GOOD, '--kind', 'mail'), /--kind takes processor or identity, not mail/],
    [setting(one, GOOD, '--kind', 'identity'), /This release has no identity provider/],
    [setting(one, GOOD, '--provider', 'fakes'), /no provider fakes\. Did you mean fake\?/],
    [setting(one, GOOD, '--credentials', join(home, 'none')), /cannot be read/],
    ...['http://pay.example', 'https://u:p@pay.example', 'https://pay.example?a', 'ftp://x'].map(
      (base): [string[], RegExp] => [setting(one, GOOD, '--base-url', base), /--base-url must be/],
    ),
  ];
  for (const [args, sentence] of refused) {
    const { code, out, err } = await holdfast(...args);
    assert.deepEqual([code, out], [1, ''], args.join(' '));
    assert.match(err, sentence);
  }
  assert.deepEqual(await rows(), before);
});

test('one provider is stopped for all tenants or one, by a name that there is', async () => {
  const says = { what: 'provider:fake', tenant: one, state: 'stopped' };
  assert.deepEqual(await json('stop', 'provider', 'fake', '--tenant', one), says);
  await json('stop', 'provider', 'fake');
  const { out } = await holdfast('stop');
  assert.deepEqual(out.match(/^provider:fake of \S+/gm), [
    `provider:fake of ${one}`,
    'provider:fake of all',
  ]);
  const told = `stopped: provider:fake of ${one}, provider:fake of all`;
  assert.ok((await holdfast('check')).out.includes(told));
  const refused: [string[], RegExp][] = [
    [['provider'], /^The provider must be one of fake\.$/m],
    [['provider', 'fakes'], /^The provider must be one of fake\.$/m],
    [['payouts', 'fake'], /^What is stopped must be one of writes, .+, payouts, provider\.$/m],
  ];
  for (const [args, sentence] of refused) {
    assert.match((await holdfast('stop', ...args)).err, sentence);
  }
  await base.db.execute('delete from stop');
});

interface Finding {
  readonly part: string;
  readonly state: string;
  readonly says: string;
}

async function check(code: number): Promise<Map<string, Finding>> {
  return found(await holdfast('check', '--json'), code);
}

function found(spoken: { code: number; out: string; err: string }, code: number) {
  assert.equal(spoken.code, code, spoken.out + spoken.err);
  const { ok, findings } = JSON.parse(spoken.out) as { ok: boolean; findings: Finding[] };
  assert.equal(ok, code === 0);
  return new Map(findings.map((one) => [one.part, one]));
}

test('check tries everything and says what is missing', async () => {
  const well = await check(0);
  const part = `fake of ${one}`;
  for (const name of ['database', 'connection', 'schema', 'clock', 'key file', part]) {
    assert.equal(well.get(name)?.state, 'ok', name);
  }
  assert.equal(well.get(`webhooks of ${part}`)?.state, 'ok');
  assert.match(well.get('processor')?.says ?? '', /^fake \(1 tenant\), none \(1 tenant\): /);
  assert.equal(well.get('identity')?.state, 'none');
  const held = '30 days at most; the processor lets money wait for 30';
  assert.equal(well.get(`escrows of ${part}`)?.says, held);
  assert.match((await holdfast('check')).out, /^ok {7}database +PostgreSQL \d+/);
  await json(...setting(one, { ...GOOD, secret_key: 'sk_test_otherseen' }, '--base-url', url));
  assert.match((await check(1)).get(part)?.says ?? '', /does not accept the secret key/);
  await json(...setting(one, GOOD, '--base-url', 'http://127.0.0.1:9'));
  assert.match((await check(1)).get(part)?.says ?? '', /does not answer/);
  outside.close();
  outside.closeAllConnections();
  const webhooks = (await check(1)).get(`webhooks of ${part}`);
  assert.deepEqual(webhooks?.state, 'missing');
  assert.match(webhooks.says, /Is the service running/);
});

test('check asks the identity provider of the console', async () => {
  assert.equal((await check(1)).get('single sign-on')?.state, 'none');
  const settings = {
    HOLDFAST_SSO_ISSUER: 'http://127.0.0.1:9',
    HOLDFAST_SSO_CLIENT_ID: 'console',
    HOLDFAST_SSO_SECRET_FILE: join(home, 'credentials.json'),
    HOLDFAST_SSO_GROUPS: 'Finance=accountant',
  };
  const told = found(await ran(base.url, settings, 'check', '--json'), 1).get('single sign-on');
  assert.equal(told?.state, 'missing');
  assert.match(told.says, /^http:\/\/127\.0\.0\.1:9: .*\.$/);
});

test('check asks the mail server, and sends nothing', async () => {
  assert.equal((await check(1)).get('mail')?.state, 'none');
  const settings = {
    HOLDFAST_SMTP_URL: 'smtp://127.0.0.1:9',
    HOLDFAST_MAIL_FROM: 'pay@platform.example',
  };
  const told = found(await ran(base.url, settings, 'check', '--json'), 1).get('mail');
  assert.deepEqual(told, {
    part: 'mail', state: 'missing', says: '127.0.0.1: It cannot be reached.',
  });
});

test('check says which migrations and keys are missing, and what cannot be opened', async () => {
  await base.db.execute(`update migration set name = '9017_aside.sql' where name like '0017%'`);
  const behind = await check(1);
  assert.match(behind.get('schema')?.says ?? '', /run `holdfast migrate`/);
  await base.db.execute(`insert into installation (name, value)
    values ('lost', 'v9.wrapped sealed')`);
  await base.db.execute(`update migration set name = '0017_providers.sql' where name like '9017%'`);
  assert.equal((await check(1)).get('schema')?.says, 'of this release, with its legal moves');
  assert.match((await check(1)).get('key file')?.says ?? '', /lacks v9: restore it/);
  await base.db.execute(`update installation set value = 'other' where name = 'keys'`);
  assert.match((await check(1)).get('installation')?.says ?? '', /belongs to other master keys/);
});

test('check holds production to public addresses and a plain role', async () => {
  const own = await testDatabase();
  const settings = { HOLDFAST_KEY_FILE: join(home, 'production.json') };
  const hosts = ['PII', 'INVOICING', 'PAYMENTS', 'AUTH', 'WIDGET', 'HOSTED', 'CONSOLE'];
  const https = [...hosts, 'ACCOUNTS', 'WALLETS'].map((host) => {
    return [`HOLDFAST_URL_${host}`, `https://${host.toLowerCase()}.example`] as const;
  });
  try {
    const run = (more: object, ...args: string[]) =>
      ran(own.url, { ...settings, ...more }, ...args, '--env', 'production', '--json');
    assert.equal((await run({}, 'migrate')).code, 0);
    const other = await ran(own.url, settings, 'migrate', '--env', 'staging');
    assert.match(other.err, /holds production data and cannot start as staging/);
    const moves = "select from machine_move where machine = 'kyc' and event = 'set'";
    assert.deepEqual(await own.db.query(moves), [], 'it changed nothing before');
    const bare = found(await run({ HOLDFAST_URL_PII: 'http://a.example' }, 'check'), 1);
    assert.match(bare.get('addresses')?.says ?? '', /HOLDFAST_URL_PII, HOLDFAST_URL_INVOICING/);
    assert.match(bare.get('processor')?.says ?? '', /^none: without one cards are not entered/);
    const there = found(await run(Object.fromEntries(https), 'check'), 1);
    assert.equal(there.get('addresses')?.state, 'ok');
    const missing = [...there.values()].filter(({ state }) => state === 'missing');
    assert.deepEqual(missing.map(({ part }) => part), ['role'], 'tests connect as a superuser');
  } finally {
    await own.drop();
  }
});

test('the secret was printed nowhere, and is in no row', async () => {
  assert.ok(printed.length > 1_000);
  assert.doesNotMatch(printed, /neverseen|otherseen/);
  const [found] = await base.db.query<{ n: bigint }>(
    `select count(*) as n from (select t::text from provider_connection t union all
      select t::text from audit_entry t) as all_rows(text) where text ~ 'neverseen|otherseen'`,
  );
  assert.equal(found?.n, 0n);
});
