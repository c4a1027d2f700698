// Snapshots and workspaces over HTTP: a rolled back or cloned workspace answers every read byte for
// byte as before, continues by itself, and changes nothing elsewhere. [G-64]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SNAPSHOTS_MAX, WORKSPACES_MAX } from '../../src/sandbox/workspace/index.ts';
import { storedOf, type Frozen } from '../../src/sandbox/workspace/snapshot-storage.ts';
import { proved } from '../kit/books.ts';
import { clockOf } from '../api/clocks.ts';
import { atRest, startPlatform, type Platform, type Tenant } from '../api/kit.ts';
import { Market, type Body } from '../api/market.ts';
import { furnish, type Fixtures } from '../api/fixtures.ts';
import { addressOf, readable } from '../api/questions.ts';
import type { Call, Reply } from '../kit/api.ts';
import type { Event } from '../api/records.ts';

interface Clone {
  readonly world_id: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly born_of: string;
}
interface Workspace {
  readonly world_id: string;
  readonly current: boolean;
  readonly main: boolean;
  readonly snapshot_id: string | null;
}

let platform: Platform;
let home: Tenant;
let fixtures: Fixtures;
/** Of the home workspace before any test. */
let first = '';
before(async () => {
  platform = await startPlatform();
  home = await platform.tenant();
  fixtures = await furnish(platform, home);
  first = await snapshot(home.token);
});
after(() => platform?.stop());

const PLACES = {
  snapshots: '/sandbox/snapshots',
  workspaces: '/sandbox/worlds',
  rollback: '/sandbox/rollback',
  reset: '/sandbox/reset',
} as const;

function post(place: keyof typeof PLACES, body: Body, token: string, key?: string): Promise<Reply> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return platform.api.send('invoicing', 'POST', PLACES[place], { body, token, headers });
}

async function done<T>(reply: Promise<Reply>): Promise<T> {
  const { status, body, text } = await reply;
  assert.ok(status < 300, text);
  return body.payload as T;
}

async function snapshot(token: string): Promise<string> {
  await rested();
  return (await done<{ snapshot_id: string }>(post('snapshots', {}, token))).snapshot_id;
}

async function tokenOf(
  { client_id, client_secret }: Tenant['client'],
  less: Body = {},
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id, client_secret, ...less };
  const { body, status } = await platform.api.send('auth', 'POST', '/token', { form, token: null });
  assert.equal(status, 200);
  return (body as unknown as { access_token: string }).access_token;
}

async function workspaces(token: string): Promise<Workspace[]> {
  const place = [200, 'invoicing', 'GET', PLACES.workspaces, { token }] as const;
  return (await platform.api.must<{ worlds: Workspace[] }>(...place)).worlds;
}

/** Nothing moves any more: the processor's statement is read, and receivers have heard. */
function rested(): Promise<void> {
  return atRest(
    platform.db,
    `select 'to a receiver', '' from delivery d
       join receiver r on r.workspace = d.workspace and r.endpoint_id = d.endpoint_id
       join workspace w on w.workspace = d.workspace and w.ended is null
     where d.state = 'pending'`,
  );
}

/** Every answer to a question of a client, by the operation; a workspace begins without mails. */
async function answers(token: string): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  const asked = readable(platform.api.places).map((place) => {
    return [place.host, addressOf(place, fixtures)] as const;
  }).filter(([, address]) => !/\/mails?$/.test(address));
  const books = ['processor', 'bank', 'vendor', 'receiver'].map((book) => {
    return ['invoicing', `/sandbox/books/${book}`] as const;
  });
  for (const [host, address] of [...asked, ...books]) {
    const { status, text } = await platform.api.send(host, 'GET', address, { token });
    // When it was asked, and the link of a receipt, which is sealed for its workspace.
    const own = /"as_of":"[^"]+"|"url":"[^"]+\/receipt\/[^"]+"/g;
    said[address] = `${status} ${text.replace(own, '')}`;
  }
  assert.ok(Object.keys(said).length > 25, 'the workspace is rich');
  return said;
}

type Told = { timeline: { kind: string }[] };

/** Deliveries of resources; `calls`: also the calls to them, which stay with their workspace. */
async function stories(token: string, calls: boolean): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  const { account, seller, invoice, escrow, card } = fixtures;
  for (const id of [account, seller, invoice, escrow, card]) {
    const path = `/sandbox/explain/${id}`;
    const told = await platform.api.must<Told>(200, 'invoicing', 'GET', path, { token });
    const timeline = told.timeline.filter(({ kind }) => calls || kind !== 'request');
    said[id] = JSON.stringify(timeline);
  }
  return said;
}

/** The differences by operation: whole answers of a workspace are too long to read. */
function same(said: Record<string, string>, expected: Record<string, string>, why?: string): void {
  const other = Object.keys(expected).filter((address) => said[address] !== expected[address]);
  const lines = other.map((at) => `${at}\n  ${expected[at]}\n  ${said[at]}`);
  assert.equal(lines.join('\n'), '', why);
  assert.deepEqual(Object.keys(said), Object.keys(expected));
}

/** Waiting deliveries in the active workspace of a client. */
async function pendingIn({ client_id }: Clone): Promise<number> {
  const rows = await platform.db.query({
    text: `select from delivery d join client c on c.workspace = d.workspace
      where c.client_id = $1 and d.state = 'pending'`,
    values: [client_id],
  });
  return rows.length;
}

async function eventsOf(token: string): Promise<Event[]> {
  const path = '/v1/events?limit=1000';
  const page = await platform.api.must<{ events: Event[] }>(
    ...([200, 'invoicing', 'GET', path, { token }] as const),
  );
  return page.events;
}

/** Something of everything happens: money, people, addresses, endpoints. */
async function live(token: string): Promise<void> {
  const { api } = platform;
  const must = (status: number, path: string, body: Body): Promise<Body> =>
    api.must(status, 'invoicing', 'POST', path, { body, token });
  const { account } = fixtures;
  await must(201, '/sandbox/deposits', { account_id: account, currency: 'USD', amount: 77 });
  const methods = { payment_methods: [{ payment_method_id: fixtures.card }] };
  const market = new Market(api);
  const lines = market.sale(13)['line_items'] as { recipients: Body[] }[];
  for (const recipient of lines[0]?.recipients ?? []) {
    recipient['destination_wallet_id'] = fixtures.sellerWallet;
  }
  const sale = { account_id: account, line_items: lines, ...methods };
  const { invoice_id } = await must(201, '/v2/invoice', sale);
  await must(200, `/v2/invoice/${String(invoice_id)}/pay`, {});
  await must(200, `/v2/invoice/${fixtures.invoice}/pay`, {});
  const split = { to_sellers: 0, to_buyer: 10, to_integrator: 0 };
  await must(200, `/v2/escrow/${fixtures.escrow}/resolve`, split);
  await must(201, '/v1/webhook_endpoints', { url: 'http://127.0.0.1:9/more' });
  const kyc = `/v2/kyc/account/${fixtures.seller}/state`;
  await api.must(200, 'pii', 'PUT', kyc, { body: { state: 'ACCEPT' }, token });
  const name = { body: { city: 'Elsewhere' }, token };
  await api.must(200, 'accounts', 'PUT', `/user-info/${account}`, name);
  await api.must(200, 'accounts', 'POST', '/register', { body: { username: 'late' }, token });
  await rested();
}

test('a workspace that is rolled back answers everything as it did, and goes on', async () => {
  const token = await tokenOf(home.client);
  const id = await snapshot(token);
  const before = await answers(token);
  await live(token);
  assert.notDeepEqual(await answers(token), before, 'the test can tell');
  const back = await done<{ world_id: string }>(post('rollback', { snapshot_id: id }, token));
  same(await answers(token), before);
  const [main] = await workspaces(token);
  assert.deepEqual([main?.world_id, main?.main, main?.current], [back.world_id, true, true]);
  await live(token);
  await done(post('rollback', { snapshot_id: id }, token));
  same(await answers(token), before, 'as often as one likes');
  await proved(platform.db);
});

test('a clone answers as its origin; what is done in one is nothing to the other', async () => {
  const token = await tokenOf(home.client);
  await done(post('rollback', { snapshot_id: first }, token));
  const id = await snapshot(token);
  const before = await answers(token);
  const clone = await done<Clone>(post('workspaces', { name: 'twin', snapshot_id: id }, token));
  const other = await tokenOf(clone);
  same(await answers(other), before);
  same(await stories(other, true), await stories(token, false), 'calls are those of the workspace');
  const clocks = [clockOf(platform.api, token).read(), clockOf(platform.api, other).read()];
  const [here = 0, there = 0] = (await Promise.all(clocks)).map((one) => one.offset_seconds);
  assert.ok(there <= here && here - there < 60, `${here - there} s: it goes on where it was kept`);
  const told = await stories(token, true);
  await live(other);
  const moved = await answers(other);
  assert.notDeepEqual(moved, before);
  same(await answers(token), before, 'nothing of the clone is here');
  same(await stories(token, true), told, 'nor is it told here');
  const stream = await eventsOf(other);
  assert.deepEqual(
    stream.map(({ sequence }) => sequence),
    stream.map((_, at) => at + 1),
  );
  const own = await eventsOf(token);
  assert.deepEqual(stream.slice(0, own.length), own, 'one past');
  await live(token);
  await rested();
  same(await answers(other), moved, 'nor anything of this one there');
  await proved(platform.db);
  const place = `/sandbox/worlds/${clone.world_id}`;
  const ended = async (path: string, by?: string): Promise<string> =>
    (await platform.api.send('invoicing', 'DELETE', path, by ? { token: by } : {})).code;
  assert.equal(await ended(place, other), 'WORLD_IN_USE', 'its own');
  const [main] = await workspaces(token);
  assert.equal(
    await ended(`${PLACES.workspaces}/${main?.world_id}`, other),
    'WORLD_IN_USE',
    'main',
  );
  assert.equal(await ended(place), 'WORLD_NOT_FOUND', "another tenant's");
  assert.equal(await ended(`${PLACES.snapshots}/${id}`), 'SNAPSHOT_NOT_FOUND', "another tenant's");
  await platform.db.execute({
    text: `update snapshot set taken = taken - interval '2 minutes' where id = $1`,
    values: [id],
  });
  await platform.api.must(204, 'invoicing', 'DELETE', place, { token });
  const kept = await platform.api.must<{ snapshots: { snapshot_id: string }[] }>(
    ...([200, 'invoicing', 'GET', PLACES.snapshots, { token }] as const),
  );
  assert.ok(
    kept.snapshots.some((one) => one.snapshot_id === id),
    'what is listed stays',
  );
  const gone = await platform.api.send('invoicing', 'GET', '/v1/events', { token: other });
  assert.equal(gone.status, 401, 'the clients of an ended clone are shut out');
  await proved(platform.db);
});

test('a clone of the workspace as it is, reset to how it began', async () => {
  const token = await tokenOf(home.client);
  await done(post('rollback', { snapshot_id: first }, token));
  await rested();
  const clone = await done<Clone>(post('workspaces', {}, token));
  const other = await tokenOf(clone);
  const before = await answers(other);
  same(await answers(token), before);
  await live(other);
  const reset = await done<{ snapshot_id: string }>(post('reset', {}, other));
  assert.equal(reset.snapshot_id, clone.born_of);
  same(await answers(other), before);
  await live(other);
  const narrow = await tokenOf(clone, { scope: 'write_sandbox' });
  const less = await done<Clone & { scopes: string[] }>(post('workspaces', {}, narrow));
  assert.deepEqual(less.scopes, ['write_sandbox'], 'a clone gives no rights that nobody had');
  assert.ok((await pendingIn(clone)) > 0 && (await pendingIn(less)) === 0, 'nothing is sent twice');
  await done(post('rollback', { snapshot_id: first }, other));
  const again = await done<{ snapshot_id: string }>(post('reset', {}, other));
  assert.equal(again.snapshot_id, clone.born_of, 'a roll back is no new beginning');
  same(await answers(other), before);
});

test('the sandbox of a first start goes back to its first day', async () => {
  const { api, ready } = platform;
  const path = `/v1/kyc/${ready.accounts.seller.account_id}`;
  const before = await api.must(200, 'pii', 'GET', path);
  const body = { body: { username: 'not on the first day' } };
  await api.must(200, 'accounts', 'POST', '/register', body);
  await api.must(200, 'invoicing', 'POST', PLACES.reset, {});
  assert.deepEqual(await api.must(200, 'pii', 'GET', path), before);
  await api.must(200, 'accounts', 'POST', '/register', body);
});

test('keys after the snapshot are free again, those before it are answered as then', async () => {
  const token = await tokenOf(home.client);
  const early = { 'idempotency-key': randomUUID() };
  const late = { 'idempotency-key': randomUUID() };
  const register = (headers: Record<string, string>, username: string): Promise<Reply> => {
    const call: Call = { body: { username }, headers, token };
    return platform.api.send('accounts', 'POST', '/register', call);
  };
  const [first, second] = [randomUUID(), randomUUID()];
  const kept = await register(early, first);
  const id = await snapshot(token);
  const lost = await register(late, second);
  const key = randomUUID();
  const back = await post('rollback', { snapshot_id: id }, token, key);
  assert.equal((await register(early, first)).text, kept.text);
  const again = await register(late, second);
  assert.equal(again.status, 200);
  assert.notEqual(again.text, lost.text, 'made anew');
  const repeated = await post('rollback', { snapshot_id: id }, token, key);
  assert.equal(repeated.text, back.text, 'a repetition changes nothing');
  assert.equal((await register(late, second)).text, again.text, 'nothing was rolled back again');
});

test("another tenant's snapshot is nobody's; what is in use stays; limits are told", async () => {
  const token = await tokenOf(home.client);
  const twin = await platform.tenant();
  const id = await snapshot(token);
  for (const place of ['rollback', 'workspaces'] as const) {
    const foreign = await post(place, { snapshot_id: id }, twin.token);
    const nobodys = await post(place, { snapshot_id: randomUUID() }, twin.token);
    assert.deepEqual([foreign.status, foreign.code], [400, 'SNAPSHOT_NOT_FOUND']);
    assert.equal(foreign.text, nobodys.text);
  }
  const [main] = await workspaces(token);
  const end = await platform.api.send(
    'invoicing',
    'DELETE',
    `${PLACES.workspaces}/${main?.world_id}`,
    {
      token,
    },
  );
  assert.deepEqual([end.status, end.code], [409, 'WORLD_IN_USE']);
  const empty = await post('reset', {}, twin.token);
  assert.deepEqual([empty.status, empty.code], [409, 'WORLD_NOT_BEGUN']);
  const values = [twin.integrator, twin.workspace];
  await platform.db.execute({
    text: `insert into snapshot (id, integrator, lineage, world_id, name, listed, taken,
        taken_virtual, tables, objects, row_count, shape)
      select gen_random_uuid(), $1, $2, gen_random_uuid(), 'n', true, now(), now(), '{}', 0, 0, ''
      from generate_series(1, ${SNAPSHOTS_MAX})`,
    values,
  });
  const full = await post('snapshots', {}, twin.token);
  assert.deepEqual([full.status, full.code], [409, 'SNAPSHOT_LIMIT']);
  const listed = await platform.api.must<{ snapshots: { snapshot_id: string }[] }>(
    ...([200, 'invoicing', 'GET', PLACES.snapshots, { token: twin.token }] as const),
  );
  const of = listed.snapshots[0]?.snapshot_id ?? '';
  const old = await post('rollback', { snapshot_id: of }, twin.token);
  assert.deepEqual([old.status, old.code], [409, 'SNAPSHOT_OUTDATED']);
  await platform.db.execute({
    text: `insert into workspace (integrator) select $1 from generate_series(2, ${WORKSPACES_MAX})`,
    values: [twin.integrator],
  });
  const many = await post('workspaces', {}, twin.token);
  assert.deepEqual([many.status, many.code], [409, 'WORLD_LIMIT']);
});

test('a deleted snapshot leaves no row', async () => {
  const token = await tokenOf(home.client);
  const id = await snapshot(token);
  const rows = async (): Promise<unknown> => {
    const text = `select (select count(*) from stored_account_person p join snapshot s
        on s.number = p.snapshot and s.id = $1) as persons,
      (select count(*) from stored_step p where not exists (
        select from snapshot s where s.number = p.snapshot)) as lost`;
    return (await platform.db.query({ text, values: [id] }))[0];
  };
  assert.notDeepEqual(await rows(), { persons: 0n, lost: 0n });
  const path = `${PLACES.snapshots}/${id}`;
  await platform.api.must(204, 'invoicing', 'DELETE', path, { token });
  assert.deepEqual(await rows(), { persons: 0n, lost: 0n });
  const again = await platform.api.send('invoicing', 'DELETE', path, { token });
  assert.deepEqual([again.status, again.code], [404, 'SNAPSHOT_NOT_FOUND']);
});

test('a copy that is not finished breaks no law', async () => {
  const id = await snapshot(await tokenOf(home.client));
  const { db } = platform;
  type Row = Frozen & { readonly integrator: string; readonly lineage: number };
  const [from] = await db.query<Row>({
    text: 'select * from snapshot where id = $1',
    values: [id],
  });
  assert.ok(from);
  const [made] = await db.query<{ workspace: number }>({
    text: `insert into workspace (workspace, integrator, lineage, main, ended)
      overriding system value values (nextval('workspace_copy'), $1, $2, false, '-infinity')
      returning workspace`,
    values: [from.integrator, from.lineage],
  });
  const workspace = made?.workspace ?? 0;
  const restored = (await storedOf(db)).restore(workspace, { ...from, row_count: 1n }, null);
  await assert.rejects(restored, /a copy has/);
  const rows = (table: string): Promise<unknown[]> =>
    db.query({ text: `select from ${table} where workspace = $1`, values: [workspace] });
  assert.notEqual((await rows('event')).length, 0, 'what stands apart is there');
  assert.equal((await rows('step')).length, 0);
  await proved(db);
});
