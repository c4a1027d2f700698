// A new watch-list at a running installation: an accepted person appears at the console, two
// operators decide, and neither the person nor the integrator is told of a list. [G-51]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { business, BusinessScene } from '../api/business-scene.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { run } from '../cli/terminal.ts';
import { submission } from '../kit/identity.ts';
import { signedIn, type Browser } from '../console/kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-hits-'));
let platform: Platform;
let scene: BusinessScene;
let ruth: Browser;
let sven: Browser;

async function operator(username: string, roles: readonly Role[]): Promise<Browser> {
  const { db, keys, ready } = platform;
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  const parts = { db, keys, random: systemRandom, env: 'staging' } as const;
  const made = await createOperator(parts, wish, 'operator');
  return signedIn((ready.urls as Record<string, string>)['console'] ?? '', made);
}

before(async () => {
  platform = await startPlatform();
  scene = new BusinessScene(platform);
  ruth = await operator('ruth', ['reviewer']);
  sven = await operator('sven', ['supervisor']);
});
after(() => platform?.stop().finally(() => rmSync(folder, { recursive: true })));

function versionIn(text: string): string {
  return /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
}

const environment = () => {
  return { DATABASE_URL: platform.url, HOLDFAST_KEY_FILE: platform.keyFile };
};

async function command(...words: string[]): Promise<Record<string, unknown>> {
  const took = await run(environment(), 'watch-list', ...words, '--json');
  assert.equal(took.code, 0, took.err);
  return JSON.parse(took.out) as Record<string, unknown>;
}

async function imported(...rows: string[]): Promise<void> {
  const file = join(folder, 'targets.simple.csv');
  writeFileSync(file, ['id,schema,name,aliases,birth_date', ...rows].join('\n'));
  await command('import', file, '--list', 'sanctions', '--shrinks');
}

test('an accepted person who is listed later is decided by two operators', async () => {
  const account = await scene.account();
  const token = await scene.session(account);
  const body = submission({ first: 'Casimir', last: 'Holloway', date_of_birth: '1971-02-03' });
  await platform.api.must(200, 'pii', 'POST', '/v2/kyc', { body, token });
  await until('accepted', async () => (await scene.kyc(account)) === 'ACCEPT');
  const rows = ['Q7,Person,"HOLLOWAY, Casimir",,1971-02-03', 'Q8,Company,Borealis Shipping Ltd,,'];
  await imported(...rows);
  let page = '';
  await until('the hit is shown', async () => {
    page = (await ruth.get('/hits')).text;
    return page.includes('HOLLOWAY, Casimir');
  });
  assert.match((await ruth.get('/')).text, /href="\/hits">Watch-list hits to decide<.*waiting/s);
  assert.equal(await scene.kyc(account), 'ACCEPT');
  const [path = ''] = /\/hits\/[0-9a-f-]{36}/.exec(page) ?? [];
  const shown = await ruth.get(path);
  for (const says of ['1971-02-03', 'sanctions, version 1', '100.0 %', 'Another person']) {
    assert.ok(shown.text.includes(says), says);
  }
  const verdict = { version: versionIn(shown.text), decision: 'deny', note: 'The same passport' };
  assert.equal((await ruth.post(`${path}/decide`, verdict)).status, 303);
  assert.equal(await scene.kyc(account), 'ACCEPT', 'one operator is not enough');
  const proposed = await sven.get(path);
  assert.match(proposed.text, /Second approval needed/);
  assert.doesNotMatch(proposed.text, /action="[^"]+\/decide"/);
  assert.match(proposed.text, /ruth proposed at[^]+<strong>The same person</);
  const [kyc = ''] = /\/reviews\/kyc_\w+/.exec(proposed.text) ?? [];
  const why = { reason: 'second_look', note: 'To confirm' };
  assert.match((await sven.post(`${kyc}/open`, why)).text, /ruth: propose[^]+The same passport/);
  const second = { version: versionIn(proposed.text), word: 'confirm', note: 'Yes' };
  assert.equal((await ruth.post(`${path}/second`, second)).status, 403);
  assert.equal((await sven.post(`${path}/second`, second)).status, 303);
  assert.equal(await scene.kyc(account), 'REVERIFY');
  assert.ok(!(await ruth.get('/hits')).text.includes('HOLLOWAY'));
  type Form = { needs: string[]; reasons: string[] };
  const form = await platform.api.must<Form>(200, 'pii', 'GET', '/v2/kyc/form', { token });
  assert.deepEqual(form.reasons, []);
  assert.ok(form.needs.includes('name'), 'the whole form');
  const events = await platform.db.query<{ body: string }>({
    text: `select body::text as body from event where resource_id = $1`,
    values: [uuidOfWireId('acct', account)],
  });
  assert.doesNotMatch(JSON.stringify(events), /HOLLOWAY|sanctions|watch.?list/i);
});

test('a business is shown beside the entries with a name like its own', async () => {
  const name = { entity_name: 'Borealis Shipping GmbH' };
  const entity = await scene.onboard(await scene.account(), business(name));
  const { text } = await ruth.get(`/businesses/${entity}`);
  assert.match(text, /Borealis Shipping Ltd[^]+sanctions, version 1[^]+93\.0 %[^]+Company/);
  const other = await scene.onboard(await scene.account());
  assert.match((await ruth.get(`/businesses/${other}`)).text, /No entry has a similar name/);
});

/** An accepted business of that name. */
async function acceptedBusiness(entity_name: string) {
  const account = await scene.account();
  const entity = await scene.onboard(account, business({ entity_name }));
  const path = `/sandbox/entities/${entity}/state`;
  await platform.api.must(200, 'invoicing', 'PUT', path, { body: { status: 'ACCEPT' } });
  return { account, entity };
}

const statusOf = async (entity: string): Promise<string> => (await scene.read(entity)).status;

/** The page of the one hit that waits, once it is there. */
async function waitingHit(name: string): Promise<string> {
  let page = '';
  await until('the hit is shown', async () => {
    page = (await ruth.get('/hits')).text;
    return page.includes(name);
  });
  return /\/hits\/[0-9a-f-]{36}/.exec(page)?.[0] ?? '';
}

test('an accepted business that is listed later is decided by two operators', async () => {
  const { account, entity } = await acceptedBusiness('Corvus Tankers LLC');
  const lines = ['Q9,Company,Corvus Tankers Ltd,,', 'Q10,Person,Corvus Tankers,,'];
  await imported(...lines);
  const path = await waitingHit('Corvus Tankers Ltd');
  const shown = await ruth.get(path);
  assert.match(shown.text, /Another business[^]+The same business: it is closed for good/);
  assert.ok(shown.text.includes(`href="/businesses/${entity}"`));
  assert.ok((await ruth.get(`/businesses/${entity}`)).text.includes(`href="${path}"`));
  const verdict = { version: versionIn(shown.text), decision: 'deny', note: 'The same register' };
  assert.equal((await ruth.post(`${path}/decide`, verdict)).status, 303);
  assert.equal(await statusOf(entity), 'ACCEPT', 'one operator is not enough');
  const proposed = await sven.get(path);
  assert.match(proposed.text, /ruth proposed at[^]+<strong>The same business</);
  const confirm = { version: versionIn(proposed.text), word: 'confirm', note: 'Yes' };
  assert.equal((await ruth.post(`${path}/second`, confirm)).status, 403);
  assert.equal((await sven.post(`${path}/second`, confirm)).status, 303);
  assert.deepEqual([await statusOf(entity), await scene.kyc(account)], ['INACTIVE', 'REVERIFY']);
  assert.ok(!(await ruth.get('/hits')).text.includes('Corvus'));
  const told = JSON.stringify(await scene.told('kyb-webhook', account, 3));
  assert.doesNotMatch(told, /sanctions|watch.?list|Q9/i);
});

test('a dropped list ends the hit of a business, which stays accepted', async () => {
  const { entity } = await acceptedBusiness('Lyra Freight GmbH');
  await imported('Q11,Company,Lyra Freight,,');
  const path = await waitingHit('Lyra Freight');
  type Run = { total: number; screened: number; found: number; ended: boolean };
  let ran: Run | undefined;
  await until('the run has ended', async () => {
    [ran] = (await command('status'))['runs'] as Run[];
    return ran?.ended === true;
  });
  assert.deepEqual([ran?.found, ran?.screened], [1, ran?.total], 'the business is counted');
  assert.equal((await command('drop', '--list', 'sanctions'))['hits'], 1);
  assert.match((await ruth.get(path)).text, /dropped[^]+The watch-list was dropped/);
  assert.ok(!(await ruth.get('/hits')).text.includes('Lyra'));
  assert.equal(await statusOf(entity), 'ACCEPT');
});
