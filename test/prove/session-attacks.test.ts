// Attempts to gain more than a link, a session or a user token gives. Two processes on one
// database, so that no defence holds in one of them only. [ID1, ID2, G-12, G-13]
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { operations } from '../../src/sandbox/index.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import type { Operation } from '../../src/core/operation.ts';
import { pageOperations } from '../../src/pages/mount.ts';
import { Api } from '../kit/api.ts';
import { openedToken } from '../kit/checkout.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';

let fleet: Fleet;
let api: Api;
before(async () => {
  fleet = await startFleet(2);
  api = fleet.apis[0] as Api;
});
after(() => fleet?.stop());

interface Session {
  readonly to_agree: { readonly terms: { readonly version: number } | null } | null;
  readonly access_token: string;
  readonly scopes: readonly string[];
  readonly resume: string;
}
interface Opened {
  readonly status: number;
  readonly payload: Session;
  readonly cookie: string;
}

async function open(body: object, at = 0, cookie = ''): Promise<Opened> {
  const base = (fleet.apis[at] as Api).ready.urls.widget;
  const answer = await fetch(`${base}/ui/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const { payload } = (await answer.json()) as { payload: Session };
  return { status: answer.status, payload, cookie: answer.headers.get('set-cookie') ?? '' };
}

interface Link {
  readonly redirect: string;
  readonly nonce_auth_id: string;
}

const link = (account_id: string, more: object = {}, who = api): Promise<Link> =>
  who.must(200, 'auth', 'POST', '/authorize/user', { body: { account_id, ...more } });
const nonceOf = ({ redirect }: Link): string => redirect.slice(redirect.lastIndexOf('/') + 1);

let names = 0;
async function person(): Promise<string> {
  return (await api.register(`attacked${(names += 1)}`)).account_id;
}

test('a secret is 32 bytes in base64url or none; nothing else is kept or sent back', async () => {
  const nonce = nonceOf(await link(await person(), { flow: 'kyc' }));
  const odd = ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(43)}\n`];
  odd.push('x; Domain=evil.example', 'x\r\nSet-Cookie: a=b', `${'A'.repeat(42)}é`);
  for (const resume of odd) {
    const { status, cookie } = await open({ nonce, resume });
    assert.deepEqual([status, cookie], [400, ''], JSON.stringify(resume));
  }
  const resume = 'A'.repeat(43);
  const first = await open({ nonce, resume });
  assert.deepEqual([first.status, first.payload.resume], [200, resume]);
  assert.ok(first.cookie.includes(`=${resume}; Max-Age=`), first.cookie);
  assert.equal((await open({ nonce, resume }, 1)).status, 200, 'the page goes on');
  assert.equal((await open({ nonce, resume: 'B'.repeat(43) })).status, 410);
  assert.equal((await open({ nonce })).status, 410);
});

test('no cookie binds an unused link, with a secret of the page or without', async () => {
  for (const more of [{}, { resume: 'C'.repeat(43) }]) {
    const nonce = nonceOf(await link(await person(), { flow: 'kyc' }));
    const other = await open({ nonce: nonceOf(await link(await person(), { flow: 'kyc' })) });
    const name = `holdfast_${hash('sha256', `cookie:${nonce}`).slice(0, 16)}`;
    assert.match(other.cookie, /^holdfast_[0-9a-f]{16}=/);
    const planted = `${name}=${'D'.repeat(43)}`;
    const first = await open({ nonce, ...more }, 0, planted);
    assert.equal(first.status, 200);
    assert.ok(!first.cookie.includes('DDD') && first.cookie.startsWith(name), first.cookie);
    assert.equal((await open({ nonce }, 0, planted)).status, 410);
    const [own = ''] = first.cookie.split(';');
    assert.equal((await open({ nonce, resume: 'E'.repeat(43) }, 0, own)).status, 200, 'a reload');
  }
});

test('a session of the terms asks no consent, so it may do nothing', async () => {
  const account = await person();
  const nonce = nonceOf(await link(account));
  const { to_agree, resume } = (await open({ nonce, flow: 'tos' })).payload;
  const agree = { consent: true, terms_version: to_agree?.terms?.version };
  const { payload } = await open({ nonce, flow: 'tos', resume, agree });
  assert.deepEqual([payload.to_agree, payload.scopes], [null, []]);
  const session = new Api(api.ready, payload.access_token);
  const methods = await session.send('payments', 'GET', `/v1/${account}/payment_methods`);
  assert.deepEqual([methods.status, methods.codes], [403, ['INSUFFICIENT_SCOPE']]);
});

test('a user token begets no session that may do more than it', async () => {
  const account_id = await person();
  type Given = { token: { access_token: string } };
  const body = { account_id, return_token: true, scopes: ['verify_kyc'] };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', { body });
  const user = new Api(api.ready, token.access_token);
  const more = { body: { scopes: ['write_invoice'] } };
  const asked = await user.send('auth', 'POST', '/authorize/user', more);
  assert.deepEqual([asked.status, asked.codes], [400, ['INVALID_SCOPE']]);
  const made = await link(account_id, { flow: 'payout' }, user);
  const session = new Api(api.ready, await openedToken(made.redirect));
  const entry = { body: { kind: 'bank' } };
  const tried = await session.send('payments', 'POST', '/v1/payment_method/entry', entry);
  assert.deepEqual([tried.status, tried.codes], [403, ['INSUFFICIENT_SCOPE']]);
  assert.equal((await session.send('pii', 'GET', '/v2/kyc/form')).status, 200);
});

test('a consent taken back while a link opens ends what opens', async () => {
  const account = await person();
  const standing = await openedToken((await link(account, { flow: 'payout' })).redirect);
  const session = new Api(api.ready, standing);
  type Consents = { consents: { consent_id: string }[] };
  const { consents } = await session.must<Consents>(200, 'accounts', 'GET', '/v1/consents');
  const { nonce_auth_id: id } = await link(account, { flow: 'payout' });
  let revoking: Promise<unknown> = Promise.resolve();
  // As an opening that has found the consent and has not committed yet.
  await fleet.db.transaction(async (tx) => {
    await tx.execute({
      text: 'update link set used_at = clock_timestamp(), resume_hash = $2 where id = $1',
      values: [id, 'x'],
    });
    const path = `/v1/consents/${consents[0]?.consent_id}`;
    revoking = session.must(204, 'accounts', 'DELETE', path);
    const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like '%update consent%'`;
    const end = Date.now() + 10_000;
    while ((await fleet.db.query(waits)).length === 0) {
      assert.ok(Date.now() < end, 'the revocation waits for the opening');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  await revoking;
  const revoked = await fleet.db.query({
    text: `select 1 from revoked_token r join link l on l.nonce_hash = r.id
      where r.kind = 'family' and l.id = $1`,
    values: [id],
  });
  assert.equal(revoked.length, 1);
});

type Pair = { readonly access_token: string; readonly refresh_token: string };

async function userToken(account_id: string): Promise<Pair> {
  const body = { account_id, return_token: true };
  const asked = { body };
  type Given = { token: Pair };
  return (await api.must<Given>(200, 'auth', 'POST', '/authorize/user', asked)).token;
}

async function refresh(refresh_token: string): Promise<number> {
  const { client, urls } = api.ready;
  const answer = await fetch(`${urls.auth}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client }),
    signal: AbortSignal.timeout(30_000),
  });
  await answer.text();
  return answer.status;
}

/** What each process says to each token, asked for what every person may see. */
async function heard(...tokens: string[]): Promise<number[]> {
  const asked = fleet.apis.flatMap(({ ready }) => tokens.map((token) => new Api(ready, token)));
  const replies = asked.map((one) => one.send('accounts', 'GET', '/v1/consents'));
  return (await Promise.all(replies)).map(({ status }) => status);
}

test('a block ends sessions and user tokens at once, everywhere, and for good', async () => {
  const account_id = await person();
  const unopened = await link(account_id, { flow: 'kyc' });
  const used = await link(account_id, { flow: 'purchase' });
  const resume = 'R'.repeat(43);
  await open({ nonce: nonceOf(used), resume });
  const session = await openedToken((await link(account_id, { flow: 'payout' })).redirect);
  const user = await userToken(account_id);
  assert.deepEqual(await heard(session, user.access_token), [200, 200, 200, 200]);
  const block = { account_id, block_capability: 'login' };
  const blocked = { body: { ...block, block_reason: 'account_close' } };
  await api.must(200, 'accounts', 'POST', '/v2/block', blocked);
  assert.deepEqual(await heard(session, user.access_token), [401, 401, 401, 401]);
  assert.equal(await refresh(user.refresh_token), 400);
  assert.equal((await open({ nonce: nonceOf(unopened) })).status, 403);
  assert.equal((await open({ nonce: nonceOf(used), resume })).status, 410);
  const refused = await api.send('auth', 'POST', '/authorize/user', { body: { account_id } });
  assert.deepEqual([refused.status, refused.codes], [403, ['ACCOUNT_BLOCKED']]);
  await api.must(200, 'accounts', 'POST', '/v2/unblock', { body: block });
  assert.deepEqual(await heard(session, user.access_token), [401, 401, 401, 401]);
  assert.equal(await refresh(user.refresh_token), 400);
  assert.equal((await open({ nonce: nonceOf(used), resume })).status, 410);
  const fresh = await openedToken((await link(account_id, { flow: 'payout' })).redirect);
  const after = (await userToken(account_id)).access_token;
  assert.deepEqual(await heard(fresh, after), [200, 200, 200, 200]);
});

test('what a tenant attests ends when it is taken back, until the person agrees', async () => {
  const account_id = await person();
  const first = await userToken(account_id);
  const paying = await openedToken((await link(account_id, { flow: 'purchase' })).redirect);
  const user = new Api(api.ready, first.access_token);
  type Consents = { consents: { consent_id: string; given_by: string }[] };
  const { consents } = await user.must<Consents>(200, 'accounts', 'GET', '/v1/consents');
  const attested = consents.find(({ given_by }) => given_by === 'integrator');
  await user.must(204, 'accounts', 'DELETE', `/v1/consents/${attested?.consent_id}`);
  assert.deepEqual(await heard(first.access_token, paying), [401, 200, 401, 200]);
  assert.equal(await refresh(first.refresh_token), 400);
  for (const more of [{}, { scopes: 'read_kyc' }]) {
    const body = { account_id, return_token: true, ...more };
    const told = await api.send('auth', 'POST', '/authorize/user', { body });
    assert.deepEqual([told.status, told.codes], [403, ['CONSENT_REVOKED']]);
  }
  await openedToken((await link(account_id, { flow: 'kyc' })).redirect);
  assert.deepEqual(await heard((await userToken(account_id)).access_token), [200, 200]);
});

test('who attests while the person takes back gives nothing that lives', async () => {
  for (let round = 0; round < 8; round += 1) {
    const account_id = await person();
    const user = new Api(api.ready, (await userToken(account_id)).access_token);
    type Consents = { consents: { consent_id: string }[] };
    const { consents } = await user.must<Consents>(200, 'accounts', 'GET', '/v1/consents');
    const path = `/v1/consents/${consents[0]?.consent_id}`;
    const body = { account_id, return_token: true };
    type Given = { token?: Pair };
    const asking = fleet.apis.map((one) => one.send('auth', 'POST', '/authorize/user', { body }));
    await user.must(204, 'accounts', 'DELETE', path);
    for (const { status, payload } of await Promise.all(asking)) {
      assert.ok(status === 200 || status === 403, String(status));
      const token = (payload as Given).token?.access_token;
      if (token !== undefined) assert.deepEqual(await heard(token), [401, 401]);
    }
  }
});

test('a token of a blocked account, or without a consent on record, opens nothing', async () => {
  const account_id = await person();
  const { access_token, refresh_token } = await userToken(account_id);
  const session = await openedToken((await link(account_id, { flow: 'kyc' })).redirect);
  assert.deepEqual(await heard(access_token, session), [200, 200, 200, 200]);
  // As one that was blocked before a block ended access.
  const block = (blocked: boolean): Promise<void> =>
    fleet.db.transaction(async (tx) => {
      await tx.execute('alter table account disable trigger account_block_ends_access');
      const text = 'update account set blocked = $2 where id = $1';
      await tx.execute({ text, values: [uuidOfWireId('acct', account_id), blocked] });
      await tx.execute('alter table account enable trigger account_block_ends_access');
    });
  await block(true);
  assert.deepEqual(await heard(access_token, session), [401, 401, 401, 401]);
  await block(false);
  // No call forgets a consent; its row goes the way that no program can.
  const forget = (given_by: string): Promise<void> =>
    fleet.db.transaction(async (tx) => {
      await tx.execute('alter table consent disable trigger consent_kept');
      const text = 'delete from consent where account_id = $1 and given_by = $2';
      await tx.execute({ text, values: [uuidOfWireId('acct', account_id), given_by] });
      await tx.execute('alter table consent enable trigger consent_kept');
    });
  await forget('person');
  const attested = [200, 401, 200, 401];
  assert.deepEqual(await heard(access_token, session), attested, 'a session needs the person');
  await forget('integrator');
  assert.deepEqual(await heard(access_token), [401, 401]);
  assert.equal(await refresh(refresh_token), 400);
});

test('a session with one scope is refused at every mounted address that asks another', async () => {
  const { redirect } = await link(await person(), { scopes: ['read_payment_method'], flow: 'kyc' });
  const session = new Api(api.ready, await openedToken(redirect));
  const mounted = pageOperations(operations as unknown as Operation<unknown>[]);
  assert.ok(mounted.length > 40);
  for (const { host, method, path, access } of mounted) {
    if (access === 'public') continue;
    const asked = path.replaceAll(/\{[a-z_]+\}/g, 'x');
    const options = method === 'GET' ? {} : { body: {} };
    const reply = await session.send(host, method, asked, options);
    const narrow = ![null, 'read_payment_method'].includes(access.session ?? null);
    assert.equal(reply.codes[0] === 'INSUFFICIENT_SCOPE', narrow, `${path}: ${reply.text}`);
    const client = await api.send(host, method, asked, options);
    assert.deepEqual([client.status, client.codes], [403, ['TOKEN_KIND_REFUSED']], path);
  }
});

const NUMBER = '4111111111111111';

test('no table holds a nonce, a secret of a browser, a token, a page or a number', async () => {
  const nonce = nonceOf(await link(await person(), { flow: 'purchase' }));
  const first = (await open({ nonce })).payload;
  const agree = { consent: true, terms_version: first.to_agree?.terms?.version };
  const { payload } = await open({ nonce, resume: first.resume, agree });
  const session = new Api(api.ready, payload.access_token);
  const path = '/v1/payment_method';
  const call = { body: { kind: 'card' }, key: 'entry' };
  type Entry = { url: string; entry_id: string };
  const entry = await session.must<Entry>(201, 'payments', 'POST', `${path}/entry`, call);
  const card = { number: NUMBER, expiry_month: 12, expiry_year: 2090, cvc: '737' };
  const headers = { 'content-type': 'application/json' };
  const sent = await fetch(entry.url, { method: 'POST', headers, body: JSON.stringify(card) });
  assert.equal(sent.status, 200, await sent.text());
  const { entry_id } = entry;
  await session.must(201, 'payments', 'POST', path, { body: { entry_id }, key: 'attach' });
  const secrets = [nonce, first.resume, payload.access_token, NUMBER];
  secrets.push(entry.url.slice(entry.url.lastIndexOf('/') + 1));
  const tables = await fleet.db.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of tables) {
    const found = await fleet.db.query({
      text: `select t::text as row from ${name} t
        where exists (select from unnest($1::text[]) s where strpos(t::text, s) > 0)`,
      values: [secrets],
    });
    assert.deepEqual(found, [], name);
  }
});

test('a name as long as a name may be does not keep people from entering cards', async () => {
  const body = { name: '\u{1F642}'.repeat(255) };
  await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
  const { redirect } = await link(await person(), { flow: 'purchase' });
  const session = new Api(api.ready, await openedToken(redirect));
  const entry = { body: { kind: 'card' } };
  await session.must(201, 'payments', 'POST', '/v1/payment_method/entry', entry);
});
