// Findings of a later audit of reviews: whom opening a business names, access that changes during a
// request, cases that have only just become serious, and invalid dates.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  codeAt,
  createOperator,
  resetOperator,
  signIn,
  type MakingServices,
  type OperatorServices,
  type Role,
} from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { business, BusinessScene } from '../api/business-scene.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { submission } from '../kit/identity.ts';
import { signedIn, type Browser, type Page } from '../console/kit.ts';

let platform: Platform;
let scene: BusinessScene;
let services: MakingServices;
let ruth: Browser;
let sven: Browser;
let vera: Browser;
const ids: Record<string, string> = {};

function made(username: string, roles: readonly Role[]) {
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  return createOperator(services, wish, 'operator');
}

async function operator(username: string, roles: readonly Role[]): Promise<Browser> {
  const access = await made(username, roles);
  ids[username] = access.id;
  return signedIn((platform.ready.urls as Record<string, string>)['console'] ?? '', access);
}

before(async () => {
  platform = await startPlatform();
  scene = new BusinessScene(platform);
  services = { db: platform.db, keys: platform.keys, random: systemRandom, env: 'staging' };
  ruth = await operator('ruth', ['reviewer']);
  sven = await operator('sven', ['supervisor', 'operator']);
  vera = await operator('vera', ['supervisor']);
});
after(() => platform?.stop());

async function applied(account: string, body: Record<string, unknown>): Promise<string> {
  const token = await scene.session(account);
  type Made = { kyc_id: string };
  const call = { token, body };
  const { kyc_id } = await platform.api.must<Made>(200, 'pii', 'POST', '/v2/kyc', call);
  for (let tries = 0; (await scene.kyc(account)) !== 'MANUAL_REVIEW'; tries += 1) {
    assert.ok(tries < 200, 'the application came to no review');
    await delay(50);
  }
  return kyc_id;
}

function versionIn({ text }: Page): string {
  return /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
}

async function says(answer: Promise<Page>, status: number, code = ''): Promise<void> {
  const { status: given, text } = await answer;
  assert.equal(given, status, text);
  assert.ok(text.includes(code), text);
}

test('opening a business names each of its people, the primary contact too', async () => {
  const account = await scene.account();
  const stated = { entity_name: 'Specimen-Review', duns_numbers: '123456789' };
  const entity = await scene.onboard(account, business(stated));
  await scene.submit(account);
  const path = `/businesses/${entity}`;
  const [first] = (await scene.read(entity)).agents;
  const { account: person } = await scene.open(first?.entity_agent_id ?? '');
  assert.notEqual(person, account);
  const masked = await ruth.get(path);
  assert.ok(masked.text.includes(`/accounts/${person}`), 'their identity is one click away');
  assert.ok(!masked.text.includes('123456789'), 'a number that names the business is masked');
  const wish = { reason: 'review', note: 'Papers' };
  await says(ruth.post(`${path}/open`, wish), 200, '123456789');
  const text = `select from audit_entry where act = 'person_opened' and subject = $1`;
  const values = [uuidOfWireId('acct', person)];
  assert.equal((await platform.db.query({ text, values })).length, 1);
  await says(sven.post(`/accounts/${person}/operator`, { operator: ids['ruth'] ?? '' }), 303);
  await says(ruth.post(`${path}/open`, wish), 403, 'REVIEW_OWN_CASE');
});

test('an accepted business is reviewed again once one of its people is not accepted', async () => {
  const account = await scene.account();
  const entity = await scene.onboard(account);
  await scene.submit(account);
  await scene.verifyAll(entity);
  await scene.reached(entity, 'ACCEPT');
  const path = `/businesses/${entity}`;
  const listed = async () => (await ruth.get('/businesses')).text.includes(entity);
  assert.equal(await listed(), false);
  const last = (await scene.read(entity)).agents.at(-1)?.account_id ?? '';
  const page = await ruth.get(`/accounts/${last}`);
  const review = /\/reviews\/kyc_[0-9a-z]+/.exec(page.text)?.[0] ?? '';
  await says(ruth.post(`${review}/check`, { note: 'On a list since today' }), 303);
  for (let tries = 0; !(await listed()); tries += 1) {
    assert.ok(tries < 200, 'nobody is told');
    await delay(50);
  }
  const version = versionIn(await ruth.get(path));
  const again = { version, decision: 'accept', note: 'Again' };
  await says(ruth.post(`${path}/decide`, again), 400, 'ENTITY_NOT_DECIDABLE');
  await says(ruth.post(`${path}/decide`, { ...again, decision: 'cancel', note: 'Ended' }), 303);
  await scene.reached(entity, 'INACTIVE');
  assert.equal(await scene.kyc(account), 'REVERIFY');
  assert.equal(await listed(), false);
});

test('naming a business does not end a review of oneself', async () => {
  const account = await scene.account();
  await applied(account, submission({ last: 'Specimen-Review' }));
  const token = await scene.session(account);
  const left = await scene.form(token, 'PUT', '', { entity_name: 'Away Ltd' });
  assert.deepEqual([left.status, left.body.codes], [400, ['KYC_IN_PROGRESS']]);
  assert.equal((await scene.tryOnboard(account)).status, 400);
  assert.equal(await scene.kyc(account), 'MANUAL_REVIEW');
});

test('a person does not learn of matches; operators and integrators do', async () => {
  const same = submission({ first: 'Wenzel', last: 'Specimen-Review', ssn: '123-45-6161' });
  await applied(await scene.account(), same);
  const account = await scene.account();
  const kyc = await applied(account, same);
  const token = await scene.session(account);
  type Told = { match_checks: unknown[]; rules_bitch?: string[] };
  const told = (path: string, call: object): Promise<Told> =>
    platform.api.must<Told>(200, 'pii', 'GET', path, call);
  assert.deepEqual((await told('/v2/kyc', { token })).match_checks, []);
  assert.deepEqual((await told(`/v1/kyc/${account}`, { token })).match_checks, []);
  assert.ok((await told(`/v1/kyc/${account}`, {})).match_checks.length > 0);
  assert.match((await ruth.get(`/reviews/${kyc}`)).text, /% similar/);
});

test("a proposal about one's own account cannot be confirmed", async () => {
  const same = submission({ first: 'Xaver', last: 'Specimen-Review', ssn: '123-45-7171' });
  await applied(await scene.account(), same);
  const account = await scene.account();
  const path = `/reviews/${await applied(account, same)}`;
  const version = versionIn(await vera.get(path));
  await says(vera.post(`${path}/decide`, { version, decision: 'accept', note: 'Fine' }), 303);
  await says(sven.post(`/accounts/${account}/operator`, { operator: ids['vera'] ?? '' }), 303);
  const word = { version, note: 'Seen' };
  await says(sven.post(`${path}/second`, { ...word, word: 'confirm' }), 403, 'REVIEW_OWN_CASE');
  await says(sven.post(`${path}/second`, { ...word, word: 'reject' }), 303);
});

test('in production nobody decides who makes operators; who made one is kept', async () => {
  const wish = { name: 'Both', username: 'both', workspaces: 'all' } as const;
  for (const role of ['reviewer', 'supervisor'] as const) {
    const both = { ...wish, roles: ['viewer', role, 'operator'] as const };
    const strict = { ...services, env: 'production' as const };
    const making = createOperator(strict, both, 'operator');
    await assert.rejects(making, /cannot also be an administrator/);
  }
  const { id } = await createOperator(services, { ...wish, roles: ['supervisor'] }, 'system');
  const kept = async (): Promise<unknown> => {
    const text = 'select made_by, reset_by from operator where id = $1';
    return Object.values((await platform.db.query<object>({ text, values: [id] }))[0] ?? {});
  };
  assert.deepEqual(await kept(), [null, null]);
  await says(sven.post(`/operators/${id}/second-factor`), 200);
  await resetOperator(services, { id, password: true }, `operator:${id}`);
  assert.deepEqual(await kept(), [null, ids['sven']], 'their own reset says nothing');
  const form = { name: 'Made', username: 'made', role_supervisor: 'on', workspace_all: 'on' };
  await says(sven.post('/operators', form), 200);
  const text = `select from operator where made_by = $1`;
  assert.equal((await platform.db.query({ text, values: [ids['sven']] })).length, 1);
});

test('an invalid date is refused, and no date causes a fault', async () => {
  for (const day of ['0000-01-01', '0999-12-31', '2030-02-30', '2030-13-01', '2030-01-01T99Z']) {
    await says(ruth.get(`/v1/kyc_applications?created_from=${day}`), 400, 'created_from');
  }
  await says(ruth.get('/v1/kyc_applications?created_to=2032-02-29T10:00:00Z'), 200);
});

/** The services of a process in which `then` happens once the password was checked. */
function meanwhile(then: () => Promise<unknown>): OperatorServices {
  const db = Object.create(services.db) as OperatorServices['db'];
  const query = services.db.query.bind(services.db);
  db.transaction = services.db.transaction.bind(services.db);
  db.query = (async (statement: Parameters<typeof query>[0]) => {
    const rows = await query(statement);
    if (JSON.stringify(statement).includes('extract(epoch')) await then();
    return rows;
  }) as typeof db.query;
  return { ...services, db };
}

test('a sign-in during a reset of the second factor fails', async () => {
  const access = await made('walter', ['viewer']);
  const code = codeAt(access.totp_secret, Date.now() / 1000);
  const { username, password } = access;
  const given = { username, password, code, address: '203.0.113.5', before: null };
  const slow = meanwhile(() =>
    resetOperator(services, { id: access.id, password: false }, 'operator'),
  );
  assert.deepEqual(await signIn(slow, given), { ok: false, why: 'wrong' });
  const text = 'select from operator_session where operator_id = $1';
  assert.equal((await platform.db.query({ text, values: [access.id] })).length, 0);
});
