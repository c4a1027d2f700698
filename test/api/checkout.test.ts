// Authorized invoices as integrator and buyer use them: a sale is validated when it is authorized;
// its link's session can create and pay it and nothing else; and only the newest invoice of it can
// be paid. [seed: POST /v2/authorize/invoice, G-12, G-45, G-46, G-77]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { upkeepRows } from '../../src/worker/upkeep.ts';
import { openedToken, type Authorized, type AuthorizedSeen } from '../kit/checkout.ts';
import { personToken } from '../kit/person-token.ts';
import type { Call, Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from './kit.ts';
import { Market, ownLine, saleLine, type Body } from './market.ts';
import type { Escrow, Invoice } from './records.ts';

const PATH = '/v2/authorize/invoice';
let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

const buyer = () => platform.ready.accounts.buyer;
const wallet = () => [{ payment_method_id: buyer().wallet_payment_method_id }];
const card = () => [{ payment_method_id: buyer().card_payment_method_id }];

function sale(more: Body = {}): Body {
  const { payment_methods: _, ...body } = market.sale(200);
  return { ...body, invoice_mechanism: 'widget', ...more };
}

const post = (path: string, body: unknown, call: Call = {}): Promise<Reply> =>
  platform.api.send('invoicing', 'POST', path, { body, ...call });
const get = (path: string, token?: string): Promise<Reply> =>
  platform.api.send('invoicing', 'GET', path, token === undefined ? {} : { token });

function authorized(more: Body = {}): Promise<Authorized> {
  return platform.api.must(200, 'invoicing', 'POST', PATH, { body: sale(more) });
}

/** What was authorized, and the token of the buyer who opened its link. */
async function opened(more: Body = {}): Promise<{ id: string; token: string }> {
  const { authorized_invoice_id: id, redirect } = await authorized(more);
  return { id, token: await openedToken(redirect) };
}

async function seen(id: string, token?: string): Promise<AuthorizedSeen> {
  const { status, text, body } = await get(`${PATH}/${id}`, token);
  assert.equal(status, 200, text);
  return body.payload as AuthorizedSeen;
}

function said({ status, code }: Reply): readonly [number, string] {
  return [status, code];
}

async function made<T = Invoice>(
  { id, token }: { id: string; token: string },
  payment_methods: unknown,
  kind = 'invoice',
): Promise<T> {
  const body = { authorized_invoice_id: id, payment_methods };
  const reply = await post(`/v2/${kind}`, body, { token });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.payload as T;
}

test('both mechanisms answer as the interface says, a repeat the same', async () => {
  const headers = { 'idempotency-key': 'authorize' };
  const first = await post(PATH, sale({ is_escrow: true }), { headers });
  assert.equal(first.status, 200, first.text);
  const widget = first.body.payload as Authorized;
  const names = ['authorized_invoice_id', 'nonce_auth_id', 'redirect'];
  assert.deepEqual(Object.keys(widget).toSorted(), names);
  const { urls, integrator } = platform.ready;
  const at = new URL(widget.redirect);
  assert.ok(widget.redirect.startsWith(`${urls.widget}/ui/appauth/`));
  assert.deepEqual(Object.fromEntries(at.searchParams), {
    authorized_invoice_id: widget.authorized_invoice_id,
    integrator,
    is_escrow: 'true',
    is_virtual: 'false',
  });
  const again = await post(PATH, sale({ is_escrow: true }), { headers });
  assert.deepEqual([again.status, again.text], [200, first.text]);
  const hosted = await authorized({ invoice_mechanism: 'service_hosted' });
  assert.deepEqual(Object.keys(hosted).toSorted(), ['authorized_invoice_id', 'redirect']);
  assert.ok(hosted.redirect.startsWith(`${urls.hosted}/checkout/`));
  assert.deepEqual(Object.fromEntries(new URL(hosted.redirect).searchParams), {
    line_items_payload_id: hosted.authorized_invoice_id,
    is_escrow: 'false',
  });
});

test('a broken sale is refused when it is authorized, and nothing is stored', async () => {
  const { seller } = platform.ready.accounts;
  const to = (destination_wallet_id: string, amount = 10): Body[] => [
    saleLine('', 10, { recipients: [{ amount, destination_wallet_id }] }),
  ];
  const cases: readonly (readonly [string, Body])[] = [
    ['MISSING_FIELD', { line_items: undefined }],
    ['MISSING_FIELD', { invoice_mechanism: undefined }],
    ['INVALID_FIELD', { invoice_mechanism: 'hosted' }],
    ['INVALID_FIELD', { is_escrow: 'true' }],
    ['UNKNOWN_FIELD', { payment_methods: wallet() }],
    ['ACCOUNT_NOT_FOUND', { account_id: 'x' }],
    ['CURRENCY_NOT_ENABLED', { line_items: [ownLine(5, { currency: 'XXX' })] }],
    ['CURRENCY_MIXED', { line_items: [ownLine(5), ownLine(5, { currency: 'EUR' })] }],
    ['RECIPIENTS_REQUIRED', { line_items: [saleLine('', 5, { recipients: [] })] }],
    ['LINE_AMOUNT_MISMATCH', { line_items: to(seller.wallet_id, 9) }],
    ['WALLET_NOT_FOUND', { line_items: to(crypto.randomUUID()) }],
    ['SELF_PAYMENT', { line_items: to(buyer().wallet_id) }],
  ];
  const before = await platform.rows();
  for (const [code, more] of cases) {
    const reply = await post(PATH, sale(more));
    assert.deepEqual(said(reply), [400, code], reply.text);
  }
  assert.deepEqual(await platform.rows(), before);
});

test('no user can authorize a sale, and none is authorized for a blocked buyer', async () => {
  const body = { account_id: buyer().account_id, return_token: true };
  type Given = { token: { access_token: string } };
  const call = { body };
  const given = await platform.api.must<Given>(200, 'auth', 'POST', '/authorize/user', call);
  const { access_token: token } = given.token;
  assert.equal((await post(PATH, sale(), { token })).status, 403);
  const { account_id } = platform.ready.accounts.seller2;
  const block = { account_id, block_capability: 'login', block_reason: 'x' };
  await platform.api.must(200, 'accounts', 'POST', '/v2/block', { body: block });
  assert.deepEqual(said(await post(PATH, sale({ account_id }))), [403, 'ACCOUNT_BLOCKED']);
});

test("tenant and buyer read it alike; another id is unknown to both", async () => {
  const texts = { reference_type: 'r', reference_id: '7', description: 'd', metadata: { a: 1 } };
  const line_items = [saleLine(platform.ready.accounts.seller.wallet_id, 150), ownLine(50)];
  const { id, token } = await opened({ ...texts, line_items });
  const reply = await get(`${PATH}/${id}`);
  const record = reply.body.payload as Body;
  assert.equal((await get(`${PATH}/${id}`, token)).text, reply.text);
  const lines = record['line_items'] as Body[];
  assert.deepEqual(lines.map((line) => line['display_amount']), ['USD 1.50', 'USD 0.50']);
  assert.deepEqual(
    { ...record, line_items: [] },
    {
      ...{ authorized_invoice_id: id, account_id: buyer().account_id, is_escrow: false },
      ...{ is_virtual: false, ...texts, line_items: [], line_items_total: 200 },
      ...{ line_items_currency: 'USD', display_amount: 'USD 2.00', state: 'open' },
      ...{ invoice_id: '', escrow_id: '' },
    },
  );
  const other = await authorized();
  const unknown = await get(`${PATH}/${crypto.randomUUID()}`, token);
  const foreign = await get(`${PATH}/${other.authorized_invoice_id}`, token);
  assert.deepEqual(said(foreign), [404, 'AUTHORIZED_INVOICE_NOT_FOUND']);
  assert.equal(foreign.text, unknown.text);
});

test('the buyer changes the method; only the last invoice is paid, once', async () => {
  const texts = { reference_id: '8', description: 'd', metadata: { a: 1 } };
  const { id, token } = await opened(texts);
  const first = await made({ id, token }, card());
  const second = await made({ id, token }, wallet());
  assert.deepEqual(second.metadata, { a: 1, authorized_invoice_id: id });
  assert.deepEqual([second.reference_id, second.description], ['8', 'd']);
  assert.deepEqual(await seen(id, token).then((one) => one.invoice_id), second.invoice_id);
  const pay = (invoice: Invoice, call: Call = { token }): Promise<Reply> =>
    post(`/v2/invoice/${invoice.invoice_id}/pay`, undefined, call);
  assert.deepEqual(said(await pay(first)), [400, 'INVOICE_SUPERSEDED']);
  assert.deepEqual(said(await pay(first, {})), [400, 'INVOICE_SUPERSEDED'], 'nor by a client');
  assert.equal((await pay(second)).status, 200);
  assert.equal((await market.ended(second.invoice_id)).state, 'success');
  assert.equal((await seen(id, token)).state, 'paid');
  const body = { authorized_invoice_id: id, payment_methods: card() };
  for (const call of [{ token }, {}]) {
    assert.deepEqual(said(await post('/v2/invoice', body, call)), [400, 'AUTHORIZED_INVOICE_USED']);
  }
  assert.deepEqual(said(await pay(second)), [400, 'INVOICE_NOT_OPEN']);
  assert.deepEqual(said(await pay(first)), [400, 'INVOICE_SUPERSEDED']);
});

test('after a declined card the buyer tries again; a repeated creation is the first', async () => {
  const { id, token } = await opened();
  const declined = [{ payment_method_id: buyer().declined_card_payment_method_id }];
  const first = await made({ id, token }, declined);
  await post(`/v2/invoice/${first.invoice_id}/pay`, undefined, { token });
  assert.equal((await market.ended(first.invoice_id)).state, 'failed');
  assert.equal((await seen(id, token)).state, 'open');
  const body = { authorized_invoice_id: id, payment_methods: card() };
  const call = { token, headers: { 'idempotency-key': 'again' } };
  const second = await post('/v2/invoice', body, call);
  const { invoice_id } = second.body.payload as Invoice;
  await post(`/v2/invoice/${invoice_id}/pay`, undefined, { token });
  assert.equal((await market.ended(invoice_id)).state, 'success');
  assert.equal((await post('/v2/invoice', body, call)).text, second.text);
});

test('an escrow is made of what was authorized as one, and the buyer only pays it', async () => {
  const { id, token } = await opened({ is_escrow: true });
  const body = { authorized_invoice_id: id, payment_methods: wallet() };
  const mismatch = [400, 'AUTHORIZED_INVOICE_KIND_MISMATCH'];
  assert.deepEqual(said(await post('/v2/invoice', body, { token })), mismatch);
  const plain = await opened();
  const wrong = { ...body, authorized_invoice_id: plain.id };
  assert.deepEqual(said(await post('/v2/escrow', wrong, { token: plain.token })), mismatch);
  const first = await made<Escrow>({ id, token }, wallet(), 'escrow');
  const escrow = await made<Escrow>({ id, token }, card(), 'escrow');
  const move = (one: Escrow, what: string, call: Call = { token }): Promise<Reply> =>
    post(`/v2/escrow/${one.id}/${what}`, undefined, call);
  assert.deepEqual(said(await move(first, 'pay')), [400, 'INVOICE_SUPERSEDED']);
  const paid = await move(escrow, 'pay');
  assert.equal((paid.body.payload as Escrow).status, 'ESCROWED', paid.text);
  const { state, escrow_id } = await seen(id, token);
  assert.deepEqual([state, escrow_id], ['paid', escrow.id]);
  for (const what of ['commit', 'cancel']) {
    assert.deepEqual(said(await move(escrow, what)), [403, 'TOKEN_KIND_REFUSED']);
  }
  assert.equal((await move(escrow, 'commit', {})).status, 200);
  assert.equal((await get(`/v2/escrow/${escrow.id}`, token)).status, 200);
  assert.equal((await get(`/v2/invoice/${escrow.escrow_invoice_id}`, token)).status, 200);
  const more = await post('/v2/escrow', body, { token });
  assert.deepEqual(said(more), [400, 'AUTHORIZED_INVOICE_USED']);
});

test('one request of a session waits for an escrow; others get its state at once', async () => {
  const body = { account_id: buyer().account_id, test_card: 'slow' };
  const card = await platform.api.must<{ id: string }>(
    ...([201, 'invoicing', 'POST', '/sandbox/payment_methods'] as const),
    { body },
  );
  const { id, token } = await opened({ is_escrow: true });
  const escrow = await made<Escrow>({ id, token }, [{ payment_method_id: card.id }], 'escrow');
  const headers = { 'idempotency-key': 'pay-and-wait' };
  let ended = 0;
  const pay = async (call: Call): Promise<Reply> => {
    const reply = await post(`/v2/escrow/${escrow.id}/pay`, undefined, { token, ...call });
    ended += 1;
    return reply;
  };
  const first = Promise.all(Array.from({ length: 5 }, () => pay({ headers })));
  const end = Date.now() + 15_000;
  while (ended < 4 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(ended, 4, 'all but one were answered');
  assert.deepEqual(said(await pay({})), [400, 'ESCROW_PAYMENT_IN_PROGRESS']);
  const again = await pay({ headers });
  assert.deepEqual([again.status, (again.body.payload as Escrow).status], [200, 'OPEN']);
  assert.equal(ended, 6, 'and that one waits still');
  assert.deepEqual([...new Set((await first).map(({ status }) => status))], [200]);
});

test("a session can create and reach nothing else, not even its own account's", async () => {
  const mine = await opened();
  const { token } = mine;
  const other = await authorized();
  const whole = await post('/v2/invoice', market.sale(5), { token });
  assert.deepEqual(said(whole), [400, 'MISSING_FIELD']);
  assert.deepEqual(Object.keys(whole.errors), ['authorized_invoice_id']);
  const body = { authorized_invoice_id: mine.id, payment_methods: wallet() };
  for (const more of [{ description: 'x' }, { line_items: [] }, { metadata: {} }]) {
    const reply = await post('/v2/invoice', { ...body, ...more }, { token });
    assert.deepEqual(said(reply), [400, 'UNKNOWN_FIELD']);
    assert.deepEqual(Object.keys(reply.errors), Object.keys(more));
  }
  for (const id of [other.authorized_invoice_id, crypto.randomUUID(), 'x', '']) {
    const reply = await post('/v2/invoice', { ...body, authorized_invoice_id: id }, { token });
    assert.deepEqual(said(reply), [400, 'AUTHORIZED_INVOICE_NOT_FOUND']);
  }
  const plain = await market.create(market.sale(5));
  const byClient = await post('/v2/invoice', {
    authorized_invoice_id: other.authorized_invoice_id,
    payment_methods: wallet(),
  });
  assert.equal(byClient.status, 201, byClient.text);
  const escrow = (await post('/v2/escrow', market.sale(5))).body.payload as Escrow;
  const { invoice_id } = byClient.body.payload as Invoice;
  const nobodys = await get(`/v2/invoice/${crypto.randomUUID()}`, token);
  assert.equal(nobodys.status, 404);
  for (const id of [plain.invoice_id, invoice_id, escrow.escrow_invoice_id]) {
    assert.equal((await get(`/v2/invoice/${id}`, token)).text, nobodys.text);
    const pay = await post(`/v2/invoice/${id}/pay`, undefined, { token });
    assert.deepEqual([pay.status, pay.text], [404, nobodys.text]);
  }
  assert.equal((await get(`/v2/escrow/${escrow.id}`, token)).status, 404);
  assert.equal((await post(`/v2/escrow/${escrow.id}/pay`, undefined, { token })).status, 404);
  assert.equal((await market.read(plain.invoice_id)).state, 'open');
});

/** Ends the time of one, days ago, which nothing but time does otherwise. */
async function expire(id: string, days = 0): Promise<void> {
  await platform.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute({
      text: `update authorized_invoice
        set expires = clock_timestamp() - make_interval(days => $2) where id = $1`,
      values: [id, days],
    });
  });
}

test('after expiry nothing can be created of it; what exists can be paid and read', async () => {
  const fresh = await opened();
  const begun = await opened();
  const invoice = await made(begun, wallet());
  for (const { id, token } of [fresh, begun]) {
    await expire(id);
    const gone = [410, 'AUTHORIZED_INVOICE_EXPIRED'];
    assert.deepEqual(said(await get(`${PATH}/${id}`, token)), gone);
    const body = { authorized_invoice_id: id, payment_methods: wallet() };
    assert.deepEqual(said(await post('/v2/invoice', body, { token })), gone);
  }
  const { token } = begun;
  await post(`/v2/invoice/${invoice.invoice_id}/pay`, undefined, { token });
  assert.equal((await market.ended(invoice.invoice_id)).state, 'success');
  assert.equal((await seen(begun.id, token)).state, 'paid');
});

test('an unused one is deleted 30 days after expiry, and nothing else', async () => {
  const [unused, made30, recent] = [await authorized(), await opened(), await authorized()];
  await made(made30, wallet());
  await expire(unused.authorized_invoice_id, 30);
  await expire(made30.id, 30);
  await expire(recent.authorized_invoice_id, 29);
  const row = upkeepRows(platform.db).find(({ name }) => name === 'unused authorized invoices');
  assert.deepEqual([await row?.run(), await row?.run()], [1, 0]);
  const left = await platform.db.query<{ id: string }>('select id from authorized_invoice');
  const ids = left.map(({ id }) => id);
  assert.ok(!ids.includes(unused.authorized_invoice_id) && ids.includes(made30.id));
  assert.ok(ids.includes(recent.authorized_invoice_id));
});

test('at most 20 invoices or escrows are created of one', async () => {
  for (const kind of ['invoice', 'escrow']) {
    const { id, token } = await opened({ is_escrow: kind === 'escrow' });
    const body = { authorized_invoice_id: id, payment_methods: wallet() };
    const headers = { 'idempotency-key': `last-${kind}` };
    for (let n = 0; n < 19; n += 1) await made({ id, token }, wallet(), kind);
    const last = await post(`/v2/${kind}`, body, { token, headers });
    assert.equal(last.status, 201, last.text);
    for (const call of [{ token }, {}]) {
      const more = await post(`/v2/${kind}`, body, call);
      assert.deepEqual(said(more), [400, 'AUTHORIZED_INVOICE_LIMIT']);
    }
    const again = await post(`/v2/${kind}`, body, { token, headers });
    assert.deepEqual([again.status, again.text], [201, last.text], 'a repeat makes none');
    const { invoice_id, id: escrow } = last.body.payload as Invoice & Escrow;
    const paid = await post(`/v2/${kind}/${invoice_id ?? escrow}/pay`, undefined, { token });
    assert.equal(paid.status, 200, paid.text);
  }
});

test('the database enforces what was authorized and which invoice is the newest', async () => {
  const mine = await opened();
  const first = await made(mine, wallet());
  const other = await opened();
  const foreign = await made(other, wallet());
  const { token } = mine;
  await post(`/v2/invoice/${first.invoice_id}/pay`, undefined, { token });
  const latest = (id: string): string => `update authorized_invoice
    set latest_invoice_id = ${id} where id = '${mine.id}'`;
  for (const [rule, text] of [
    ['authorized_invoice_fixed', `update authorized_invoice set document = '{}'`],
    ['authorized_invoice_fixed', 'update authorized_invoice set expires = now()'],
    ['authorized_invoice_latest', latest(`'${foreign.invoice_id}'`)],
    ['authorized_invoice_latest', latest('null')],
    ['authorized_invoice_counted', latest('latest_invoice_id, made = 2')],
    ['authorized_invoice_limit', 'update authorized_invoice set made = 21'],
    ['authorized_invoice_append_only', 'delete from authorized_invoice'],
    ['authorized_invoice_append_only', 'truncate authorized_invoice'],
  ] as const) {
    await assert.rejects(platform.db.execute(text), { constraint: rule }, text);
  }
});

test('nobody pays by a session before the terms are signed', async () => {
  const { account_id } = await platform.api.must<{ account_id: string }>(
    ...([200, 'accounts', 'POST', '/register'] as const),
    { body: { username: 'unsigned' } },
  );
  const { authorized_invoice_id: id } = await authorized({ account_id });
  const token = await personToken(platform, {
    client: { clientId: platform.ready.client.client_id, integrator: platform.ready.integrator },
    kind: 'session',
    accountId: account_id,
    scopes: ['read_invoice', 'write_invoice'],
    seconds: 60,
    authorizedInvoiceId: id,
  });
  for (const path of ['/v2/invoice', '/v2/escrow', '/v2/invoice/x/pay', '/v2/escrow/x/pay']) {
    const body = path.endsWith('pay') ? {} : { authorized_invoice_id: id, payment_methods: [] };
    const reply = await post(path, body, { token });
    assert.deepEqual(said(reply), [403, 'TERMS_NOT_SIGNED'], path);
  }
  assert.equal((await seen(id, token)).state, 'open');
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
