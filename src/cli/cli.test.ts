// The command line: options, refusals, output for people, and how it ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_PORT_BASE, planData, planStart } from './arguments.ts';
import { banner } from './banner.ts';

const HOME = '/home/person/holdfast';
const SERVER = { DATABASE_URL: 'postgres://db.example/holdfast' };

test('the default start is staging, with the embedded server and data in the checkout', () => {
  assert.deepEqual(planStart({}, {}, HOME), {
    env: 'staging',
    databaseUrl: null,
    ownerUrl: null,
    portBase: DEFAULT_PORT_BASE,
    portBaseFixed: false,
    forwardTo: null,
    outbound: true,
    dataDir: `${HOME}/.holdfast/staging`,
    programsDir: `${HOME}/.holdfast/programs`,
    json: false,
  });
});

test('a port base that is asked for is fixed, also when it is the default one', () => {
  for (const port of ['9000', String(DEFAULT_PORT_BASE)]) {
    const { portBase, portBaseFixed } = planStart({ portBase: port }, {}, HOME);
    assert.deepEqual([portBase, portBaseFixed], [Number(port), true]);
  }
});

test('the data directory can be moved, and each environment has its own', () => {
  const moved = { ...SERVER, HOLDFAST_DATA_DIR: '/srv/data', HOLDFAST_ENV: 'production' };
  assert.equal(planData(undefined, moved, HOME).dataDir, '/srv/data/production');
  assert.equal(planData('staging', moved, HOME).dataDir, '/srv/data/staging');
  assert.equal(planStart({ ephemeral: true }, {}, HOME).dataDir, null);
});

test('the file of the password goes with the address of the database', () => {
  const settings = { ...SERVER, HOLDFAST_DATABASE_PASSWORD_FILE: '/run/a b' };
  const { databaseUrl } = planData('staging', settings, HOME);
  assert.equal(databaseUrl, 'postgres://db.example/holdfast?password_file=%2Frun%2Fa%20b');
  const more = { ...settings, DATABASE_URL: 'postgres://db.example/a?sslmode=require' };
  assert.match(planData('staging', more, HOME).databaseUrl ?? '', /require&password_file=/);
});

const REFUSED: readonly [object, Record<string, string>, RegExp][] = [
  [{ env: 'test' }, {}, /staging or production, not test/],
  [{ env: 'production' }, {}, /Production needs DATABASE_URL/],
  [{ env: 'production', ephemeral: true }, SERVER, /production keeps its data/],
  [{ env: 'production', forwardTo: 'https://a.example' }, SERVER, /--forward-to is for staging/],
  [{ outbound: false, forwardTo: 'https://a.example' }, {}, /--no-outbound sends nothing/],
  [{ portBase: '80' }, {}, /--port-base must be a number/],
  [{ portBase: '0x2000' }, {}, /--port-base must be a number/],
  [{ portBase: '70000' }, {}, /--port-base must be a number/],
  [{ forwardTo: 'ftp://example.org' }, {}, /--forward-to must be an http/],
  [{ forwardTo: 'nowhere' }, {}, /--forward-to must be an http/],
];

for (const [given, environment, sentence] of REFUSED) {
  test(`${JSON.stringify(given)} is refused`, () => {
    assert.throws(() => planStart(given, environment, HOME), sentence);
  });
}

test('a person reads every value of the ready record', () => {
  const ready = {
    ready: true,
    env: 'staging',
    urls: { auth: 'http://127.0.0.1:7403' },
    client: { client_id: 'cl_1', client_secret: 'hush' },
    webhook: { secret: 'whsec_1' },
    accounts: { buyer: { account_id: 'a1', wallet_id: null } },
  };
  const plain = banner(ready, false);
  for (const value of ['staging', 'http://127.0.0.1:7403', 'cl_1', 'hush', 'whsec_1', 'a1']) {
    assert.ok(plain.includes(value), value);
  }
  assert.equal(plain.includes('\u001b'), false);
  assert.ok(banner(ready, true).includes('\u001b[1m'));
  const there = { shop: 'http://localhost:7409', invoicing: 'http://127.0.0.1:7401' };
  const urls = { ...ready.urls, ...there };
  const first = banner({ ...ready, urls }, false).slice(0, 150);
  assert.match(first, /shop: http:\/\/localhost:7409\n/);
  assert.match(first, /documentation: http:\/\/\S+\/docs\/\n/);
});

const SHUTDOWN = join(import.meta.dirname, 'shutdown.ts');

test('the first signal asks, a second one ends the process at once', async () => {
  const program = `
    const { untilAsked } = await import(${JSON.stringify(SHUTDOWN)});
    setInterval(() => {}, 1000);
    const asked = untilAsked(process.stdout);
    console.log('waiting');
    console.log(await asked);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const before = said;
    said += chunk.toString();
    if (before === '') child.kill('SIGTERM');
    // One Ctrl-C arrives several times at once: only a later one is a second request.
    else setTimeout(() => child.kill('SIGTERM'), 400);
  });
  const code = await new Promise((done) => child.once('close', (status) => done(status)));
  assert.equal(said, 'waiting\nstopping\n');
  assert.equal(code, 143);
});
