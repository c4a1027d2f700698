// Thresholds of matches: what a tenant chooses is what is listed and what a person reviews; who may
// choose, what is logged, and figures of the tenant's own persons, at the console and by command.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { codeAt, createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { BusinessScene } from '../api/business-scene.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { run } from '../cli/terminal.ts';
import { signedIn, type Access, type Browser } from '../console/kit.ts';
import { submission } from '../kit/identity.ts';
import { storePersons } from '../kit/persons.ts';
import { until } from '../kit/until.ts';

let platform: Platform;
let scene: BusinessScene;
let ruth: Browser;
let sven: Browser;
let workspace: number;
let integrator: string;
const access: Record<string, Access> = {};
const ids: Record<string, string> = {};

async function operator(username: string, roles: readonly Role[]): Promise<Browser> {
  const { db, keys, ready } = platform;
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  const services = { db, keys, random: systemRandom, env: 'staging' } as const;
  const made = await createOperator(services, wish, 'operator');
  [access[username], ids[username]] = [made, made.id];
  return signedIn((ready.urls as Record<string, string>)['console'] ?? '', made);
}

before(async () => {
  platform = await startPlatform();
  scene = new BusinessScene(platform);
  ruth = await operator('ruth', ['reviewer']);
  sven = await operator('sven', ['supervisor']);
  const [home] = await platform.db.query<{ workspace: number; integrator: string }>(
    'select workspace, integrator from workspace order by workspace limit 1',
  );
  [workspace, integrator] = [home?.workspace ?? 0, home?.integrator ?? ''];
});
after(() => platform?.stop());

interface Shown {
  readonly state: string;
  readonly match_checks: readonly { readonly match_score: number }[];
}

/** Applies, and gives what became of it. */
async function applied(pii: object): Promise<Shown> {
  const account = await scene.account();
  const call = { token: await scene.session(account), body: submission(pii) };
  await platform.api.must(200, 'pii', 'POST', '/v2/kyc', call);
  await until('decided', async () => (await scene.kyc(account)) !== 'PROCESSING');
  return platform.api.must<Shown>(200, 'pii', 'GET', `/v1/kyc/${account}`);
}

async function chosen(who: Browser, listed: number, review: string): Promise<number> {
  return (await who.post('/matching', { listed: String(listed), review })).status;
}

/** A person, and one of that name and birth date in another street: a match, but no sure one. */
const PERSON = { first: 'Wilhelmina', last: 'Featherstone', ssn: '123-45-2718' };
const OTHER = { street: '70 Far Lane', phone_number: '202 555 0188' };
const ALIKE = { ...PERSON, ...OTHER, ssn: '123-45-9141' };

test('a match sends an application to a person from the chosen score on only', async () => {
  assert.equal((await applied(PERSON)).state, 'ACCEPT');
  const off = await applied(PERSON);
  assert.deepEqual([off.state, off.match_checks.length], ['ACCEPT', 1], 'off unless chosen');
  assert.equal(await chosen(sven, 5_000, '9500'), 303);
  const above = await applied(PERSON);
  assert.equal(above.match_checks[0]?.match_score, 1);
  assert.equal(above.state, 'MANUAL_REVIEW');
  const below = await applied(ALIKE);
  const best = below.match_checks[0]?.match_score ?? 0;
  assert.ok(best >= 0.5 && best < 0.95, `listed, and no more: ${best}`);
  assert.equal(below.state, 'ACCEPT');
  assert.equal(await chosen(sven, 5_000, '5000'), 303);
  assert.equal((await applied({ ...ALIKE, ssn: '123-45-9142' })).state, 'MANUAL_REVIEW');
  assert.equal(await chosen(sven, 5_000, '0'), 303);
  assert.equal((await applied(PERSON)).state, 'ACCEPT', 'never');
  assert.equal(await chosen(sven, 9_500, '9500'), 303);
  const only = await applied({ ...PERSON, first: 'Wilhelmena' });
  assert.ok(only.match_checks.every((one) => one.match_score >= 0.95), 'no other is listed');
  assert.equal(only.state, 'MANUAL_REVIEW');
  assert.equal(await chosen(sven, 5_000, ''), 303);
  assert.equal((await applied(PERSON)).state, 'ACCEPT', 'as the installation says');
});

test('another tenant chooses for itself', async () => {
  const other = await platform.tenant();
  assert.equal(await chosen(sven, 5_000, '9500'), 303);
  const rows = await platform.db.query<{ workspace: number; review: number | null }>({
    text: `select workspace, match_review_from as review from tenant_setting
      where workspace = any($1)`,
    values: [[workspace, other.workspace]],
  });
  assert.deepEqual(rows.filter(({ review }) => review !== null),
    [{ workspace, review: 9_500 }]);
});

test('a supervisor chooses, it is logged, and nonsense is refused', async () => {
  assert.equal((await ruth.get('/matching')).status, 200);
  assert.equal(await chosen(ruth, 5_000, '9900'), 403);
  for (const [listed, review] of [
    [4_900, ''], [9_500, '7000'], [5_000, '10001'], [5_050, ''], [5_000, 'x'],
  ] as const) {
    assert.equal(await chosen(sven, listed, review), 400, `${listed} ${review}`);
  }
  assert.equal(await chosen(sven, 7_000, '9900'), 303);
  const page = (await sven.get('/matching')).text;
  assert.match(page, /from 0\.7<\/dd>/);
  assert.match(page, /from 0\.99<\/dd>/);
  const [entry] = await platform.db.query<{ actor: string; detail: string }>({
    text: `select actor, detail from audit_entry
      where workspace = $1 and act = 'match_thresholds_changed' order by id desc limit 1`,
    values: [workspace],
  });
  assert.equal(entry?.actor, `operator:${ids['sven']}`);
  const { version: _version, ...detail } = JSON.parse(entry?.detail ?? '{}') as object & {
    version: number;
  };
  const before = { listed_before: 5_000, review_before: 9_500 };
  assert.deepEqual(detail, { listed: 7_000, review: 9_900, ...before });
});

test('with few persons figures of others are shown and named so; then its own', async () => {
  const young = await ruth.get('/matching');
  assert.match(young.text, /These figures are not of your persons/);
  assert.match(young.text, /figures of your own take 1,000/);
  assert.doesNotMatch(young.text, /Estimate (?:from|anew)/);
  const refused = await ruth.post('/matching/estimate');
  assert.deepEqual([refused.status, /MATCH_TOO_FEW_PERSONS/.test(refused.text)], [409, true]);
  await storePersons(platform, workspace, 1_000);
  assert.equal((await ruth.post('/matching/estimate')).status, 303);
  await until('some are looked up', async () =>
    /\s[1-9]\d*\s+of\s+2,000\s+look-ups are done/.test((await ruth.get('/matching')).text));
  const rows = await platform.db.query<Record<string, unknown>>(
    'select to_jsonb(e)::text as row from match_estimate e',
  );
  assert.doesNotMatch(JSON.stringify(rows), /springfield|stein|415|featherstone/i);
});

test('the command line shows, estimates and chooses', async () => {
  const env = { DATABASE_URL: platform.url, HOLDFAST_KEY_FILE: platform.keyFile };
  const matching = async (more: readonly string[], password = '') => {
    const settings = { ...env, HOLDFAST_OPERATOR_PASSWORD: password };
    const { code, out } = await run(settings, 'tenant', 'matching', integrator, '--json', ...more);
    return { code, told: JSON.parse(out) as Record<string, unknown> };
  };
  const done = await matching(['--estimate']);
  assert.equal(done.code, 0, JSON.stringify(done));
  assert.match(String(done.told['figures']), /^of its own persons, 20/);
  assert.match(String(done.told['from_0.95']), /^false \d+\.\d \(.*, missed \d+\.\d \(/);
  assert.equal(done.told['review_from'], 0.99);
  const unproven = await matching(['--review-from', 'never']);
  assert.notEqual(unproven.code, 0);
  const code = (who: string): string =>
    codeAt(access[who]?.totp_secret ?? '', Date.now() / 1_000 + 30);
  const by = (who: string): string[] => ['--operator', who, '--code', code(who)];
  const wrong = await matching(['--review-from', 'never', ...by('ruth')], access['ruth']?.password);
  assert.match(String(wrong.told['error']), /supervisor/);
  const bad = await matching(['--review-from', '0.4', ...by('sven')], access['sven']?.password);
  assert.match(String(bad.told['error']), /from 0\.5 to 1/);
  const set = await matching(['--review-from', 'never', ...by('sven')], access['sven']?.password);
  assert.deepEqual([set.told['review_from'], set.told['listed_from']], ['never', 0.7]);
  const page = await ruth.get('/matching');
  assert.match(page.text, /from your own 1,0\d\d\s+persons/);
});
