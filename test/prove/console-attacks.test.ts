// Attempts to get more from the console than is allowed: forged forms, other people's tokens,
// markup in texts, pages above one's role, guessed names and codes, planted cookies, redirects
// elsewhere.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { consoleRoutes } from '../../src/console/index.ts';
import {
  codeAt,
  createOperator,
  hasRight,
  ROLES,
  type OperatorServices,
  type Role,
} from '../../src/product/access/operator/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { systemRandom } from '../../src/core/random.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { dataFolder, startPlatform, type Platform } from '../kit/platform.ts';
import { Browser, signedIn, type Access, type Page } from '../console/kit.ts';

let platform: Platform;
let folder: string;
let base: string;
let services: OperatorServices;
let admin: Browser;
let reader: Browser;
let numbered = 0;

type Wish = { name?: string; workspaces?: readonly number[] };

/** An operator who may sign in at once. */
function person(roles: readonly Role[], wish: Wish = {}) {
  const usual = { name: 'Somebody', username: `somebody${++numbered}`, workspaces: 'all' } as const;
  const one = { ...usual, roles, mustChange: false, ...wish };
  return createOperator({ ...services, env: 'staging' }, one, 'operator');
}

/** Forgets every try, so that one test does not hold up the next. */
async function forgetTries(): Promise<void> {
  await platform.db.query('delete from operator_throttle');
}

before(async () => {
  folder = dataFolder();
  const HOLDFAST_KEY_FILE = join(folder, 'keys.json');
  platform = await startPlatform({ settings: { HOLDFAST_KEY_FILE } });
  base = platform.ready.urls.console;
  services = { db: platform.db, keys: await fileKeys(HOLDFAST_KEY_FILE), random: systemRandom };
  admin = await signedIn(base, await person(['operator']));
  reader = await signedIn(base, await person(['viewer']));
});
after(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a form without the token of its session changes nothing', async () => {
  const other = await reader.csrf();
  const name = `csrf${Date.now()}`;
  const fields = { name, username: name, role_viewer: 'on', workspace_all: 'on' };
  const tokens = ['', 'x'.repeat(64), other, `${await admin.csrf()}0`];
  for (const csrf of tokens) {
    const body = new URLSearchParams({ ...fields, csrf }).toString();
    assert.equal((await admin.raw('/operators', body)).status, 403, csrf);
  }
  const none = await admin.raw('/operators', new URLSearchParams(fields).toString());
  assert.equal(none.status, 403);
  const rows = await admin.get('/operators');
  assert.ok(!rows.text.includes(name));
});

test('a form that another site sent changes nothing, whatever token it carries', async () => {
  const csrf = await admin.csrf();
  const body = new URLSearchParams({ csrf, everywhere: 'yes' }).toString();
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: base.replace('127.0.0.1', 'localhost') },
    { origin: base, 'sec-fetch-site': 'cross-site' },
    { origin: base, 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    assert.equal((await admin.raw('/sign-out', body, headers)).status, 403, headers.origin);
  }
  const signIn = await new Browser(base).trySignIn({}, { origin: 'https://evil.example' });
  assert.equal(signIn.status, 403);
  assert.equal((await admin.get('/')).status, 200);
});

test('a form without an Origin or Sec-Fetch-Site changes nothing', async () => {
  const csrf = await admin.csrf();
  const type = 'application/x-www-form-urlencoded';
  const headers = { cookie: admin.cookie, 'content-type': type };
  const status = await plainly('POST', '/sign-out', headers, `csrf=${csrf}`);
  assert.equal(status, 403);
});

const ROUTES = consoleRoutes();
for (const { method, path, right } of ROUTES) {
  test(`${method} ${path} is for who may ${right} alone`, async () => {
    const address = path.replaceAll(/:[a-z_]+/g, '019a0000-0000-7000-8000-000000000000');
    const nobody = new Browser(base);
    const asked = method === 'GET' ? await nobody.get(address) : await nobody.raw(address, '');
    const refused = address.startsWith('/v1/') ? asked.status === 401 : asked.status === 303;
    assert.ok(refused, `${asked.status}`);
    assert.doesNotMatch(asked.text, /class="side"/);
    if (path === '/sign-out' || path === '/sessions/end') return;
    for (const [held, browser] of await holders()) {
      const answer = method === 'GET' ? await browser.get(address) : await browser.post(address);
      const may = hasRight({ roles: [held] }, right);
      assert.equal(answer.status === 403, !may, `${held}: ${answer.status}`);
      assert.ok(answer.status < 500, `${held}: ${answer.status}`);
    }
  });
}

let everyRole: Promise<[Role, Browser][]> | null = null;
/** A browser for each role. */
function holders(): Promise<[Role, Browser][]> {
  everyRole ??= Promise.all(
    (Object.keys(ROLES) as Role[]).map(async (role): Promise<[Role, Browser]> => {
      return [role, await signedIn(base, await person([role]))];
    }),
  );
  return everyRole;
}

test('markup in what people wrote is text on every page', async () => {
  const planted = `"><script>alert(1)</script><img src=x onerror=alert(1)>'{{`;
  const { workspace } = await createWorkspace(platform.db, { name: planted, currencies: ['USD'] });
  const made = await person(['operator', 'supervisor'], { name: planted.slice(0, 100) });
  const theirs = await signedIn(base, made);
  const chosen = await theirs.post('/tenant', { workspace: String(workspace) });
  assert.equal(chosen.status, 303);
  const fields = { name: planted, username: planted, role_viewer: 'on', workspace_all: 'on' };
  const pages: Page[] = [await theirs.post('/operators', fields)];
  const asked = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path);
  const more = [`/operators/${made.id}`, `/sign-in?next=/${planted}`, `/${planted}`];
  for (const path of [...asked, ...more]) {
    pages.push(await theirs.get(path.replaceAll(/:[a-z_]+/g, made.id)));
  }
  for (const { text } of pages) {
    assert.doesNotMatch(text, /<script(?! src="\/assets\/)|<img src=x|onerror=alert\(1\)>/);
  }
  assert.ok(pages.some(({ text }) => text.includes('&lt;script&gt;')));
});

test('every page forbids foreign content and is not cached', async () => {
  const pages = [
    await admin.get('/'),
    await admin.get('/operators'),
    await new Browser(base).get('/sign-in'),
    await admin.get('/nowhere'),
    await reader.get('/operators'),
  ];
  for (const { headers, text } of pages) {
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      assert.ok(policy.includes(rule), rule);
    }
    assert.ok(!policy.includes('unsafe'), policy);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('access-control-allow-origin'), null);
    assert.doesNotMatch(text, /<[^>]*\s(?:style|on[a-z]+)=|<style|<script(?![^>]*\ssrc="\/)/);
  }
});

/** A request as it is written; fetch would add and repair. */
function plainly(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<number> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });
}

test('another Host header gets no console page', async () => {
  const { port } = new URL(base);
  for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`]) {
    assert.equal(await plainly('GET', '/', { host, cookie: admin.cookie }), 421, host);
    assert.equal(await plainly('POST', '/sign-in', { host }), 421, host);
  }
  assert.equal(await plainly('GET', '/', { host: `localhost:${port}` }), 303);
});

test('no method but those of the page does anything', async () => {
  const before = (await admin.get('/sessions')).text;
  const overrides = { 'x-http-method-override': 'POST', 'x-method-override': 'POST' };
  assert.equal((await admin.get('/sign-out?_method=POST', overrides)).status, 404);
  const headers = { cookie: admin.cookie, host: new URL(base).host };
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const answer = await plainly(method, '/sign-out', headers);
    assert.ok([404, 405].includes(answer), `${method} ${answer}`);
  }
  assert.equal((await admin.get('/sessions')).text, before);
});

test('forms that are huge, broken or of another kind are refused', async () => {
  const csrf = await admin.csrf();
  const huge = await admin.raw('/operators', `csrf=${csrf}&name=${'x'.repeat(70_000)}`);
  assert.equal(huge.status, 413);
  const most = Array.from({ length: 300 }, (_, n) => `f${n}=1`).join('&');
  for (const body of [`csrf=${csrf}&csrf=${csrf}`, `csrf=${csrf}&a=%ff`, `csrf=${csrf}&${most}`]) {
    assert.equal((await admin.raw('/operators', body)).status, 400, body.slice(0, 90));
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const body = JSON.stringify({ csrf });
    const answer = await admin.raw('/operators', body, { 'content-type': type });
    assert.equal(answer.status, 415, type);
  }
});

test('path traversal finds nothing', async () => {
  const headers = { cookie: admin.cookie, host: new URL(base).host };
  for (const path of [
    ...['/assets/..%2fhtml.ts', '/assets/../../package.json', '/assets/style.css%00', '/%2e%2e/'],
    ...['/operators/..%2f..%2fx', '/operators/%00', "/operators/'%20or%201=1", '//evil.example/'],
    ...['/operators/../operators', '/OPERATORS', '/operators/', '/%', '/operators/%ff'],
  ]) {
    assert.equal(await plainly('GET', path, headers), 404, path);
  }
});

test('sign-in redirects only to our own paths', async () => {
  const made = await person(['viewer']);
  const away = [
    ...['https://evil.example/', '//evil.example', '/\\evil.example', '\\\\evil.example'],
    ...['javascript:alert(1)', '/\t/evil.example', '/%0d%0aset-cookie:x=1', ' /', '/a\r\nb: c'],
  ];
  for (const next of away) {
    const asked = await new Browser(base).get(`/sign-in?${new URLSearchParams({ next })}`);
    const kept = /name="next" value="([^"]*)"/.exec(asked.text)?.[1] ?? '';
    assert.match(kept, /^\/(?![/\\])/, next);
    assert.ok(!kept.includes('evil.example'), next);
  }
  const answer = await new Browser(base).signIn(made, 0, '//evil.example');
  assert.deepEqual([answer.status, answer.location], [303, '/']);
});

test('the cookie is for this host alone, and a planted one is worthless', async () => {
  const made = await person(['viewer']);
  const browser = new Browser(base);
  browser.cookie = `holdfast_console=${'A'.repeat(43)}`;
  const planted = browser.cookie;
  const answer = await browser.signIn(made);
  const [set = ''] = answer.headers.getSetCookie();
  assert.match(set, /^holdfast_console=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.notEqual(browser.cookie, planted);
  const fixed = new Browser(base);
  fixed.cookie = planted;
  assert.equal((await fixed.get('/')).status, 303);
  fixed.cookie = `${planted}; ${browser.cookie}`;
  assert.equal((await fixed.get('/')).status, 303);
});

test('signing in again ends the session that the browser had', async () => {
  const made = await person(['viewer']);
  const browser = await signedIn(base, made, -1);
  const old = new Browser(base);
  old.cookie = browser.cookie;
  assert.equal((await old.get('/')).status, 200);
  assert.equal((await browser.signIn(made, 0)).status, 303);
  assert.equal((await old.get('/')).status, 303);
});

test('a code opens one session, also when it is sent many times at once', async () => {
  const made = await person(['viewer']);
  const many = Array.from({ length: 4 }, () => new Browser(base).signIn(made));
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 303).length, 1, statuses.join(' '));
  await forgetTries();
  assert.equal((await new Browser(base).signIn(made)).status, 401);
  // One of a step that lies before the one that was used opens nothing either.
  assert.equal((await new Browser(base).signIn(made, -1)).status, 401);
  assert.equal((await new Browser(base).signIn(made, 3)).status, 401);
  await forgetTries();
  assert.equal((await new Browser(base).signIn(made, 1)).status, 303);
});

test('whatever is wrong, the answer is the same', async () => {
  await forgetTries();
  const made = await person(['viewer']);
  const shut = await person(['viewer']);
  await admin.post(`/operators/${shut.id}/disable`);
  const now = (one: Access): string => codeAt(one.totp_secret, Date.now() / 1000);
  const good = now(made);
  const bad = good === '000000' ? '000001' : '000000';
  const tries = [
    { username: 'nobody-here', password: made.password, code: good },
    { username: made.username, password: 'wrong password', code: good },
    { username: made.username, password: made.password, code: bad },
    { username: shut.username, password: shut.password, code: now(shut) },
    { username: 'x'.repeat(10_000), password: 'y'.repeat(10_000), code: '' },
  ];
  const answers = [];
  for (const fields of tries) answers.push(await new Browser(base).trySignIn(fields));
  for (const answer of answers) {
    assert.equal(answer.status, 401);
    assert.equal(answer.text, answers[0]?.text);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
});

test('a name that nobody has takes as long as one that somebody has', async () => {
  const made = await person(['viewer']);
  const took = async (username: string): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      await forgetTries();
      const start = performance.now();
      await new Browser(base).trySignIn({ username, password: 'wrong password', code: '000000' });
      times.push(performance.now() - start);
    }
    return times.toSorted((a, b) => a - b)[3] as number;
  };
  const [known, unknown] = [await took(made.username), await took('nobody-here')];
  assert.ok(known > 5 && unknown > 5, `${known} ${unknown}`);
  assert.ok(Math.max(known, unknown) / Math.min(known, unknown) < 3, `${known} ${unknown}`);
});

test('guessing is slowed down, for existing names and unknown ones alike', async () => {
  for (const username of [(await person(['viewer'])).username, 'nobody-at-all']) {
    await forgetTries();
    const many = Array.from({ length: 20 }, () =>
      new Browser(base).trySignIn({ username, password: 'guess', code: '123456' }),
    );
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    assert.ok(statuses.filter((status) => status === 401).length <= 5, statuses.join(' '));
    const held = await new Browser(base).trySignIn({ username, password: 'guess', code: '1' });
    assert.equal(held.status, 429);
    assert.ok(Number(held.headers.get('retry-after')) >= 1);
  }
});

test('while a name is blocked even the right password fails; later it works', async () => {
  await forgetTries();
  const made = await person(['viewer']);
  for (let n = 0; n < 5; n += 1) {
    await new Browser(base).trySignIn({ username: made.username, password: 'guess', code: '1' });
  }
  assert.equal((await new Browser(base).signIn(made)).status, 429);
  await platform.db.query(`update operator_throttle set until = clock_timestamp()`);
  assert.equal((await new Browser(base).signIn(made)).status, 303);
});

test('one address that tries many names is slowed down', async () => {
  await forgetTries();
  const statuses: number[] = [];
  for (let n = 0; n < 32; n += 1) {
    const fields = { username: `name${n}`, password: 'guess', code: '1' };
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    statuses.push((await new Browser(base).trySignIn(fields, headers)).status);
  }
  assert.deepEqual(statuses.slice(30), [429, 429]);
  const other = { 'x-forwarded-for': '203.0.113.7, 198.51.100.9' };
  const fields = { username: 'name99', password: 'guess', code: '1' };
  assert.equal((await new Browser(base).trySignIn(fields, other)).status, 401);
  await forgetTries();
});

test('a flood of sign-ins does not slow the rest of the service', async () => {
  await forgetTries();
  const flood = Array.from({ length: 60 }, (_, n) =>
    new Browser(base).trySignIn(
      { username: `flood${n}`, password: 'guess', code: '123456' },
      { 'x-forwarded-for': `198.51.100.${n}` },
    ),
  );
  const start = performance.now();
  assert.equal((await admin.get('/sessions')).status, 200);
  assert.ok(performance.now() - start < 3_000);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)].toSorted(), [401, 429], statuses.join(' '));
});

test('nobody grants more than they have, or sees operators who may see more', async () => {
  const { workspace } = await createWorkspace(platform.db, { name: 'Small', currencies: ['USD'] });
  const small = await signedIn(base, await person(['operator'], { workspaces: [workspace] }));
  const great = await person(['viewer']);
  assert.equal((await small.get(`/operators/${great.id}`)).status, 404);
  assert.equal((await small.post(`/operators/${great.id}/password`)).status, 404);
  assert.ok(!(await small.get('/operators')).text.includes(great.username));
  const fields = { name: 'N', username: 'greedy', role_viewer: 'on' };
  const all = await small.post('/operators', { ...fields, workspace_all: 'on', workspace_1: 'on' });
  assert.equal(all.status, 400);
  assert.equal((await small.post('/tenant', { workspace: '1' })).status, 404);
});
