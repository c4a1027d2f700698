// Scripted counterparties over HTTP: the list, scripts that are used exactly as often as they say
// and can be cleared, records page by page without secrets, hosted receivers, and isolation from
// another tenant. [G-64]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type {
  CounterpartyFact,
  CounterpartyScenario,
} from '../../src/sandbox/ports/counterparties.ts';
import { until } from '../kit/until.ts';
import type { Body } from '../api/market.ts';
import { startPlatform, type Platform, type Tenant } from '../api/kit.ts';

const SCRIPTS = '/sandbox/scripts';
const RECEIVERS = '/sandbox/receivers';

let platform: Platform;
let other: Tenant;
let own = '';
before(async () => {
  platform = await startPlatform();
  other = await platform.tenant();
  own = platform.ready.accounts.buyer.account_id;
});
after(() => platform?.stop());

interface Script {
  readonly script_id: string;
  readonly counterparty: string;
  readonly operation: string;
  readonly exchange: string;
  readonly remaining: number;
  readonly on: string | null;
}

interface Receiver {
  readonly receiver_id: string;
  readonly url: string;
  readonly endpoint_id: string;
  readonly secret: string;
}

interface Request {
  readonly event_id: string;
  readonly exchange: string;
  readonly status: number | null;
  readonly body: string;
  readonly verified: Readonly<Record<string, boolean>>;
}

const post = <T>(path: string, body: Body): Promise<T> =>
  platform.api.must<T>(201, 'invoicing', 'POST', path, { body });
const get = <T>(path: string, token?: string): Promise<T> =>
  platform.api.must<T>(200, 'invoicing', 'GET', path, token === undefined ? {} : { token });
const waiting = async (): Promise<readonly Script[]> =>
  (await get<{ scripts: Script[] }>(SCRIPTS)).scripts;
const requestsTo = async (id: string): Promise<readonly Request[]> =>
  (await get<{ requests: Request[] }>(`${RECEIVERS}/${id}/requests`)).requests;

/** Causes an event about nobody else. */
async function event(): Promise<string> {
  const { api } = platform;
  const body = { username: `told ${performance.now()}` };
  type Made = { account_id: string };
  return (await api.must<Made>(200, 'accounts', 'POST', '/register', { body })).account_id;
}

test('the list has four counterparties, complete scenarios and no duplicate name', async () => {
  const path = '/sandbox/counterparties';
  const { counterparties } = await get<{ counterparties: CounterpartyFact[] }>(path);
  const names = counterparties.map(({ name }) => name);
  assert.deepEqual(names, ['processor', 'bank', 'vendor', 'receiver']);
  const all = counterparties.flatMap(({ scenarios }): readonly CounterpartyScenario[] => scenarios);
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  const base = platform.ready.urls.processor;
  for (const { name, story, steps, ends, how, page } of all) {
    assert.ok(story.endsWith('.') && ends.endsWith('.') && steps.length > 0, name);
    assert.equal(page, `${base}/scenarios/${name}`);
    assert.ok(how.curl.includes(how.path) && how.sdk.includes(how.operation), name);
  }
  const numbers = JSON.stringify(counterparties).match(/\d{12,}/g);
  assert.deepEqual(numbers, null, 'a card number is shown');
});

test('a script is used exactly as often as it says, and waiting ones can be cleared', async () => {
  const { accounts } = platform.ready;
  const { card_payment_method_id: on } = accounts.buyer;
  const { declined_card_payment_method_id: bystander } = accounts.buyer;
  const another = { counterparty: 'processor', exchange: 'busy', on: bystander };
  const { script_id: kept } = await post<Script>(SCRIPTS, another);
  const twice = { counterparty: 'processor', exchange: 'fault_before_effect', times: 2, on };
  const { script_id, operation } = await post<Script>(SCRIPTS, twice);
  assert.equal(operation, 'authorize');
  assert.deepEqual(
    (await waiting()).map((one) => [one.script_id, one.remaining, one.on]),
    [
      [kept, 1, bystander],
      [script_id, 2, on],
    ],
  );
  const top = { account_id: own, payment_method_id: on, currency: 'USD', amount: 3 };
  const { deposit_id } = await post<{ deposit_id: string }>('/v1/deposits', top);
  await until('the deposit has not ended', async () => {
    const { state } = await get<{ state: string }>(`/v1/deposits/${deposit_id}`);
    return state === 'success' ? state : null;
  });
  assert.deepEqual((await waiting()).map((one) => one.script_id), [kept], "another's is left");
  await platform.api.must(200, 'invoicing', 'DELETE', SCRIPTS);
  type Asked = { key: string; exchanges: { operation: string; times: number }[] };
  const { entries } = await get<{ entries: Asked[] }>('/sandbox/books/processor');
  const asked = entries.at(-1)?.exchanges.find((one) => one.operation === 'authorize');
  assert.equal(asked?.times, 3, 'two scripted answers and a true one');
  await post(SCRIPTS, { counterparty: 'vendor', exchange: 'busy', times: 100, on: 'late' });
  await post(SCRIPTS, { counterparty: 'processor', exchange: 'one_less' });
  const left = (await waiting()).map((one) => [one.counterparty, one.operation, one.on]);
  assert.deepEqual(left, [
    ['processor', 'capture', null],
    ['vendor', 'begin', 'late'],
  ]);
  assert.deepEqual(await platform.api.must(200, 'invoicing', 'DELETE', SCRIPTS), { cleared: 2 });
  assert.deepEqual(await waiting(), []);
});

test('records show calls and money with times, and no token, digest or secret', async () => {
  const tokens = await platform.db.query<{ secret: string }>(
    `select token as secret from processor_card union all select digest from vendor_check
      where digest is not null`,
  );
  for (const counterparty of ['processor', 'bank', 'vendor', 'receiver']) {
    const path = `/sandbox/books/${counterparty}`;
    const reply = await platform.api.send('invoicing', 'GET', path);
    assert.equal(reply.status, 200, reply.text);
    for (const { secret } of tokens) assert.ok(!reply.text.includes(secret), counterparty);
    assert.ok(!/T\d\d:\d\d:\d\d[^"]*\+00/.test(reply.text), 'a time is spelled otherwise');
  }
  type Line = { kind: string; line: number; at: string };
  const { entries } = await get<{ entries: Line[] }>('/sandbox/books/bank');
  const last = entries.at(-1);
  assert.equal(last?.kind, 'capture');
  const { entries: rest } = await get<{ entries: Line[] }>(
    `/sandbox/books/bank?after=${last?.line}`,
  );
  assert.deepEqual(rest, []);
});

test('records are read page by page to the end', async () => {
  const rows = await platform.db.query<{ workspace: number
  }>('select min(workspace) as workspace from workspace');
  const workspace = rows[0]?.workspace ?? 0;
  await platform.db.query({
    text: `insert into processor_exchange (workspace, key, operation, token)
      select $1, 'paged-' || to_char(n, 'FM000'), 'look', '' from generate_series(1, 250) n
      returning 1`,
    values: [workspace],
  });
  const keys: string[] = [];
  type Page = { entries: { key: string; state: string }[]; next: string | null };
  for (let next: string | null = ''; next !== null; ) {
    const page: Page = await get<Page>(`/sandbox/books/processor?after=${next}`);
    keys.push(...page.entries.map(({ key }) => key));
    next = page.next;
  }
  assert.equal(keys.filter((key) => key.startsWith('paged-')).length, 250);
  assert.equal(new Set(keys).size, keys.length);
});

test('a receiver stores deliveries byte for byte, checks them, answers as scripted', async () => {
  const script = [{ exchange: 'fault' }, { exchange: 'redirect' }];
  const events = ['register-account-completed'];
  const made = await post<Receiver>(RECEIVERS, { events, script });
  assert.ok(made.url.startsWith(`${platform.ready.urls.processor}/receivers/`));
  const beside = await post<Receiver>(RECEIVERS, { events });
  const account = await event();
  const idle = { body: { until_idle: true } };
  await platform.api.must(200, 'invoicing', 'POST', '/sandbox/clock', idle);
  const got = await requestsTo(made.receiver_id);
  const [first] = got;
  assert.deepEqual(got.map(({ status }) => status), [500, 302, 200], 'in the order of its script');
  const others = await requestsTo(beside.receiver_id);
  assert.deepEqual(others.map(({ status }) => status), [200], 'the script is its own');
  await platform.api.must(204, 'invoicing', 'DELETE', `${RECEIVERS}/${beside.receiver_id}`);
  assert.ok(first?.body.includes(account));
  const stream = await get<{ events: { event_id: string }[] }>('/v1/events?limit=1000');
  const told = stream.events.find(({ event_id }) => event_id === first?.event_id);
  assert.deepEqual(JSON.parse(first?.body ?? ''), told);
  const whole = { signed: true, fresh: true, authentic: true, token: true };
  assert.deepEqual(got.map(({ verified }) => verified), [whole, whole, whole]);
  await post(SCRIPTS, { counterparty: 'receiver', exchange: 'fault', on: made.receiver_id });
  const forged = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
  const answer = await fetch(made.url, { method: 'POST', headers: forged, body: '{"a": 1}' });
  assert.equal(answer.status, 200);
  const mark = `v1,${'A'.repeat(43)}=`;
  const now = String(Math.floor(Date.now() / 1000));
  const wrong = { ...forged, 'webhook-timestamp': now, 'webhook-signature': mark };
  assert.equal((await fetch(made.url, { method: 'POST', headers: wrong, body: '{}' })).status, 200);
  assert.equal((await waiting()).length, 1, 'what is no delivery took its turn');
  await platform.api.must(200, 'invoicing', 'DELETE', SCRIPTS);
  const long = await fetch(made.url, { method: 'POST', body: 'x'.repeat(1_048_577) });
  assert.equal(long.status, 413);
  const [last, signed] = (await requestsTo(made.receiver_id)).slice(-2);
  assert.deepEqual(signed?.verified, { ...whole, authentic: false, token: false });
  assert.equal(last?.body, '{"a": 1}');
  const none = { signed: false, fresh: false, authentic: false, token: false };
  assert.deepEqual(last?.verified, none);
  const { receivers } = await get<{ receivers: { requests: number }[] }>(RECEIVERS);
  assert.deepEqual(receivers.map(({ requests }) => requests), [5]);
  const path = `${RECEIVERS}/${made.receiver_id}`;
  await platform.api.must(204, 'invoicing', 'DELETE', path);
  assert.equal((await fetch(made.url, { method: 'POST', body: 'x' })).status, 404);
  const again = await platform.api.send('invoicing', 'DELETE', path);
  assert.deepEqual([again.status, again.code], [404, 'RECEIVER_NOT_FOUND']);
  const endpoint = `/v1/webhook_endpoints/${made.endpoint_id}`;
  assert.equal((await platform.api.send('invoicing', 'GET', endpoint)).status, 404);
});

test('a receiver knows a rotated secret at once, and may lose its endpoint', async () => {
  const made = await post<Receiver>(RECEIVERS, { events: ['register-account-completed'] });
  const endpoint = `/v1/webhook_endpoints/${made.endpoint_id}`;
  const body = { overlap_seconds: 0 };
  await platform.api.must(200, 'invoicing', 'POST', `${endpoint}/rotate_secret`, { body });
  await event();
  const [got] = await until('nothing came', async () => {
    const all = await requestsTo(made.receiver_id);
    return all.length === 1 ? all : null;
  });
  assert.equal(got?.verified['authentic'], true);
  await platform.api.must(204, 'invoicing', 'DELETE', endpoint);
  await platform.api.must(204, 'invoicing', 'DELETE', `${RECEIVERS}/${made.receiver_id}`);
});

test('another tenant sees no script, record or receiver; its calls are unaffected', async () => {
  const { receiver_id } = await post<Receiver>(RECEIVERS, {});
  await post(SCRIPTS, { counterparty: 'processor', exchange: 'busy', times: 100 });
  await post(SCRIPTS, { counterparty: 'receiver', exchange: 'gone', times: 100 });
  const { token } = other;
  assert.deepEqual(await get(SCRIPTS, token), { scripts: [] });
  assert.deepEqual(await get(RECEIVERS, token), { receivers: [] });
  for (const book of ['processor', 'bank', 'vendor', 'receiver']) {
    const path = `/sandbox/books/${book}`;
    assert.deepEqual(await get(path, token), { counterparty: book, entries: [], next: null });
  }
  for (const [method, path] of [
    ['GET', `${RECEIVERS}/${receiver_id}/requests`],
    ['DELETE', `${RECEIVERS}/${receiver_id}`],
  ] as const) {
    const foreign = await platform.api.send('invoicing', method, path, { token });
    const unknown = await platform.api.send('invoicing', method, path.replace(/\w{4}/, '0000'), {
      token,
    });
    assert.deepEqual([foreign.status, unknown.status], [404, 404]);
    assert.equal(foreign.code, 'RECEIVER_NOT_FOUND');
  }
  const body = { counterparty: 'receiver', exchange: 'ok', on: receiver_id };
  const meant = await platform.api.send('invoicing', 'POST', SCRIPTS, { body, token });
  assert.deepEqual([meant.status, meant.code], [400, 'SCRIPT_TARGET_UNKNOWN']);
  const cleared = await platform.api.must(200, 'invoicing', 'DELETE', SCRIPTS, { token });
  assert.deepEqual(cleared, { cleared: 0 });
  assert.equal((await waiting()).length, 2);
  await platform.api.must(200, 'invoicing', 'DELETE', SCRIPTS);
  await platform.api.must(204, 'invoicing', 'DELETE', `${RECEIVERS}/${receiver_id}`);
});

test('a clone has its own receivers at the same URL, and its own scripts', async () => {
  const { api } = platform;
  const made = await post<Receiver>(RECEIVERS, { events: ['register-account-completed'] });
  await post(SCRIPTS, { counterparty: 'receiver', exchange: 'slow', on: made.receiver_id });
  type Clone = { client_id: string; client_secret: string; world_id: string };
  const { client_id, client_secret, world_id } = await post<Clone>('/sandbox/worlds', {});
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const given = await api.send('auth', 'POST', '/token', { form, token: null });
  const { access_token: token } = given.body as unknown as { access_token: string };
  const path = `${RECEIVERS}/${made.receiver_id}/requests`;
  type Got = Request & { headers: Record<string, string> };
  const inClone = async (): Promise<Got[]> =>
    (await get<{ requests: Got[] }>(path, token)).requests;
  assert.deepEqual(await get(RECEIVERS, token), await get(RECEIVERS));
  assert.deepEqual(await get(SCRIPTS, token), await get(SCRIPTS));
  const body = { username: 'only in the copy' };
  await api.must(200, 'accounts', 'POST', '/register', { body, token });
  const [got] = await until('nothing came to the copy', async () => {
    const all = await inClone();
    return all.length === 1 ? all : null;
  });
  assert.deepEqual([got?.exchange, got?.verified['authentic']], ['slow', true]);
  assert.equal(got?.headers['webhook-world'], world_id);
  assert.deepEqual(await requestsTo(made.receiver_id), []);
  assert.equal((await waiting()).length, 1, 'the script of the original was consumed');
  await event();
  const [own] = await until('nothing came to the original', async () => {
    const all = await requestsTo(made.receiver_id);
    return all.length === 1 ? all : null;
  });
  assert.equal(own?.exchange, 'slow');
  assert.equal((await inClone()).length, 1);
  await api.must(204, 'invoicing', 'DELETE', `${RECEIVERS}/${made.receiver_id}`);
});

test('impossible scripts are refused, and nothing is queued', async () => {
  const no = async (body: Body, code: string): Promise<void> => {
    const reply = await platform.api.send('invoicing', 'POST', SCRIPTS, { body });
    assert.deepEqual([reply.status, reply.code], [400, code], JSON.stringify(body));
  };
  const processor = { counterparty: 'processor' };
  await no({ counterparty: 'bank', exchange: 'honest' }, 'INVALID_FIELD');
  await no({ ...processor, exchange: 'nonsense' }, 'EXCHANGE_UNKNOWN');
  await no({ ...processor, exchange: 'one_less', operation: 'look' }, 'EXCHANGE_UNKNOWN');
  await no({ counterparty: 'vendor', exchange: 'one_less' }, 'EXCHANGE_UNKNOWN');
  await no({ ...processor, exchange: 'busy', times: 101 }, 'INVALID_FIELD');
  await no({ ...processor, exchange: 'busy', times: 0 }, 'INVALID_FIELD');
  await no({ ...processor, exchange: 'busy', on: 'nobody' }, 'PAYMENT_METHOD_NOT_FOUND');
  await no({ counterparty: 'vendor', exchange: 'busy', on: 'nobody' }, 'SCRIPT_TARGET_UNKNOWN');
  assert.deepEqual(await waiting(), []);
  const body = { script: [{ exchange: 'fault' }, { exchange: 'nonsense' }] };
  const half = await platform.api.send('invoicing', 'POST', RECEIVERS, { body });
  assert.deepEqual([half.status, half.code], [400, 'EXCHANGE_UNKNOWN']);
  for (const [path, status, code] of [
    ['/sandbox/books/nobody', 404, 'COUNTERPARTY_NOT_FOUND'],
    ['/sandbox/books/bank?after=x', 400, 'BOOK_PAGE_UNKNOWN'],
    ['/sandbox/books/processor?after=%27', 400, 'BOOK_PAGE_UNKNOWN'],
    [`${RECEIVERS}/x/requests`, 404, 'RECEIVER_NOT_FOUND'],
  ] as const) {
    const reply = await platform.api.send('invoicing', 'GET', path);
    assert.deepEqual([reply.status, reply.code], [status, code], path);
  }
});
