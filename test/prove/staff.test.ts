// The people who run an installation, at the console: an invitation used twice, late, forged and
// replaced; what one administrator cannot do alone; sessions that end; what each task may open.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  codeAt,
  createOperator,
  type OperatorServices,
  type Role,
} from '../../src/product/access/operator/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { systemRandom } from '../../src/core/random.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { Browser, signedIn, type Access, type Page } from '../console/kit.ts';

let platform: Platform;
let base: string;
let services: OperatorServices;
let numbered = 0;
let ada: Browser;
let abe: Browser;

/** Somebody made at the command line, who depends on nobody. */
async function person(...roles: Role[]): Promise<Access & { id: string }> {
  const wish = { name: 'Pat Person', username: `pat${++numbered}`, roles, mustChange: false };
  return createOperator(services, { ...wish, workspaces: 'all' }, 'operator');
}

before(async () => {
  platform = await startPlatform();
  base = platform.ready.urls.console;
  services = { db: platform.db, keys: await fileKeys(platform.keyFile), random: systemRandom };
  ada = await signedIn(base, await person('operator'));
  abe = await signedIn(base, await person('operator'));
});
after(() => platform.stop());

const CHOSEN = 'a long sentence of my own';

/** Invites somebody; gives the link's path and the id. */
async function invited(role: string, by = ada): Promise<{ path: string; id: string; page: Page }> {
  const username = `invited${++numbered}`;
  const fields = { name: 'Ina Invited', username, [`role_${role}`]: 'on', workspace_all: 'on' };
  const page = await by.post('/operators', fields);
  const path = /\/invitation\/[A-Za-z0-9_-]{43}/.exec(page.text)?.[0] ?? '';
  return { path, id: /\/operators\/([0-9a-f-]{36})/.exec(page.text)?.[1] ?? '', page };
}

/** Fills the form of an invitation in. */
async function joins(path: string, more: Record<string, string> = {}, browser = new Browser(base)) {
  const { text } = await browser.get(path);
  const secret = />([A-Z2-7]{32})</.exec(text)?.[1] ?? 'A'.repeat(32);
  const code = codeAt(secret, Date.now() / 1_000);
  const fields = { password: CHOSEN, again: CHOSEN, code, ...more };
  const answer = await browser.raw(path, new URLSearchParams(fields).toString());
  return { answer, browser, secret };
}

async function acts(id: string): Promise<string[]> {
  const rows = await platform.db.query<{ act: string }>({
    text: 'select act from audit_entry where subject = $1 order by at, id',
    values: [id],
  });
  return rows.map(({ act }) => act);
}

/** The sentence that the next page shows. */
async function told(browser: Browser, id: string): Promise<string> {
  const { text } = await browser.get(`/operators/${id}`);
  return /class="notice[^>]*>([^<]*)</.exec(text)?.[1] ?? '';
}

async function rolesIn(id: string): Promise<string> {
  const { text } = await ada.get(`/operators/${id}`);
  return /<dt>Roles<\/dt><dd>([^<]*)</.exec(text)?.[1] ?? '';
}

test('the invited choose a password and prove their authenticator, once', async () => {
  const { path, id } = await invited('accountant');
  assert.match((await ada.get('/operators')).text, /invited<\/span>/);
  assert.equal((await joins(path, { again: 'another sentence' })).answer.status, 400);
  assert.equal((await joins(path, { password: 'short', again: 'short' })).answer.status, 400);
  assert.match((await joins(path, { code: '000000' })).answer.text, /code is wrong/);
  const { answer, browser } = await joins(path);
  assert.deepEqual([answer.status, answer.location], [303, '/'], answer.text);
  assert.equal((await browser.get('/transfers')).status, 200);
  assert.equal((await browser.get('/reviews')).status, 403);
  for (const again of [await joins(path), await joins(`/invitation/${'A'.repeat(43)}`)]) {
    assert.equal(again.answer.status, 404);
    assert.match(again.answer.text, /was used, has expired, or was replaced/);
  }
  assert.deepEqual(await acts(id), ['operator_invited', 'operator_joined']);
});

test('of many who use a link at once one joins', async () => {
  const { path } = await invited('viewer');
  const all = await Promise.all(Array.from({ length: 4 }, () => joins(path)));
  assert.deepEqual(all.map(({ answer }) => answer.status).toSorted(), [303, 404, 404, 404]);
});

test('a late, replaced, foreign or disabled invitation opens nothing', async () => {
  const { path, id } = await invited('viewer');
  const foreign = { origin: 'https://evil.example' };
  assert.equal((await new Browser(base).raw(path, 'password=x', foreign)).status, 403);
  const newer = await ada.post(`/operators/${id}/invitation`);
  const next = /\/invitation\/[A-Za-z0-9_-]{43}/.exec(newer.text)?.[0] ?? '';
  assert.notEqual(next, path);
  assert.equal((await joins(path)).answer.status, 404);
  await ada.post(`/operators/${id}/disable`);
  assert.equal((await joins(next)).answer.status, 404);
  await ada.post(`/operators/${id}/enable`);
  const late = `update operator set invite_expires = clock_timestamp() where id = $1`;
  await platform.db.query({ text: late, values: [id] });
  assert.equal((await joins(next)).answer.status, 404);
  const again = await ada.post(`/operators/${id}/invitation`);
  const last = /\/invitation\/[A-Za-z0-9_-]{43}/.exec(again.text)?.[0] ?? '';
  assert.equal((await joins(last)).answer.status, 303);
  await ada.post(`/operators/${id}/invitation`);
  assert.match(await told(ada, id), /joined already/);
});

test('the link is stored nowhere, and leads nobody to an administrator', async () => {
  const { path } = await invited('viewer');
  const rows = await platform.db.query('select o::text as row from operator o');
  assert.ok(!JSON.stringify(rows).includes(path.slice('/invitation/'.length)));
  const { page } = await invited('operator');
  assert.equal(page.status, 400);
  assert.match(page.text, /it takes two/);
});

test('an administrator is made by two, never by one, nor by who depends on them', async () => {
  const { id } = await person('viewer');
  const roles = { role_operator: 'on' };
  assert.equal((await ada.post(`/operators/${id}/roles`, roles)).status, 303);
  assert.match(await told(ada, id), /must confirm/);
  assert.match((await abe.get('/operators')).text, /waits for a second approval/);
  assert.equal(await rolesIn(id), 'read');
  await ada.post(`/operators/${id}/confirm`);
  assert.match(await told(ada, id), /Another administrator must confirm/);
  await ada.post(`/operators/${id}/roles`, { role_support: 'on' });
  assert.match(await told(ada, id), /waits for a second/);
  assert.equal(await rolesIn(id), 'read');
  await abe.post(`/operators/${id}/reject`);
  await abe.post(`/operators/${id}/confirm`);
  assert.match(await told(abe, id), /Nothing waits here/);
  await ada.post(`/operators/${id}/roles`, roles);
  await abe.post(`/operators/${id}/confirm`);
  assert.equal(await rolesIn(id), 'administrator');
  const every = ['operator_proposed', 'operator_rejected', 'operator_proposed'];
  assert.deepEqual(await acts(id), ['operator_created', ...every, 'operator_roles_changed']);

  // Invited by one of the two: they may have opened the link themselves.
  const { path, id: third } = await invited('viewer');
  const { browser } = await joins(path);
  await ada.post(`/operators/${third}/roles`, roles);
  await abe.post(`/operators/${third}/confirm`);
  const { id: fourth } = await person('viewer');
  await ada.post(`/operators/${fourth}/roles`, roles);
  await browser.post(`/operators/${fourth}/confirm`);
  assert.match(await told(browser, fourth), /invited or reset the other/);
  assert.equal(await rolesIn(fourth), 'read');
});

test('an administrator is disabled by two, enabled by two, and reset by none here', async () => {
  const { id } = await person('operator');
  await ada.post(`/operators/${id}/password`);
  assert.match(await told(ada, id), /by `holdfast operator reset` alone/);
  const state = async () => /badge-\w+">(\w+)</.exec((await ada.get(`/operators/${id}`)).text)?.[1];
  for (const [act, then] of [['disable', 'disabled'], ['enable', 'active']] as const) {
    const was = await state();
    await ada.post(`/operators/${id}/${act}`);
    assert.equal(await state(), was);
    await abe.post(`/operators/${id}/confirm`);
    assert.equal(await state(), then);
  }
  const one = { role_operator: 'on', role_reviewer: 'on' };
  // The sandbox lets one person be everything; production is in the unit test of the roles.
  await ada.post(`/operators/${id}/roles`, one);
  assert.equal(await rolesIn(id), 'reviewer, administrator');
});

test('two who take each other away at once leave one', async () => {
  const [first, second] = [await person('operator'), await person('operator')];
  const [one, two] = [await signedIn(base, first), await signedIn(base, second)];
  await one.post(`/operators/${second.id}/disable`);
  await two.post(`/operators/${first.id}/disable`);
  await Promise.all([
    two.post(`/operators/${second.id}/confirm`),
    one.post(`/operators/${first.id}/confirm`),
  ]);
  const left = await platform.db.query({
    text: 'select id from operator where disabled is null and id = any($1)',
    values: [[first.id, second.id]],
  });
  assert.equal(left.length, 1);
});

test('sessions end one by one, by their owner and by an administrator', async () => {
  const access = await person('viewer');
  const first = await signedIn(base, access);
  const second = await signedIn(base, access, 1);
  const idsIn = ({ text }: Page): string[] =>
    [...text.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id ?? '');
  const [other = ''] = idsIn(await second.get('/sessions'));
  const third = await person('viewer');
  await (await signedIn(base, third)).post('/sessions/end', { session: other });
  assert.equal((await first.get('/')).status, 200, 'of somebody else');
  await second.post('/sessions/end', { session: other });
  assert.equal((await first.get('/')).status, 303);
  assert.equal((await second.get('/')).status, 200);
  const [last = ''] = idsIn(await ada.get(`/operators/${access.id}`));
  await ada.post(`/operators/${access.id}/sessions`, { session: last });
  assert.equal((await second.get('/')).status, 303);
  const ended = (await acts(access.id)).filter((act) => act === 'operator_session_ended');
  assert.equal(ended.length, 2);
});
