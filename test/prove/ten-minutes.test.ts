// The first ten minutes as in docs/ten-minutes.md, step by step: what is printed can be pasted, the
// script prints what the page shows, and the test file passes in a project of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CHECKOUT, cleanEnvironment, endAll, freeBlock, launch } from '../start/launch.ts';
import { remove, temporaryFolder, terminate, type Launched } from '../start/launch.ts';
import { installPackage } from '../start/package.ts';
import { clientOf, dollarsOf, tenantState, type ReadySandbox } from '../start/tenant.ts';

/** An id, and where the sale stands after it was paid and when it has ended. */
const SOLD = /^invoice [0-9a-f-]{36}\n"state":"(?:processing|success)"\n"state":"success"\n$/;
const folder = temporaryFolder();
const dataDir = join(folder, 'data');
const page = readFileSync(join(CHECKOUT, 'docs/ten-minutes.md'), 'utf8');
let server: Launched;

after(() => {
  endAll();
  remove(folder);
});

/** What the page shows as output, block by block. */
const shown = [...page.matchAll(/```text\n([^`]+)```/g)].map((block) => String(block[1]));

test('1. one command prints everything needed', async (t) => {
  const began = performance.now();
  const args = ['start', '--silent', '--', '--port-base', String(await freeBlock())];
  server = launch({ command: 'npm', args, env: { HOLDFAST_DATA_DIR: dataDir } });
  await server.said('Press Ctrl-C to stop.');
  const text = server.stdout();
  for (const host of ['pii', 'invoicing', 'payments', 'auth', 'widget', 'hosted', 'console']) {
    assert.match(text, new RegExp(`\\b${host} +http://127\\.0\\.0\\.1:\\d+\\n`));
  }
  assert.match(text, /Open the demo shop: http/);
  assert.match(text, /client_id +\S{36}\n +client_secret +\S{43}\n/);
  assert.match(text, /buyer\n +account_id +acct_\S+\n +wallet_id +\S+\n/);
  assert.match(text, / card_payment_method_id +\S{36}\n +declined_card_payment_method_id +\S/);
  assert.match(text, /seller\n +account_id +acct_[^]+seller2\n +account_id +acct_/);
  assert.match(text, /Console +http/);
  t.diagnostic(`ready after ${Math.round(performance.now() - began)} ms`);
});

test('2. the sale that is printed can be pasted, and is paid', () => {
  const [, input = ''] = /Your first sale: .+\n([^]+?\n)\n/.exec(server.stdout()) ?? [];
  const env = cleanEnvironment();
  const shells = ['sh', 'bash', 'zsh'].filter((one) => spawnSync(one, ['-c', ':']).status === 0);
  assert.ok(shells.includes('sh'));
  for (const shell of shells) {
    const sold = spawnSync(shell, [], { input, env, encoding: 'utf8' });
    assert.equal(sold.stderr, '', shell);
    assert.match(sold.stdout, SOLD, shell);
  }
});

test('3 and 4. the script prints what the page shows, every time, and spoils nothing', async () => {
  const notes = join(dataDir, 'running');
  const [name = ''] = readdirSync(notes).filter((one) => one.endsWith('.json'));
  const ready = JSON.parse(readFileSync(join(notes, name), 'utf8')) as ReadySandbox;
  const { account_id = '' } = ready.accounts.seller;
  const looked = async (): Promise<unknown> => [
    await tenantState(ready),
    await dollarsOf(clientOf(ready), account_id),
  ];
  const before = await looked();
  for (const _ of ['once', 'and again']) {
    const script = launch({ command: 'node', args: ['docs/examples/ten-minutes.mjs', notes] });
    assert.equal(await script.ended, 0, script.stderr());
    assert.equal(script.stdout().replaceAll(/acct_\w+/g, 'acct_…'), shown.join(''));
  }
  assert.deepEqual(await looked(), before);
});

test('the script says what to do if no sandbox runs', () => {
  const args = ['docs/examples/ten-minutes.mjs', folder];
  const done = spawnSync('node', args, { cwd: CHECKOUT, encoding: 'utf8' });
  assert.equal(done.status, 1);
  assert.match(done.stderr, /^No sandbox runs here: `npm start`[^\n]+\n$/);
});

test('holdfast explain finds the server that runs here', async () => {
  const buyer = /buyer\n +account_id +(acct_\S+)/.exec(server.stdout())?.[1] ?? '';
  const env = { HOLDFAST_DATA_DIR: dataDir };
  const told = launch({ command: 'node', args: ['scripts/holdfast.mjs', 'explain', buyer], env });
  assert.equal(await told.ended, 0, told.stderr());
  assert.match(told.stdout(), /Now: /);
  assert.equal(await terminate(server), 0);
});

test('5. the test file passes in a project of its own', () => {
  const project = join(folder, 'own');
  mkdirSync(project);
  installPackage(folder, project);
  cpSync(join(CHECKOUT, 'docs/examples/ten-minutes.test.mjs'), join(project, 'money.test.mjs'));
  const env = cleanEnvironment();
  const done = spawnSync('node', ['--test'], { cwd: project, env, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.match(done.stdout, /pass 3\n/);
});
