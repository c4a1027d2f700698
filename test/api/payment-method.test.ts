// Payment methods as a person adds, renames and removes them: entered on the processor's own pages,
// attached once under concurrency, and nobody else's. No number reaches us. [G-47; PD4, ID4]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { personToken } from '../kit/person-token.ts';
import type { Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from './kit.ts';
import { Market } from './market.ts';
import type { PaymentMethod } from './records.ts';

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

interface Entry {
  readonly entry_id: string;
  readonly url: string;
  readonly origin: string;
}

const ENTRY = '/v1/payment_method/entry';
const METHOD = '/v1/payment_method';
const NUMBER = '4111111111111111';
const CARD = { number: NUMBER, expiry_month: 12, expiry_year: 2060, cvc: '123' };

/** A token of a session of the account, as a link opens it. */
async function sessionOf(accountId: string): Promise<string> {
  const { ready } = platform;
  return personToken(platform, {
    client: { clientId: ready.client.client_id, integrator: ready.integrator },
    kind: 'session',
    accountId,
    scopes: ['read_payment_method', 'write_payment_method'],
    seconds: 600,
  });
}

/** A new account that has agreed to the terms, and its session. */
async function person(): Promise<{ account: string; token: string }> {
  const { api } = platform;
  const body = { username: `person ${(count += 1)}` };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', { body });
  type Given = { token: { access_token: string } };
  const asked = { body: { account_id, return_token: true } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', asked);
  const signing = { body: {}, token: token.access_token };
  await api.must(200, 'accounts', 'POST', '/v1/user-info/tos/service', signing);
  return { account: account_id, token: await sessionOf(account_id) };
}
let count = 0;

function begin(token: string, more: object = {}): Promise<Reply> {
  return platform.api.send('payments', 'POST', ENTRY, { body: { kind: 'card', ...more }, token });
}

async function begun(token: string, more: object = {}): Promise<Entry> {
  const reply = await begin(token, more);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.payload as Entry;
}

/** What the page of an entry sends. */
async function atProcessor(url: string, body: object, end = ''): Promise<[number, string, string]> {
  const path = url.replace('/login/', '/entry/') + end;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  const said = JSON.parse(text) as { codes?: string[]; state?: string };
  return [answer.status, said.codes?.[0] ?? said.state ?? '', text];
}

function attach(token: string, entry_id: string, headers = {}): Promise<Reply> {
  return platform.api.send('payments', 'POST', METHOD, { body: { entry_id }, token, headers });
}

async function added(token: string): Promise<PaymentMethod> {
  const entry = await begun(token);
  assert.equal((await atProcessor(entry.url, CARD))[0], 200);
  const reply = await attach(token, entry.entry_id);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.payload as PaymentMethod;
}

async function listed(account: string): Promise<PaymentMethod[]> {
  const all = await platform.api.must<PaymentMethod[]>(
    200,
    'payments',
    'GET',
    `/v1/${account}/payment_methods`,
  );
  return all.filter(({ provider }) => provider !== 'wallet');
}

async function told(id: string): Promise<unknown[]> {
  const text = `select message from outbox where name = 'payment-method-updated' and
    resource_id = $1 union all select body from event where name = 'payment-method-updated' and
    resource_id = $1`;
  return (await platform.db.query<{ message: string }>({ text, values: [id] })).map(({ message }) =>
    JSON.parse(message),
  );
}

/** What was done to a method by whoever added it, in order; by nobody else. */
async function audited(id: string): Promise<string[]> {
  const text = `select act, actor from audit_entry where subject = $1 order by at`;
  const entries = await platform.db.query<{ act: string; actor: string }>({ text, values: [id] });
  const actors = new Set(entries.map(({ actor }) => actor.split(':')[0]));
  assert.deepEqual([...actors], ['session']);
  return entries.map(({ act }) => act);
}

test('a card is entered at the processor and attached, with brand and four digits', async () => {
  const { account, token } = await person();
  const entry = await begun(token);
  assert.equal(entry.origin, platform.ready.urls.processor);
  assert.ok(entry.url.startsWith(`${entry.origin}/entry/`));
  const early = await attach(token, entry.entry_id);
  assert.deepEqual([early.status, early.code], [400, 'PAYMENT_METHOD_ENTRY_INCOMPLETE']);
  const [status, state, text] = await atProcessor(entry.url, CARD);
  assert.deepEqual([status, state], [200, 'stored']);
  assert.ok(!text.includes('card_') && !text.includes(NUMBER), 'no token, no number');
  const reply = await attach(token, entry.entry_id);
  const method = reply.body.payload as PaymentMethod;
  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual(
    [method.account_id, method.provider, method.display_string, method.pm_state],
    [account, 'card', 'Visa ending in 1111', 'ACTIVE'],
  );
  assert.deepEqual(await listed(account), [method]);
  assert.equal((await told(method.id)).length, 1);
  const body = market.sale(5, {
    account_id: account,
    payment_methods: [{ payment_method_id: method.id }],
  });
  const { invoice_id } = await market.create(body);
  await market.pay(invoice_id);
  assert.equal((await market.ended(invoice_id)).state, 'success');
});

test('twenty concurrent requests attach one method and get the same answer', async () => {
  const { account, token } = await person();
  const { entry_id, url } = await begun(token);
  const finished = await Promise.all(Array.from({ length: 5 }, () => atProcessor(url, CARD)));
  assert.deepEqual([...new Set(finished.map(([status]) => status))], [200]);
  const replies = await Promise.all(Array.from({ length: 20 }, () => attach(token, entry_id)));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  const [method, ...more] = await listed(account);
  assert.equal(more.length, 0);
  assert.equal((await told(method?.id ?? '')).length, 1);
  assert.deepEqual(await audited(method?.id ?? ''), ['method_added']);
});

test('a bank account and a wallet login come in the same way', async () => {
  const { account, token } = await person();
  const bank = await begun(token, { kind: 'bank' });
  const routing = { routing_number: '110000000' };
  const wrong = await atProcessor(bank.url, { ...routing, account_number: '999999999' });
  assert.deepEqual(wrong.slice(0, 2), [400, 'ACCOUNT_NOT_A_TEST_ACCOUNT']);
  const good = await atProcessor(bank.url, { ...routing, account_number: '000123456789' });
  assert.deepEqual(good.slice(0, 2), [200, 'stored']);
  await attach(token, bank.entry_id);
  const return_url = `${platform.ready.urls.widget}/ui/back?a=1`;
  const login = await begun(token, { kind: 'paypal', return_url });
  assert.ok(login.url.includes('/login/'));
  const page = await (await fetch(login.url)).text();
  assert.ok(page.includes(`data-return="${return_url}&amp;entry_id=${login.entry_id}"`));
  const approved = await atProcessor(login.url, { login: 'paypal' });
  assert.deepEqual(approved.slice(0, 2), [200, 'stored']);
  assert.equal((await attach(token, login.entry_id)).status, 201);
  const names = (await listed(account)).map(({ provider, display_string }) => [
    provider,
    display_string,
  ]);
  assert.deepEqual(names, [
    ['paypal', 'PayPal account ending in 0001'],
    ['ach', 'Bank account ending in 6789'],
  ]);
});

test('a login comes back to registered addresses only, and only a login does', async () => {
  const { token } = await person();
  for (const [more, code] of [
    [{ kind: 'paypal' }, 'MISSING_FIELD'],
    [{ kind: 'paypal', return_url: 'https://elsewhere.test/' }, 'RETURN_URL_NOT_ALLOWED'],
    [{ kind: 'paypal', return_url: 'javascript://x/%0aalert(1)' }, 'RETURN_URL_NOT_ALLOWED'],
    [{ kind: 'paypal', return_url: '/ui/back' }, 'RETURN_URL_NOT_ALLOWED'],
    [{ kind: 'paypal', return_url: `http://127.0.0.1/?${'"'.repeat(1_500)}` }, 'INVALID_FIELD'],
    [{ kind: 'card', return_url: platform.ready.urls.widget }, 'INVALID_FIELD'],
    [{ kind: 'cash' }, 'INVALID_FIELD'],
  ] as const) {
    const reply = await begin(token, more);
    assert.deepEqual([reply.status, reply.code], [400, code], JSON.stringify(more));
  }
});

test('cancelled entries and refused or unknown numbers attach nothing', async () => {
  const { account, token } = await person();
  const entry = await begun(token);
  for (const [body, code] of [
    [{ ...CARD, number: '4000056655665556' }, 'CARD_NOT_A_TEST_CARD'],
    [{ ...CARD, expiry_year: 2020 }, 'CARD_DATE_PAST'],
    [{ login: 'paypal' }, 'ENTRY_KIND_MISMATCH'],
  ] as const) {
    assert.deepEqual((await atProcessor(entry.url, body)).slice(0, 2), [400, code]);
  }
  assert.deepEqual((await atProcessor(entry.url, {}, '/cancel')).slice(0, 2), [200, 'cancelled']);
  const late = await atProcessor(entry.url, CARD);
  assert.deepEqual(late.slice(0, 2), [409, 'ENTRY_ENDED']);
  const reply = await attach(token, entry.entry_id);
  assert.deepEqual([reply.status, reply.code], [400, 'PAYMENT_METHOD_ENTRY_CANCELLED']);
  assert.deepEqual(await listed(account), []);
});

test("another account's entry and method are answered like unknown ones", async () => {
  const [one, other] = [await person(), await person()];
  const entry = await begun(one.token);
  await atProcessor(entry.url, CARD);
  const nobody = '01890000-0000-7000-8000-000000000000';
  const unknown = await attach(other.token, nobody);
  assert.deepEqual([unknown.status, unknown.code], [400, 'ENTRY_NOT_FOUND']);
  for (const id of [entry.entry_id, 'x', '']) {
    assert.equal((await attach(other.token, id)).text, unknown.text);
  }
  assert.equal((await attach(one.token, entry.entry_id)).status, 201);
  assert.equal((await attach(other.token, entry.entry_id)).text, unknown.text);
  const [method] = await listed(one.account);
  for (const [verb, body] of [
    ['PATCH', { body: { display_string: 'Mine' } }],
    ['DELETE', {}],
  ] as const) {
    const call = { ...body, token: other.token };
    const asked = (id: string): Promise<Reply> =>
      platform.api.send('payments', verb, `${METHOD}/${id}`, call);
    const missing = await asked(nobody);
    assert.deepEqual([missing.status, missing.code], [404, 'PAYMENT_METHOD_NOT_FOUND']);
    assert.equal((await asked(method?.id ?? '')).text, missing.text);
  }
  assert.deepEqual(await listed(one.account), [method]);
});

test('who has not agreed to the terms attaches nothing', async () => {
  const body = { username: 'unsigned' };
  type Made = { account_id: string };
  const made = await platform.api.must<Made>(200, 'accounts', 'POST', '/register', { body });
  const token = await sessionOf(made.account_id);
  const entry = await begun(token);
  await atProcessor(entry.url, CARD);
  const reply = await attach(token, entry.entry_id);
  assert.deepEqual([reply.status, reply.code], [403, 'TERMS_NOT_SIGNED']);
});

test('a method is renamed and removed; what is paid goes on, and wallets stay', async () => {
  const { account, token } = await person();
  const { id } = await added(token);
  const path = `${METHOD}/${id}`;
  const change = (verb: string, display_string?: string): Promise<Reply> =>
    platform.api.send('payments', verb, path, {
      ...(display_string === undefined ? {} : { body: { display_string } }),
      token,
    });
  const named = await change('PATCH', 'Holiday card');
  assert.equal((named.body.payload as PaymentMethod).display_string, 'Holiday card', named.text);
  assert.deepEqual((await change('PATCH', 'Holiday card')).body.payload, named.body.payload);
  for (const [text, code] of [
    ['', 'INVALID_FIELD'],
    ['x'.repeat(65), 'INVALID_FIELD'],
    [`No. ${NUMBER}`, 'CARD_NUMBER_REFUSED'],
  ] as const) {
    const reply = await change('PATCH', text);
    assert.deepEqual([reply.status, reply.code], [400, code], text);
  }
  const [wallet] = await platform.api.must<PaymentMethod[]>(
    200,
    'payments',
    'GET',
    `/v1/${account}/payment_methods`,
  );
  const own = { token };
  const stays = await platform.api.send('payments', 'DELETE', `${METHOD}/${wallet?.id}`, own);
  assert.deepEqual([stays.status, stays.code], [400, 'PAYMENT_METHOD_NOT_REMOVABLE']);
  const removals = await Promise.all(Array.from({ length: 10 }, () => change('DELETE')));
  assert.deepEqual([...new Set(removals.map(({ status }) => status))], [200]);
  assert.equal((removals[0]?.body.payload as PaymentMethod).pm_state, 'INACTIVE');
  assert.deepEqual(
    (await told(id)).map((one) => JSON.stringify(one).includes('INACTIVE')).toSorted(),
    [false, false, true],
  );
  assert.deepEqual(await audited(id), ['method_added', 'method_renamed', 'method_removed']);
  const again = await change('PATCH', 'Other');
  assert.deepEqual([again.status, again.code], [400, 'PAYMENT_METHOD_NOT_ACTIVE']);
  const payment_methods = [{ payment_method_id: id }];
  const sale = await market.tryCreate(market.sale(5, { account_id: account, payment_methods }));
  assert.deepEqual([sale.status, sale.code], [400, 'PAYMENT_METHOD_NOT_ACTIVE']);
});

test('at most ten entries are open, and at most twenty methods active', async () => {
  const { account, token } = await person();
  const all = await Promise.all(Array.from({ length: 14 }, () => begin(token)));
  const made = all.filter(({ status }) => status === 201);
  const codes = new Set(all.map(({ code }) => code).filter((code) => code !== ''));
  assert.deepEqual([made.length, [...codes]], [10, ['PAYMENT_METHOD_ENTRY_LIMIT']]);
  const finish = async (reply: Reply): Promise<void> => {
    const { entry_id, url } = reply.body.payload as Entry;
    await atProcessor(url, CARD);
    assert.equal((await attach(token, entry_id)).status, 201);
  };
  for (const reply of made) await finish(reply);
  assert.equal((await listed(account)).length, 1, 'the same card each time');
  for (let more = 1; more < 20; more += 1) await platform.api.attach(account, 'visa');
  assert.equal((await listed(account)).length, 20);
  const full = await begin(token);
  assert.deepEqual([full.status, full.code], [400, 'PAYMENT_METHOD_LIMIT']);
});

test('a repeated request with its key shows the same page and attaches once', async () => {
  const { account, token } = await person();
  const headers = { 'idempotency-key': 'entry' };
  const call = { body: { kind: 'card' }, token, headers };
  const [one, two] = [
    await platform.api.send('payments', 'POST', ENTRY, call),
    await platform.api.send('payments', 'POST', ENTRY, call),
  ];
  assert.deepEqual([one.status, one.text], [201, two.text]);
  // Neither a repetition nor an entry without a place reaches the processor.
  for (let open = 1; open < 10; open += 1) await begun(token);
  const entries = await platform.db.query('select 1 from processor_entry');
  for (const key of ['entry', 'another', 'a third']) {
    const more = { ...call, headers: { 'idempotency-key': key } };
    const reply = await platform.api.send('payments', 'POST', ENTRY, more);
    assert.equal(reply.code, key === 'entry' ? '' : 'PAYMENT_METHOD_ENTRY_LIMIT');
  }
  const after = await platform.db.query('select 1 from processor_entry');
  assert.equal(after.length, entries.length);
  const { entry_id, url } = one.body.payload as Entry;
  await atProcessor(url, CARD);
  const keyed = { 'idempotency-key': 'attach' };
  const first = await attach(token, entry_id, keyed);
  assert.equal((await attach(token, entry_id, keyed)).text, first.text);
  assert.equal((await listed(account)).length, 1);
});

test('a page runs nothing inline, is framed by its own parent only, and not cached', async () => {
  const { token } = await person();
  const { url } = await begun(token, { dir: 'rtl' });
  const page = await fetch(url);
  const html = await page.text();
  const policy = page.headers.get('content-security-policy') ?? '';
  const { widget, hosted, processor } = platform.ready.urls;
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src/);
  assert.ok(policy.includes(`frame-ancestors ${widget} ${hosted} http://localhost:*`), policy);
  assert.deepEqual(
    ['cache-control', 'referrer-policy', 'x-content-type-options'].map((h) => page.headers.get(h)),
    ['no-store', 'no-referrer', 'nosniff'],
  );
  assert.match(html, /<html lang="en" dir="rtl">/);
  assert.doesNotMatch(html, /<script>|<style|style=|onclick=/);
  assert.ok(html.includes(`data-parent="${widget}"`));
  for (const [, path] of html.matchAll(/(?:href|src)="(\/[^"]+)"/g)) {
    const asset = await fetch(processor + path);
    assert.equal(asset.status, 200, path);
    assert.match(asset.headers.get('cache-control') ?? '', /immutable/);
  }
  const second = await fetch((await begun(token, { page: 'hosted' })).url);
  assert.ok((await second.text()).includes(`data-parent="${hosted}"`));
  for (const path of ['/entry/x', '/login/x', '/assets/x/entry.js', '/look/x.css']) {
    assert.equal((await fetch(processor + path)).status, 404, path);
  }
  const login = await begun(token, { kind: 'paypal', return_url: `${widget}/ui/x` });
  const framed = (await fetch(login.url)).headers.get('content-security-policy');
  assert.match(framed ?? '', /frame-ancestors 'none'$/);
});

test('no number of a card is in any table', async () => {
  const tables = await platform.db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of tables) {
    const text = `select count(*)::int as n from ${name} t where t::text ~ $1`;
    const values = [`${NUMBER}|4000056655665556|000123456789`];
    const [row] = await platform.db.query<{ n: number }>({ text, values });
    assert.equal(row?.n, 0, name);
  }
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
