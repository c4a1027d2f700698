// Reviews at the console over HTTP: the queue, the masked case and opening it, decisions by one and
// by two operators, businesses, the search, and who may see none of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createOperator,
  type Role,
  type Workspaces,
} from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { business, BusinessScene } from '../api/business-scene.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { submission } from '../kit/identity.ts';
import { signedIn, type Browser, type Page } from '../console/kit.ts';

let platform: Platform;
let scene: BusinessScene;
let ruth: Browser;
let sven: Browser;
const ids: Record<string, string> = {};

async function operator(
  username: string,
  roles: readonly Role[],
  workspaces: Workspaces = 'all',
): Promise<Browser> {
  const { db, keys, ready } = platform;
  const wish = { name: `Name of ${username}`, username, roles, workspaces, mustChange: false };
  const made = await createOperator(
    { db, keys, random: systemRandom, env: 'staging' },
    wish,
    'operator',
  );
  ids[username] = made.id;
  return signedIn((ready.urls as Record<string, string>)['console'] ?? '', made);
}

before(async () => {
  platform = await startPlatform();
  scene = new BusinessScene(platform);
  ruth = await operator('ruth', ['reviewer']);
  sven = await operator('sven', ['supervisor', 'operator']);
});
after(() => platform?.stop());

let born = 10;
/** A person whom the vendor leaves to people. */
function leftToPeople(more: object = {}): Record<string, unknown> {
  born += 1;
  return submission({
    first: `Quill${born}`,
    last: 'Specimen-Review',
    date_of_birth: `19${born + 20}-03-${born}`,
    street: `${born} Secretlane ${born}`,
    city: `Ort${born}`,
    zip: `941${born}`,
    phone_number: `415555${born}${born}`,
    ssn: `123-45-${born}${born}`,
    ...more,
  });
}

interface Waiting {
  readonly account: string;
  readonly kyc: string;
  readonly path: string;
}

async function waiting(body = leftToPeople()): Promise<Waiting> {
  const account = await scene.account();
  const token = await scene.session(account);
  type Made = { kyc_id: string };
  const call = { token, body };
  const made = await platform.api.must<Made>(200, 'pii', 'POST', '/v2/kyc', call);
  const kyc = made.kyc_id;
  for (let tries = 0; (await scene.kyc(account)) !== 'MANUAL_REVIEW'; tries += 1) {
    assert.ok(tries < 200, 'the application came to no review');
    await delay(50);
  }
  return { account, kyc, path: `/reviews/${kyc}` };
}

function versionIn({ text }: Page): string {
  return /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
}

/** The first one-shot address of a page. */
function addressIn({ text }: Page, attribute: 'src' | 'href'): string {
  const found = new RegExp(`${attribute}="([^"]+token=[^"]+)"`).exec(text)?.[1] ?? '';
  return found.replaceAll('&amp;', '&');
}

/** Sends a decision on the case as it is. */
async function decide(who: Browser, path: string, fields: Record<string, string>): Promise<Page> {
  const version = versionIn(await who.get(path));
  return who.post(`${path}/decide`, { version, note: 'Looked at it', ...fields });
}

async function well(answer: Promise<Page>): Promise<void> {
  const { status, text } = await answer;
  assert.equal(status, 303, text);
}

async function entries(subject: string): Promise<{ act: string; actor: string; detail: string }[]> {
  return platform.db.query({
    text: 'select act, actor, detail from audit_entry where subject = $1 order by at',
    values: [uuidOfWireId('acct', subject)],
  });
}

test('the queue leads to a masked case; data is shown once, for a logged reason', async () => {
  const { account, kyc, path } = await waiting();
  const queue = await ruth.get('/reviews');
  assert.ok(queue.text.includes(kyc));
  assert.equal(queue.text.includes('Specimen'), false);
  assert.match(queue.text, />US<\/td><td class="text">BASIC</);
  const masked = await ruth.get(path);
  assert.equal(masked.status, 200, masked.text);
  assert.match(masked.text, /Q\. S\./);
  assert.doesNotMatch(masked.text, /Secretlane|Specimen-Review|Quill/);
  await well(ruth.post(`${path}/take`));
  assert.match((await sven.get('/reviews')).text, /Name of ruth/);
  const unsaid = await ruth.post(`${path}/open`, { reason: 'review', note: ' ' });
  assert.deepEqual([unsaid.status, /REVIEW_NOTE_NEEDED/.test(unsaid.text)], [400, true]);
  const wish = { reason: 'review', note: 'To compare <b>it</b>' };
  const opened = await ruth.post(`${path}/open`, wish);
  assert.equal(opened.status, 200, opened.text);
  assert.match(opened.text, /Secretlane/);
  assert.match(opened.text, /To compare &lt;b&gt;it/);
  assert.equal(opened.headers.get('cache-control'), 'no-store');
  const address = addressIn(opened, 'src');
  assert.equal((await sven.get(address)).status, 410, "another operator's token opens nothing");
  const picture = await ruth.get(address);
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
  assert.match(picture.headers.get('content-security-policy') ?? '', /sandbox/);
  assert.equal((await ruth.get(address)).status, 410, 'once');
  assert.doesNotMatch((await ruth.get(path)).text, /Secretlane/);
  const logged = await entries(account);
  const acts = ['review_taken', 'person_opened', 'person_opened'];
  assert.deepEqual(
    logged.map(({ act }) => act),
    acts,
  );
  assert.ok(logged.every(({ actor }) => actor === `operator:${ids['ruth']}`));
  assert.doesNotMatch(JSON.stringify(logged), /compare|Quill/);
});

test('accepting, denying, requesting and cancelling each has its note and webhook', async () => {
  const cases = [
    [{ decision: 'accept' }, 'ACCEPT'],
    [{ decision: 'deny', reason_NAME_DIFFERS: 'on' }, 'DENY'],
    [{ decision: 'cancel' }, 'CANCEL'],
  ] as const;
  for (const [fields, state] of cases) {
    const { account, path } = await waiting();
    assert.equal((await decide(ruth, path, { ...fields, note: '' })).status, 400);
    assert.equal(await scene.kyc(account), 'MANUAL_REVIEW');
    await well(decide(ruth, path, fields));
    assert.equal(await scene.kyc(account), state);
    const told = await scene.told('kyc-webhook', account, 3);
    assert.equal(told.at(-1)?.['state'], state);
    assert.match((await ruth.get(path)).text, /Name of ruth/);
  }
  const { account, path } = await waiting();
  await well(decide(ruth, path, { decision: 'ask', reason_PROOF_OF_ADDRESS_NEEDED: 'on' }));
  const token = await scene.session(account);
  type Form = { reasons: string[] };
  const form = await platform.api.must<Form>(200, 'pii', 'GET', '/v2/kyc/form', { token });
  assert.match(form.reasons.join(), /proof of address/);
  assert.equal((await decide(ruth, path, { decision: 'nonsense' })).status, 400);
  assert.equal((await decide(ruth, path, { decision: 'accept', version: '1' })).status, 409);
});

test('a duplicate found by matching is resolved by two, side by side', async () => {
  const same = leftToPeople();
  const first = await waiting(same);
  born -= 1;
  const second = await waiting(leftToPeople({ city: 'Elsewhere' }));
  const page = await ruth.get(second.path);
  assert.ok(page.text.includes(first.kyc), 'the other application is linked');
  assert.match(page.text, /% similar/);
  assert.match(page.text, /Country<div><span class="badge badge-plain">same/);
  assert.match(page.text, /Town<div><span class="badge badge-\w+">differs.*\n?.*<mark>•••</);
  await well(decide(ruth, second.path, { decision: 'deny', reason_NOT_VERIFIED: 'on' }));
  assert.equal(await scene.kyc(second.account), 'MANUAL_REVIEW', 'one is not enough');
  const version = versionIn(await sven.get(second.path));
  const words = { version, word: 'confirm', note: 'Yes, the same person' };
  assert.equal((await ruth.post(`${second.path}/second`, words)).status, 403);
  await well(sven.post(`${second.path}/second`, words));
  assert.equal(await scene.kyc(second.account), 'DENY');
  const third = await waiting(same);
  await well(decide(sven, third.path, { decision: 'accept' }));
  const own = await sven.post(`${third.path}/second`, {
    ...{ version: versionIn(await sven.get(third.path)), word: 'confirm', note: 'Me again' },
  });
  assert.deepEqual([own.status, /REVIEW_SAME_PERSON/.test(own.text)], [403, true]);
});

test('a reviewer decides nothing about an account of their own', async () => {
  const { account, path } = await waiting();
  await well(sven.post(`/accounts/${account}/operator`, { operator: ids['ruth'] ?? '' }));
  const before = await platform.db.query('select count(*) as n from history');
  const answer = await decide(ruth, path, { decision: 'accept' });
  assert.deepEqual([answer.status, /REVIEW_OWN_CASE/.test(answer.text)], [403, true]);
  assert.equal((await ruth.post(`${path}/open`, { reason: 'review', note: 'Me' })).status, 403);
  assert.deepEqual(await platform.db.query('select count(*) as n from history'), before);
  assert.equal(await scene.kyc(account), 'MANUAL_REVIEW');
});

test('an accepted person is verified again', async () => {
  const { account, path } = await waiting();
  await well(decide(ruth, path, { decision: 'accept' }));
  await well(ruth.post(`${path}/check`, { note: 'A new passport' }));
  assert.equal(await scene.kyc(account), 'REVERIFY');
  const again = await ruth.post(`${path}/check`, { note: 'Once more' });
  assert.match(again.text, /KYC_NOT_ACCEPTED/);
});

interface Result {
  readonly applications: readonly { readonly kyc_id: string }[];
  readonly record_count: number;
}

function resultOf({ text }: Page): Result {
  return (JSON.parse(text) as { payload: Result }).payload;
}

test('the search finds by exact values and counts, and shows no personal data', async () => {
  const { account, kyc } = await waiting();
  const body = await ruth.get(`/v1/kyc_applications?account_id=${account}`);
  const payload = resultOf(body);
  assert.equal(payload.record_count, 1);
  assert.deepEqual(
    payload.applications.map(({ kyc_id }) => kyc_id),
    [kyc],
  );
  const wide = await ruth.get('/v1/kyc_applications?state=MANUAL_REVIEW&initiator=user&limit=1');
  assert.equal(resultOf(wide).applications.length, 1);
  assert.doesNotMatch(wide.text, /Specimen|Secretlane/);
  const none = await ruth.get('/v1/kyc_applications?created_from=2999-01-01');
  assert.equal(resultOf(none).record_count, 0);
  for (const wrong of ['state=BLUE', 'initiator=me', 'account_id=x', 'created_to=soon']) {
    assert.equal((await ruth.get(`/v1/kyc_applications?${wrong}`)).status, 400, wrong);
  }
  assert.ok((await ruth.get(`/search?kyc_id=${kyc}`)).text.includes(account));
  const kept = { account_id: 'acct_typed', kyc_id: 'kyc<b>', created_to: 'soon', state: 'BLUE' };
  for (const [field, typed] of Object.entries(kept)) {
    const page = await ruth.get(`/search?${field}=${encodeURIComponent(typed)}&initiator=user`);
    assert.equal(page.status, 400);
    assert.match(page.text, new RegExp(`(value="|selected>)${typed.replace('<b>', '&lt;b&gt;')}`));
    assert.match(page.text, new RegExp(`id="${field}-problem">This (is|must be) .*\\.</span>`));
    assert.match(page.text, /selected>user</, 'the rest stays too');
    assert.doesNotMatch(page.text, new RegExp(`id="${field}"[^>]*type="date"`));
  }
});

test('viewers see money but no cases; operators of another tenant see neither', async () => {
  const { account, path } = await waiting();
  const twin = await platform.tenant();
  const vera = await operator('vera', ['viewer']);
  const theo = await operator('theo', ['reviewer'], [twin.workspace]);
  assert.equal((await vera.get(path)).status, 403);
  const wish = { body: { account_id: account, return_token: true, scopes: 'read_kyc' } };
  await platform.api.must(200, 'auth', 'POST', '/authorize/user', wish);
  const seen = await vera.get(`/accounts/${account}`);
  assert.equal(seen.status, 200);
  assert.match(seen.text, /the person, in a flow<[^]*>read_kyc read_kycs verify_kyc</);
  assert.doesNotMatch(seen.text, /attests/, 'what the person said covers it');
  const fresh = await scene.account();
  const attested = { body: { ...wish.body, account_id: fresh } };
  await platform.api.must(200, 'auth', 'POST', '/authorize/user', attested);
  const { text } = await vera.get(`/accounts/${fresh}`);
  assert.match(text, /attested by the tenant<[^]*>read_kyc</);
  for (const address of [path, `/accounts/${account}`]) {
    assert.equal((await theo.get(address)).status, 404, address);
  }
  const verdict = { version: '3', decision: 'accept', note: 'x' };
  const foreign = await theo.post(`${path}/decide`, verdict);
  assert.equal(foreign.status, 404);
  const found = await theo.get(`/v1/kyc_applications?account_id=${account}`);
  assert.match(found.text, /"record_count":0/);
});

test('a business with two owners is decided by people, and escaped', async () => {
  const account = await scene.account();
  const name = 'Specimen-Review <img src=x onerror=alert(1)>';
  const entity = await scene.onboard(account, business({ entity_name: name }));
  await scene.submit(account);
  const path = `/businesses/${entity}`;
  assert.ok((await ruth.get('/businesses')).text.includes(entity));
  const early = await decide(ruth, path, { decision: 'accept' });
  assert.match(early.text, /ENTITY_AGENTS_NOT_VERIFIED/);
  await scene.verifyAll(entity);
  for (let tries = 0; !/3 of 3 verified/.test((await ruth.get('/businesses')).text); tries += 1) {
    assert.ok(tries < 200, 'the people were not verified');
    await delay(50);
  }
  const opened = await ruth.post(`${path}/open`, { reason: 'review', note: 'Papers' });
  assert.equal(opened.status, 200, opened.text);
  assert.match(opened.text, /&lt;img src=x/);
  assert.doesNotMatch(opened.text, /<img src=x/);
  const address = addressIn(opened, 'href');
  const paper = await ruth.get(address);
  assert.equal(paper.headers.get('content-disposition'), 'attachment');
  await well(decide(ruth, path, { decision: 'accept' }));
  await scene.reached(entity, 'ACCEPT');
  assert.equal(await scene.kyc(account), 'ACCEPT');
});

test('a business is asked for more, but not by one of its own people', async () => {
  const account = await scene.account();
  const entity = await scene.onboard(account);
  await scene.submit(account);
  const path = `/businesses/${entity}`;
  const { agents } = await scene.read(entity);
  const { token: _token, account: owner } = await scene.open(agents.at(-1)?.entity_agent_id ?? '');
  await well(sven.post(`/accounts/${owner}/operator`, { operator: ids['ruth'] ?? '' }));
  const ask = { decision: 'ask', reason_DOCUMENT_EXPIRED: 'on' };
  const own = await decide(ruth, path, ask);
  assert.deepEqual([own.status, /REVIEW_OWN_CASE/.test(own.text)], [403, true]);
  assert.equal((await decide(sven, path, { decision: 'cancel' })).status, 400);
  await well(decide(sven, path, ask));
  await scene.reached(entity, 'INCOMPLETE');
  assert.match((await sven.get(path)).text, /A document has expired/);
});
