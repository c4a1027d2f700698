// Console sign-in and sign-out, choosing a password, resets and disabling, as people do it; how
// sessions end; and what the command line prints.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { placeOf, sessionCookie, tokenOf } from '../../src/console/browser.ts';
import { money } from '../../src/console/blocks.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { Browser, signedIn, type Access, type Page } from './kit.ts';

let platform: Platform;
let base: string;
let admin: Browser;
before(async () => {
  platform = await startPlatform();
  base = platform.ready.urls.console;
  admin = new Browser(base);
});
after(() => platform.stop());

/** What a page shows once. */
function shownOnce({ text }: Page): Access {
  const after = (label: string): string =>
    new RegExp(`<dt>${label}</dt><dd><[^>]+>([^<]*)<`).exec(text)?.[1] ?? '';
  return {
    username: after('Username'),
    password: after('Initial password'),
    totp_secret: after('Authenticator secret'),
  };
}

let made = 0;
async function person(): Promise<Access & { id: string }> {
  made += 1;
  const username = `person${made}`;
  const fields = { name: 'Pia Person', username, role_viewer: 'on', workspace_all: 'on' };
  const { text } = await admin.post('/operators', fields);
  const id = /\/operators\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';
  return { ...shownOnce(await admin.post(`/operators/${id}/password`)), id };
}

const CHOSEN = 'a long sentence of my own';
/** Signs in for the first time and chooses a password. */
async function settled(access: Access): Promise<Browser> {
  const browser = await signedIn(base, access);
  const passwords = { current: access.password, chosen: CHOSEN, again: CHOSEN };
  const answer = await browser.post('/password', passwords);
  assert.deepEqual([answer.status, answer.location], [303, '/'], answer.text);
  return browser;
}

test('a person signs in with the printed credentials and lands where they wanted', async () => {
  const { console: access } = platform.ready as unknown as { console: Access };
  const asked = await admin.get('/operators?x=1');
  assert.equal(asked.status, 303);
  assert.equal(asked.location, '/sign-in?next=%2Foperators%3Fx%3D1');
  const form = await admin.get(asked.location);
  assert.equal(form.status, 200);
  assert.match(form.text, /name="next" value="\/operators\?x=1"/);
  const signed = await admin.signIn(access, 0, '/operators?x=1');
  assert.deepEqual([signed.status, signed.location], [303, '/operators?x=1'], signed.text);
  const page = await admin.get('/operators');
  assert.match(page.text, /Olivia Operator/);
  assert.equal((await admin.get('/sign-in')).status, 303);
});

test('a new operator must first choose a password', async () => {
  const access = await person();
  const browser = await signedIn(base, access);
  for (const path of ['/', '/sessions', '/operators']) {
    assert.equal((await browser.get(path)).location, '/password', path);
  }
  const change = (current: string, chosen: string, again = chosen): Promise<Page> =>
    browser.post('/password', { current, chosen, again });
  assert.match((await change(access.password, 'short')).text, /12 characters/);
  assert.match((await change(access.password, access.password)).text, /differs from/);
  assert.match((await change(access.password, CHOSEN, 'other')).text, /do not match/);
  assert.match((await change('not mine', CHOSEN)).text, /current password is wrong/);
  assert.equal((await change(access.password, CHOSEN)).location, '/');
  const page = await browser.get('/');
  assert.match(page.text, /Password changed/);
  assert.doesNotMatch((await browser.get('/')).text, /Password changed/);
  assert.equal((await new Browser(base).signIn(access, 1)).status, 401);
  assert.equal((await new Browser(base).signIn({ ...access, password: CHOSEN }, 1)).status, 303);
});

test('guessing the password from an open session is slowed down', async () => {
  const browser = await settled(await person());
  const guess = { current: 'guess', chosen: `${CHOSEN}!`, again: `${CHOSEN}!` };
  for (let n = 0; n < 5; n += 1) await browser.post('/password', guess);
  const right = await browser.post('/password', { ...guess, current: CHOSEN });
  assert.match(right.text, /Too many attempts/);
});

test('credentials are shown once only', async () => {
  const access = await person();
  for (const path of ['/operators', `/operators/${access.id}`]) {
    const { text } = await admin.get(path);
    assert.ok(!text.includes(access.password) && !text.includes(access.totp_secret), path);
  }
  const stored = JSON.stringify(await platform.db.query('select o::text as row from operator o'));
  for (const secret of [access.password, access.totp_secret, access.username, 'Pia Person']) {
    assert.ok(!stored.includes(secret));
  }
});

test('sessions are listed, and end one by one, all but one, and everywhere', async () => {
  const access = { ...(await person()) };
  const first = await settled(access);
  const mine = { ...access, password: CHOSEN };
  const second = await signedIn(base, mine, 1);
  assert.match((await second.get('/sessions')).text, /this session/);
  assert.equal((await second.post('/sessions/end')).location, '/sessions');
  assert.equal((await first.get('/')).status, 303);
  const kept = second.cookie;
  assert.equal((await second.post('/sign-out')).location, '/sign-in');
  assert.equal(second.cookie, '');
  second.cookie = kept;
  assert.equal((await second.get('/')).status, 303);
});

test('signing out everywhere ends every session', async () => {
  const access = await person();
  const first = await settled(access);
  const second = await signedIn(base, { ...access, password: CHOSEN }, 1);
  await second.post('/sign-out', { everywhere: 'yes' });
  assert.equal((await first.get('/')).status, 303);
});

test('a session ends when idle, and after its maximum time', async () => {
  const access = await person();
  const browser = await settled(access);
  const back = (column: string, interval: string): Promise<unknown> =>
    platform.db.query({
      text: `update operator_session set ${column} = ${column} - $2::interval
        where operator_id = $1`,
      values: [access.id, interval],
    });
  await back('seen', '29 minutes');
  assert.equal((await browser.get('/')).status, 200);
  await back('seen', '29 minutes');
  assert.equal((await browser.get('/')).status, 200, 'being used keeps it alive');
  await back('seen', '31 minutes');
  assert.equal((await browser.get('/')).status, 303);
  const again = await signedIn(base, { ...access, password: CHOSEN }, 1);
  await back('expires', '12 hours');
  assert.equal((await again.get('/')).status, 303);
});

test('a disabled operator is out at once, and returns only by signing in', async () => {
  const access = await person();
  const browser = await settled(access);
  await admin.post(`/operators/${access.id}/disable`);
  assert.equal((await browser.get('/')).status, 303);
  assert.match((await admin.get(`/operators/${access.id}`)).text, /disabled/);
  await admin.post(`/operators/${access.id}/enable`);
  assert.equal((await browser.get('/')).status, 303);
  assert.equal((await browser.signIn({ ...access, password: CHOSEN }, 1)).status, 303);
});

test('nobody can disable themselves', async () => {
  const { text } = await admin.get('/operators');
  const own = /\/operators\/([0-9a-f-]{36})"[^>]*>Olivia/.exec(text)?.[1] ?? '';
  await admin.post(`/operators/${own}/disable`);
  assert.match((await admin.get(`/operators/${own}`)).text, /You cannot change yourself/);
});

test('a second factor that was reset is the only one that counts', async () => {
  const access = await person();
  const browser = await settled(access);
  const fresh = shownOnce(await admin.post(`/operators/${access.id}/second-factor`));
  assert.equal(fresh.password, '');
  assert.equal((await browser.get('/')).status, 303);
  const mine = { ...access, password: CHOSEN };
  assert.equal((await browser.signIn(mine, 1)).status, 401);
  assert.equal((await browser.signIn({ ...mine, totp_secret: fresh.totp_secret })).status, 303);
  const both = shownOnce(await admin.post(`/operators/${access.id}/password`));
  assert.equal((await browser.signIn(both)).status, 303);
  assert.equal((await browser.get('/')).location, '/password');
});

test('changes of operators are audited, without names', async () => {
  const rows = await platform.db.query<{ act: string; actor: string; detail: string }>(
    `select act, actor, detail from audit_entry where act like 'operator%'`,
  );
  const acts = new Set(rows.map(({ act }) => act));
  for (const act of [
    ...['created', 'invited', 'disabled', 'enabled', 'reset', 'second_factor_reset'],
    ...['password_changed', 'signed_in'],
  ]) {
    assert.ok(acts.has(`operator_${act}`), act);
  }
  for (const { actor, detail } of rows) {
    assert.match(actor, /^(?:operator:[0-9a-f-]{36}|operator|system)$/);
    assert.doesNotMatch(detail, /Pia|person\d/);
  }
});

/** A request as far as it is looked at. */
function requestOf(headers: object): FastifyRequest {
  return { headers } as unknown as FastifyRequest;
}

test('over TLS, and wherever the network is in between, the cookie is for TLS and one host', () => {
  const places = ['https://console.example', 'https://127.0.0.1:7406', 'http://console.example'];
  for (const url of places) {
    const set = sessionCookie('token', placeOf(url));
    assert.equal(set, '__Host-holdfast_console=token; Path=/; HttpOnly; SameSite=Strict; Secure');
    const loose = requestOf({ cookie: 'holdfast_console=token' });
    assert.equal(tokenOf(loose, placeOf(url)), null);
  }
  const loopback = sessionCookie(null, placeOf('http://localhost:1'));
  assert.match(loopback, /^holdfast_console=; .*Max-Age=0$/);
});

test('an amount is shown with the digits of its currency', () => {
  assert.equal(money(-123_456_789n, 'USD'), '−1,234,567.89 USD');
  assert.equal(money(5n, 'JPY'), '5 JPY');
  assert.equal(money(5n, 'USD'), '0.05 USD');
});
