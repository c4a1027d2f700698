// The developers' pages: clients whose secret is seen once and rotates, settings, limits and the
// log of requests, each for its role and its tenant alone.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { canonicalJson } from '../../src/core/json.ts';
import { Desk, plain, sends as sendsTo, shownFor } from '../console/developer.ts';
import type { Browser } from '../console/kit.ts';

let desk: Desk;
let dora: Browser;
let clientId = '';
let secret = '';

const sends = (browser: Browser, to: string, fields: Record<string, string> = {}) =>
  sendsTo(desk.platform, browser, to, fields);

before(async () => {
  desk = await Desk.open();
  dora = await desk.hire('dora', 'developer');
});
after(async () => desk?.platform.stop());

/** The status of the token endpoint for a secret. */
async function tokenStatus(client_secret: string): Promise<number> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret };
  const { status } = await desk.platform.api.send('auth', 'POST', '/token', { form, token: null });
  return status;
}

const atOf = (): string => `/developers/clients/${clientId}`;

test('a client is created once, and its secret is shown in that answer alone', async () => {
  const form = {
    ...{ once: randomUUID(), name: 'Shop server' },
    ...{ scope_read_invoices: 'on', scope_write_invoices: 'on' },
  };
  const [first, second] = await Promise.all([
    sends(dora, '/developers/clients', form),
    sends(dora, '/developers/clients', form),
  ]);
  const made = [first, second].filter(({ status }) => status === 200);
  assert.equal(made.length, 1, `${first.status} ${second.status}`);
  const text = made[0]?.text ?? '';
  [clientId, secret] = [shownFor(text, 'client_id'), shownFor(text, 'client_secret')];
  assert.match(secret, /^[\w-]{43}$/);
  const late = await sends(dora, '/developers/clients', form);
  assert.deepEqual([late.status, late.text.includes(secret)], [409, false]);
  const list = (await dora.get('/developers')).text;
  assert.equal(list.match(/Shop server/g)?.length, 1);
  assert.ok(!list.includes(secret) && !(await dora.get(atOf())).text.includes(secret));
  assert.deepEqual(await desk.keeps(secret), []);
  assert.deepEqual(await desk.acts(clientId), ['client_created']);
  assert.equal(await tokenStatus(secret), 200);
});

test('another name under the same form is refused, and so is no scope at all', async () => {
  const once = randomUUID();
  const fields = { once, name: 'One', scope_read_invoices: 'on' };
  assert.equal((await sends(dora, '/developers/clients', fields)).status, 200);
  const other = await sends(dora, '/developers/clients', { ...fields, name: 'Two' });
  assert.match(other.text, /IDEMPOTENCY_KEY_REUSED/);
  const none = await sends(dora, '/developers/clients', { name: 'Kept <b>words</b>' });
  assert.equal(none.status, 400);
  assert.match(none.text, /Choose at least one scope[\s\S]*value="Kept &lt;b&gt;words/);
  const blank = { scope_read_invoices: 'on', name: ' ' };
  const unnamed = await sends(dora, '/developers/clients', blank);
  assert.equal(unnamed.status, 400);
  const of = '019a0000-0000-7000-8000-000000000000';
  const elsewhere = await sends(dora, '/developers/clients', { ...blank, name: 'x', of });
  assert.match(elsewhere.text, /not the tenant that is chosen/);
  const formless = await dora.post('/developers/clients', { name: 'x', scope_read_invoices: 'on' });
  assert.equal(formless.status, 400);
});

test('a new secret works, and the one before works during the overlap alone', async () => {
  const form = { once: randomUUID(), overlap_hours: '24' };
  const { text } = await sends(dora, `${atOf()}/rotate`, form);
  const next = shownFor(text, 'client_secret');
  assert.deepEqual([await tokenStatus(next), await tokenStatus(secret)], [200, 200]);
  const again = await sends(dora, `${atOf()}/rotate`, form);
  assert.deepEqual([again.status, await tokenStatus(next)], [409, 200]);
  assert.match((await dora.get(atOf())).text, /two secrets are valid/);
  const last = await sends(dora, `${atOf()}/rotate`, { overlap_hours: '0' });
  const only = shownFor(last.text, 'client_secret');
  const now = [await tokenStatus(only), await tokenStatus(next), await tokenStatus(secret)];
  assert.deepEqual(now, [200, 401, 401]);
  assert.deepEqual(await desk.keeps(next), []);
  secret = only;
});

test('a disabled client gets no token until it is enabled', async () => {
  await dora.post(`${atOf()}/disable`);
  assert.equal(await tokenStatus(secret), 401);
  await dora.post(`${atOf()}/enable`);
  assert.equal(await tokenStatus(secret), 200);
  const all = ['client_created', 'client_rotated', 'client_rotated'];
  const acts = await desk.acts(clientId);
  assert.deepEqual(acts, [...all, 'client_disabled', 'client_enabled']);
});

test('developers alone open the pages, and a client of another tenant is not there', async () => {
  const paths = ['/developers', '/developers/settings', '/developers/requests', atOf()];
  for (const role of ['viewer', 'support', 'reviewer', 'accountant', 'operator'] as const) {
    const other = await desk.hire(`not-${role}`, role);
    for (const path of paths) assert.equal((await other.get(path)).status, 403, `${role} ${path}`);
    assert.equal((await sends(other, `${atOf()}/rotate`, { overlap_hours: '0' })).status, 403);
  }
  const { client: { client_id: id } } = await desk.platform.tenant();
  const there = `/developers/clients/${id}`;
  assert.equal((await dora.get(there)).status, 404);
  for (const act of ['rotate', 'disable', 'enable']) {
    const answer = await sends(dora, `${there}/${act}`, { overlap_hours: '0' });
    assert.equal(answer.status, 404, act);
  }
  assert.deepEqual(await desk.acts(id), []);
});

test('addresses and look are saved, refused as by the API, and not from an old page', async () => {
  const seen = /name="seen" value="(\w+)"/.exec((await dora.get('/developers/settings')).text)?.[1];
  const now = await desk.platform.api.must<Record<string, unknown>>(
    ...([200, 'invoicing', 'GET', '/v1/settings'] as const),
  );
  const look = now['look'] as Record<string, string>;
  const asNow = { name: String(now['name']), ...look, logo: '', seen: seen ?? '' };
  const fields = {
    ...{ ...asNow, primary_color: '#A01010' },
    registered_origins: 'https://shop.example\r\nhttps://www.shop.example\r\n',
    return_addresses: (now['return_addresses'] as string[]).join('\r\n'),
    oauth_return_addresses: (now['oauth_return_addresses'] as string[]).join('\r\n'),
  };
  const foul = { ...fields, registered_origins: 'ftp://x' };
  const wrong = await dora.post('/developers/settings', foul);
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /registered_origins\[0\] must be an origin[\s\S]*>\s*ftp:\/\/x</);
  assert.equal((await dora.post('/developers/settings', fields)).status, 303);
  const then = await desk.platform.api.must<Record<string, unknown>>(
    ...([200, 'invoicing', 'GET', '/v1/settings'] as const),
  );
  const expected = {
    ...now,
    registered_origins: ['https://shop.example', 'https://www.shop.example'],
    look: { ...look, primary_color: '#a01010' },
  };
  assert.equal(canonicalJson(then), canonicalJson(expected));
  await dora.post('/developers/settings', { ...fields, name: 'From an old page' });
  const { text } = await dora.get('/developers/settings');
  assert.match(text, /Somebody changed the settings/);
  assert.doesNotMatch(text, /From an old page/);
});

test('a logo is taken as a picture only', async () => {
  const { text } = await dora.get('/developers/settings');
  const value = (name: string): string =>
    plain(new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1] ?? '');
  const names = ['seen', 'name', 'background_color', 'primary_color', 'preview_text'] as const;
  const fields = Object.fromEntries(names.map((name) => [name, value(name)]));
  const lists = Object.fromEntries(
    ['registered_origins', 'return_addresses', 'oauth_return_addresses'].map((name) => {
      const held = new RegExp(`name="${name}"[^>]*>\\s*([^<]*)</textarea>`).exec(text)?.[1];
      return [name, plain(held ?? '')];
    }),
  );
  const answer = await dora.upload(
    ...(['/developers/settings', { ...fields, ...lists }, 'logo', '<svg/>', 'image/png'] as const),
  );
  assert.equal(answer.status, 400);
  assert.match(answer.text, /look\.logo/);
});

test('limits are changed by an administrator of the installation alone', async () => {
  const at = '/developers/limits';
  const values = { inFlight: '64', writes: '500', reads: '0' };
  assert.equal((await dora.post(at, values)).status, 403);
  const { ready: { integrator }, db } = desk.platform;
  const [home] = await db.query<{ workspace: number }>({
    text: 'select workspace from workspace where integrator = $1',
    values: [integrator],
  });
  const own = await desk.hire('own', 'operator', [home?.workspace ?? 0]);
  assert.equal((await own.post(at, values)).status, 404);
  const whole = await desk.hire('whole', 'operator');
  await whole.post(at, values);
  assert.match((await dora.get(at)).text, /Concurrent requests<\/dt><dd>64/);
  assert.deepEqual(await desk.acts(integrator), ['tenant_limits_changed']);
  await whole.post(at, { ...values, reads: 'many' });
  assert.match((await whole.get(at)).text, /three whole numbers/);
  await whole.post(at, {});
  assert.match((await dora.get(at)).text, /as the installation/);
});

test('the log of requests shows what was refused and why, and never a body', async () => {
  const { api } = desk.platform;
  const refused = await api.send('invoicing', 'POST', '/v2/invoice', {
    body: { account_id: 'very-own-words' },
  });
  assert.equal(refused.status, 400);
  const id = refused.headers.get('x-request-id') ?? '';
  const page = await dora.get(`/developers/requests?request=${id}`);
  assert.match(page.text, /POST \/v2\/invoice/);
  assert.match(page.text, /<td class="number">400<\/td>/);
  assert.match(page.text, /MISSING_FIELD|INVALID_FIELD/);
  assert.equal(page.text.match(new RegExp(`<code>${id}`, 'g'))?.length, 1);
  assert.doesNotMatch(page.text, /very-own-words/);
  assert.deepEqual(await desk.keeps('very-own-words'), []);
  const lines = async (query: string): Promise<string[]> => {
    const { text } = await dora.get(`/developers/requests?${query}`);
    const found = text.matchAll(/<td class="number">(\d{3})<\/td>/g);
    return [...found].map(([, status]) => status ?? '');
  };
  assert.ok((await lines('status=4')).every((status) => status.startsWith('4')));
  assert.ok((await lines('status=2')).every((status) => status.startsWith('2')));
  assert.deepEqual(await lines(`client=${clientId}`), []);
  assert.deepEqual(await lines('request=no-id'), []);
  const { token } = await desk.platform.tenant();
  const theirs = await api.send('invoicing', 'POST', '/v2/invoice', { body: {}, token });
  const foreign = theirs.headers.get('x-request-id') ?? '';
  assert.deepEqual(await lines(`request=${foreign}`), []);
});
