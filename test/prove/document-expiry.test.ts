// Documents that expire, by the workspace's clock: a warning a month before, then REVERIFY, in
// which only the document is asked for. [G-51, G-61]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createOperator } from '../../src/product/access/operator/index.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { systemRandom } from '../../src/core/random.ts';
import { signedIn, type Browser } from '../console/kit.ts';
import { PICTURE, submission } from '../kit/identity.ts';
import { clockOf, DAY, type Clocks } from '../api/clocks.ts';
import { startPlatform, type Platform } from '../api/kit.ts';

let platform: Platform;
let clock: Clocks;
let ruth: Browser;
before(async () => {
  platform = await startPlatform();
  clock = clockOf(platform.api);
  const { db, keys, ready } = platform;
  const made = await createOperator(
    { db, keys, random: systemRandom, env: 'staging' },
    {
      ...{ name: 'Ruth', username: 'ruth', roles: ['reviewer'], workspaces: 'all' },
      mustChange: false,
    },
    'operator',
  );
  ruth = await signedIn((ready.urls as Record<string, string>)['console'] ?? '', made);
});
after(() => platform?.stop());

interface Person {
  readonly account: string;
  readonly token: string;
  readonly kyc: string;
}

let people = 0;

/** A person whose application the vendor decides by the last name. */
async function person(last: string, state: string): Promise<Person> {
  people += 1;
  const { api } = platform;
  const made = { body: { username: `holder ${people}` } };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', made);
  const wish = { body: { account_id, return_token: true } };
  type Given = { token: { access_token: string } };
  const given = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
  const token = given.token.access_token;
  const body = submission({
    ...{ last, first: `Holder${people}`, date_of_birth: `19${60 + people}-0${people}-1${people}` },
    ...{ street: `${people} Lane ${people}`, zip: `9411${people}`, ssn: `123-45-678${people}` },
  });
  type Sent = { kyc_id: string };
  const { kyc_id } = await api.must<Sent>(200, 'pii', 'POST', '/v2/kyc', { body, token });
  const found = { account: account_id, token, kyc: kyc_id };
  await reaches(found, state);
  return found;
}

async function stateOf({ token }: Person): Promise<string> {
  const { api } = platform;
  return (await api.must<{ state: string }>(200, 'pii', 'GET', '/v2/kyc', { token })).state;
}

async function reaches(who: Person, state: string): Promise<void> {
  for (let tries = 0; (await stateOf(who)) !== state; tries += 1) {
    assert.ok(tries < 200, `it does not become ${state}`);
    await delay(50);
  }
}

/** The day so many days from the workspace's today. */
async function dayIn(days: number): Promise<string> {
  const { now } = await clock.read();
  return new Date(Date.parse(now) + days * DAY * 1_000).toISOString().slice(0, 10);
}

async function events({ account }: Person): Promise<string[]> {
  await clock.move({ until_idle: true });
  const rows = await platform.db.query<{ name: string; body: string }>({
    text: `select name, body from event where resource_id = $1 and name like '%identity%'`,
    values: [uuidOfWireId('acct', account)],
  });
  return rows.map(({ body }) => body);
}

interface Form {
  readonly state: string;
  readonly needs: readonly string[];
  readonly failed: readonly string[];
  readonly reasons: readonly string[];
}

test('a month before there is a warning; after the last day a document is required', async () => {
  const who = await person('Holder', 'ACCEPT');
  const { api } = platform;
  const document_expires = await dayIn(100);
  await api.setKyc(who.account, { state: 'ACCEPT', document_expires });
  const { due } = await clock.read();
  const mine = due.find(({ id }) => id === who.account);
  assert.equal(mine?.what, 'identity_document');
  assert.equal(mine?.at.slice(0, 10), await dayIn(71));
  await clock.move({ advance_seconds: 70 * DAY });
  assert.deepEqual(await events(who), []);
  await clock.move({ advance_seconds: DAY });
  const [told, ...more] = await events(who);
  assert.deepEqual(more, []);
  const { event_name, message } = JSON.parse(told ?? '{}') as Record<string, object>;
  assert.equal(event_name, 'identity-document-expiring');
  const { reverify_at, ...rest } = message as { reverify_at: string };
  assert.deepEqual(rest, { account_id: who.account, kyc_id: who.kyc, state: 'ACCEPT' });
  assert.ok(reverify_at.startsWith(await dayIn(30)), reverify_at);
  assert.equal(await stateOf(who), 'ACCEPT');
  await clock.move({ advance_seconds: 29 * DAY });
  assert.equal(await stateOf(who), 'ACCEPT');
  await clock.move({ advance_seconds: DAY });
  assert.equal(await stateOf(who), 'REVERIFY');
  assert.equal((await events(who)).length, 1, 'one warning');
  const { token } = who;
  const form = await api.must<Form>(200, 'pii', 'GET', '/v2/kyc/form', { token });
  assert.deepEqual(form.needs, ['document_front', 'document_back']);
  assert.deepEqual(form.failed, form.needs);
  assert.deepEqual(form.reasons, ['The document has expired; send one that is valid.']);
});

test('the new document alone is enough, and an unknown date has no clock', async () => {
  const who = await person('Second', 'ACCEPT');
  await platform.api.setKyc(who.account, { state: 'ACCEPT', document_expires: await dayIn(-1) });
  await reaches(who, 'REVERIFY');
  const lacking = { body: { kyc_pii: {} }, token: who.token };
  const refused = await platform.api.send('pii', 'POST', '/v2/kyc', lacking);
  assert.deepEqual(
    [refused.code, Object.keys(refused.errors)],
    [
      'MISSING_FIELD',
      ['document_type', 'document_country', 'document_front'].map((one) => `kyc_pii.${one}`),
    ],
  );
  const document = { document_type: 'PP', document_country: 'US', document_front: PICTURE };
  const sent = { body: { kyc_pii: document }, token: who.token };
  await platform.api.must(200, 'pii', 'POST', '/v2/kyc', sent);
  await reaches(who, 'ACCEPT');
  const { due } = await clock.read();
  assert.ok(!due.some(({ id }) => id === who.account));
});

test('an operator states the date when they accept; a past one is refused', async () => {
  const who = await person('Specimen-Review', 'MANUAL_REVIEW');
  const path = `/reviews/${who.kyc}`;
  const page = await ruth.get(path);
  const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? '';
  const decide = async (document_expires: string, decision = 'accept') => {
    const verdict = { version, note: 'Read it', decision, document_expires };
    const more = decision === 'deny' ? { reason_NAME_DIFFERS: 'on' } : {};
    return ruth.post(`${path}/decide`, { ...verdict, ...more });
  };
  for (const [day, decision] of [
    [await dayIn(-1), 'accept'],
    ['2031-02-30', 'accept'],
    [await dayIn(9), 'deny'],
  ] as const) {
    const said = await decide(day, decision);
    assert.equal(said.status, 400, day);
    assert.match(said.text, /REVIEW_DOCUMENT_DATE/);
  }
  assert.equal((await decide(await dayIn(400))).status, 303);
  assert.equal(await stateOf(who), 'ACCEPT');
  assert.match((await ruth.get(path)).text, new RegExp(await dayIn(400)));
  await platform.api.setKyc(who.account, { state: 'DENY' });
  const { due } = await clock.read();
  assert.ok(!due.some(({ id }) => id === who.account), 'the clock ends with the acceptance');
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
