// In production a developer gives no API client what the role itself may not do: the secret of such
// a client, new or replaced, works once an independent person has confirmed it. [G-04, G-51]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SCOPE_NAMES } from '../../src/product/access/oauth/index.ts';
import { createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Tenant } from '../api/kit.ts';
import { Desk, shownFor } from '../console/developer.ts';
import { signedIn, type Browser, type Page } from '../console/kit.ts';

let desk: Desk;
let tenant: Tenant;
let dora: Browser;
let sue: Browser;
let doraId: string;

before(async () => {
  desk = await Desk.open('production');
  tenant = await desk.platform.tenant();
  const made = await make('dora', ['developer'], 'operator');
  [dora, doraId] = [made.browser, made.id];
  sue = await desk.hire('sue', 'supervisor');
});
after(async () => desk?.platform.stop());

async function make(username: string, roles: readonly Role[], by: string) {
  const { db, keys, ready } = desk.platform;
  const email = `${username}@staff.example`;
  const wish = { name: username, username, roles, email, mustChange: false } as const;
  const all = { ...wish, workspaces: 'all' } as const;
  const made = await createOperator({ db, keys, random: systemRandom }, all, by);
  return { id: made.id, browser: await signedIn(ready.urls.console, made) };
}

const sends = (to: string, fields: Record<string, string>, browser = dora): Promise<Page> =>
  browser.post(to, { once: randomUUID(), of: tenant.integrator, ...fields });

async function create(name: string, ...scopes: string[]) {
  const ticked = Object.fromEntries(scopes.map((scope) => [`scope_${scope}`, 'on']));
  const { status, text } = await sends('/developers/clients', { name, ...ticked });
  assert.equal(status, 200, text);
  const waits = text.includes('once a second person has confirmed');
  const [id, secret] = [shownFor(text, 'client_id'), shownFor(text, 'client_secret')];
  return { id, secret, waits, name };
}

async function rotate(id: string, overlap_hours: string): Promise<string> {
  const { text } = await sends(`/developers/clients/${id}/rotate`, { overlap_hours });
  return shownFor(text, 'client_secret');
}

async function works(client_id: string, client_secret: string): Promise<boolean> {
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const { status } = await desk.platform.api.send('auth', 'POST', '/token', { form, token: null });
  assert.ok(status === 200 || status === 401, `${status}`);
  return status === 200;
}

/** What the form of a secret that waits carries; '' where none waits. */
async function seenBy(browser: Browser, id: string): Promise<string> {
  const { text } = await browser.get('/clients');
  const at = text.indexOf(`action="/clients/${id}"`);
  return at < 0 ? '' : (/name="seen" value="([^"]*)"/.exec(text.slice(at))?.[1] ?? '');
}

async function decide(browser: Browser, id: string, word: string): Promise<string> {
  const fields = { seen: await seenBy(browser, id), word };
  const answer = await browser.post(`/clients/${id}`, fields);
  return answer.status === 303 ? (await browser.get('/clients')).text : String(answer.status);
}

const WITHIN = ['read_events', 'write_webhooks', 'write_settings', 'read_invoices'];

test('a client within the role works at once; each scope beyond it waits', async () => {
  const plain = await create('Own', ...WITHIN);
  assert.deepEqual([plain.waits, await works(plain.id, plain.secret)], [false, true]);
  const reads = ['read_invoice', 'read_wallets', 'read_process_credits'];
  const beyond = SCOPE_NAMES.filter((scope) => {
    return ![...WITHIN, ...reads, 'write_sandbox'].includes(scope);
  });
  assert.ok(beyond.includes('write_process_credits') && beyond.includes('write_user_tokens'));
  for (const scope of beyond) {
    const made = await create(scope, 'read_events', scope);
    assert.deepEqual([made.waits, await works(made.id, made.secret)], [true, false], scope);
    await decide(sue, made.id, 'reject');
  }
});

test('an independent supervisor confirms what was shown, and nobody else', async () => {
  const made = await create('Shop server', 'read_invoices', 'write_invoices');
  const { browser: dependent } = await make('dan', ['supervisor'], `operator:${doraId}`);
  assert.match(await decide(dependent, made.id, 'confirm'), /invited or reset the other/);
  const own = await make('both', ['developer', 'supervisor'], 'operator');
  for (const role of ['viewer', 'reviewer', 'accountant', 'developer', 'operator'] as const) {
    const other = await desk.hire(`not-${role}`, role);
    assert.equal((await other.get('/clients')).status, 403, role);
    assert.equal(await decide(other, made.id, 'confirm'), '403', role);
  }
  assert.equal(await works(made.id, made.secret), false);
  const seen = await seenBy(sue, made.id);
  const later = await rotate(made.id, '0');
  const old = await sue.post(`/clients/${made.id}`, { seen, word: 'confirm' });
  assert.equal(old.status, 303);
  assert.match((await sue.get('/clients')).text, /Another secret was made since/);
  assert.match((await sue.get('/')).text, /href="\/clients">Secrets of API clients to confirm/);
  assert.match(await decide(sue, made.id, 'confirm'), /the secret works now/);
  assert.deepEqual([await works(made.id, later), await works(made.id, made.secret)], [true, false]);
  assert.deepEqual(await desk.acts(made.id), [
    ...['client_created', 'client_proposed', 'client_proposed', 'client_confirmed'],
  ]);
  const second = await sends('/developers/clients', { name: 'Mine', scope_write_invoices: 'on' },
    own.browser);
  const mine = shownFor(second.text, 'client_id');
  assert.match(await decide(own.browser, mine, 'confirm'), /Another person must confirm/);
  assert.equal(await works(mine, shownFor(second.text, 'client_secret')), false);
});

test('a new secret waits too, and the one of now works meanwhile and for its overlap', async () => {
  const { id, secret: first } = await create('Payouts', 'write_process_credits');
  assert.match(await decide(sue, id, 'confirm'), /works now/);
  const next = await rotate(id, '24');
  assert.match((await dora.get(`/developers/clients/${id}`)).text, /waits for a second person/);
  assert.deepEqual([await works(id, first), await works(id, next)], [true, false]);
  assert.match(await decide(sue, id, 'confirm'), /works now/);
  assert.deepEqual([await works(id, first), await works(id, next)], [true, true]);
  const last = await rotate(id, '0');
  assert.match(await decide(sue, id, 'reject'), /Rejected/);
  assert.deepEqual([await works(id, next), await works(id, last)], [true, false]);
  assert.deepEqual(await desk.keeps(last), []);
});

test('a rejected client is disabled; that of a maker without access is not confirmed', async () => {
  const rejected = await create('No', 'write_invoices');
  await decide(sue, rejected.id, 'reject');
  assert.match((await dora.get(`/developers/clients/${rejected.id}`)).text, /disabled/);
  assert.equal(await decide(sue, rejected.id, 'confirm'), '404');
  const orphan = await create('Orphan', 'write_invoices');
  await desk.platform.db.query({
    text: 'update operator set disabled = clock_timestamp() where id = $1',
    values: [doraId],
  });
  assert.match(await decide(sue, orphan.id, 'confirm'), /no access any more/);
  assert.equal(await works(orphan.id, orphan.secret), false);
});

test('without a mail server no operator is mailed about a new browser', async () => {
  assert.deepEqual(await desk.platform.db.query('select from operator_mail'), []);
  assert.equal((await desk.platform.db.query('select from operator_device')).length > 5, true);
});
