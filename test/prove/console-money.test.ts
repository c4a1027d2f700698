// Money work at the console: what a client may do, people do with a reason, once for each form, and
// from the tenant's limit on in twos; the books hold afterwards. [G-88]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createOperator,
  type OperatorServices,
  type Role,
} from '../../src/product/access/operator/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { systemRandom } from '../../src/core/random.ts';
import { queueScript } from '../../src/sandbox/simulators/store/calls.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { payoutBody } from '../api/payout-bodies.ts';
import { Market, ownLine } from '../api/market.ts';
import { run } from '../cli/terminal.ts';
import { signedIn, type Browser, type Page } from '../console/kit.ts';
import { proved } from '../kit/books.ts';
import { moved, openEscrow } from '../kit/escrow.ts';
import { until } from '../kit/until.ts';

const LIMIT = 5_000;
let platform: Platform;
let market: Market;
let services: OperatorServices;
let anna: Browser;
let sven: Browser;
let ines: Browser;
const ids: Record<string, string> = {};

async function operator(username: string, roles: readonly Role[]): Promise<Browser> {
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  const made = await createOperator({ ...services, env: 'staging' }, wish, 'operator');
  ids[username] = made.id;
  return signedIn(platform.ready.urls.console, made);
}

before(async () => {
  platform = await startPlatform();
  services = { db: platform.db, keys: await fileKeys(platform.keyFile), random: systemRandom };
  market = new Market(platform.api);
  anna = await operator('anna', ['accountant']);
  sven = await operator('sven', ['supervisor']);
  ines = await operator('ines', ['supervisor']);
  const env = { DATABASE_URL: platform.url, HOLDFAST_KEY_FILE: platform.keyFile };
  const limit = ['tenant', 'second-person', platform.ready.integrator, '--currency', 'USD'];
  const set = await run(env, ...limit, '--from', String(LIMIT), '--json');
  assert.equal((JSON.parse(set.out) as { USD: string }).USD, String(LIMIT), set.err);
  for (const wrong of [['--from', 'much'], ['--default', '--from', '1'], []]) {
    assert.notEqual((await run(env, ...limit, ...wrong)).code, 0);
  }
  await until('the limit is known', async () => {
    return (await anna.get('/money')).text.includes('50.00 USD') || null;
  });
  await market.sold(market.sale(30_000, { line_items: [ownLine(30_000)] }));
});
after(() => platform?.stop());

/** What the form of an act holds besides what a person fills in. */
async function formOf(who: Browser, path: string): Promise<Record<string, string>> {
  const { status, text } = await who.get(path);
  assert.equal(status, 200, text);
  const hidden = [...text.matchAll(/name="(token|seen)"\s+value="([^"]+)"/g)];
  return { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), reason: 'asked' };
}

/** Fills in a form and sends it. */
async function act(
  who: Browser,
  path: string,
  more: Record<string, string> = {},
): Promise<Page> {
  return who.post(path, { ...(await formOf(who, path)), ...more });
}

async function says(answer: Promise<Page> | Page, status: number, ...words: string[]) {
  const page = await answer;
  assert.equal(page.status, status, page.text);
  for (const word of words) assert.ok(page.text.includes(word), `${word} is not in ${page.text}`);
  return page;
}

const sale = async (amount: number): Promise<string> =>
  (await market.sold(market.sale(amount))).invoice_id;

const WHY = { why: 'other' };

async function refunds(invoice: string): Promise<readonly { amount: number }[]> {
  type Found = { refunds: Record<string, { amount: number }> };
  const path = `/v2/invoice/${invoice}/refunds`;
  const { refunds: all } = await platform.api.must<Found>(200, 'invoicing', 'GET', path);
  return Object.values(all);
}

test('a refund above the limit takes two people, from start to end', async () => {
  const invoice = await sale(LIMIT);
  await says(anna.get(`/objects/${invoice}`), 200, 'What may be done', 'Refund all that is left');
  const path = `/objects/${invoice}/acts/refund`;
  await says(anna.get(path), 200, 'From 50.00 USD on it waits for a second');
  const { location } = await says(act(anna, path, WHY), 303);
  const at = location ?? '';
  assert.match(at, /^\/money\//);
  assert.deepEqual(await refunds(invoice), []);
  await says(anna.get(at), 200, 'Another person must confirm', 'asked', '50.00 USD');
  await says(anna.get(`/objects/${invoice}`), 200, 'is not finished', at);
  await says(anna.get('/'), 200, 'Acts on money to confirm');
  await says(act(sven, path, WHY), 409, 'MONEY_ACT_WAITS');
  await says(anna.post(`${at}/second`, { word: 'confirm' }), 403);
  await says(sven.get(at), 200, 'Confirm: it is done at once');
  await says(sven.post(`${at}/second`, { word: 'confirm' }), 303);
  assert.deepEqual((await refunds(invoice)).map(({ amount }) => amount), [LIMIT]);
  await says(sven.get(at), 200, 'done', 'anna', 'sven');
  await says(sven.post(`${at}/second`, { word: 'confirm' }), 409, 'MONEY_ACT_ENDED');
  const [step] = await platform.db.query<{ actor: string }>({
    text: `select s.actor from history s join refund r on r.id = s.resource_id
      where r.invoice_id = $1 and s.version = 1`,
    values: [invoice],
  });
  assert.equal(step?.actor, `operator:${ids['anna']}`);
  await says(anna.get(`/objects/${invoice}`), 200, 'A second person');
});

test('the same person never confirms, and may take it back', async () => {
  const invoice = await sale(LIMIT + 1);
  const path = `/objects/${invoice}/acts/refund`;
  const { location } = await says(act(sven, path, WHY), 303);
  const at = location ?? '';
  await says(sven.post(`${at}/second`, { word: 'confirm' }), 403, 'MONEY_ACT_SAME_PERSON');
  await says(ines.post(`${at}/back`), 403, 'MONEY_ACT_NOT_OWN');
  await says(sven.post(`${at}/back`), 303);
  await says(ines.post(`${at}/second`, { word: 'confirm' }), 409, 'MONEY_ACT_ENDED');
  const second = await says(act(sven, path, WHY), 303);
  await says(ines.post(`${second.location}/second`, { word: 'reject' }), 303);
  assert.deepEqual(await refunds(invoice), []);
});

test('nobody acts on money of their own account, as first or second', async () => {
  const { account_id } = await platform.api.register('console_own');
  await platform.api.fund(account_id, 20_000);
  const { method } = await platform.api.walletOf(account_id);
  const pays = { account_id, payment_methods: [{ payment_method_id: method }] };
  const { invoice_id } = await market.sold(market.sale(LIMIT, pays));
  const operator_id = ids['ines'] ?? '';
  await platform.db.execute({
    text: `insert into operator_account (workspace, id, operator_id, account_id, created)
      select workspace, gen_random_uuid(), $1, account_id, now() from invoice where id = $2`,
    values: [operator_id, invoice_id],
  });
  const path = `/objects/${invoice_id}/acts/refund`;
  await says(act(ines, path, WHY), 403, 'MONEY_ACT_OWN_CASE');
  const { location } = await says(act(sven, path, WHY), 303);
  await says(ines.post(`${location}/second`, { word: 'confirm' }), 403, 'MONEY_ACT_OWN_CASE');
  await says(sven.post(`${location}/back`), 303);
});

test('a form that is sent twice acts once, and a stale one not at all', async () => {
  const invoice = await sale(1_000);
  const path = `/objects/${invoice}/acts/refund_part`;
  const line = /<option value="([^"]+)"/.exec(
    (await anna.get(path)).text.split('name="line"')[1] ?? '',
  )?.[1] ?? '';
  const wish = { line, amount: '1.00', ...WHY };
  const [form, stale] = [await formOf(anna, path), await formOf(sven, path)];
  const sent = { ...form, ...wish };
  const all = await Promise.all([1, 2, 3, 4].map(() => anna.post(path, sent)));
  assert.ok(all.every(({ status }) => status === 303), all.map(({ text }) => text).join());
  assert.deepEqual((await refunds(invoice)).map(({ amount }) => amount), [100]);
  await says(anna.post(path, sent), 303);
  await says(anna.post(path, { ...sent, amount: '2.00' }), 303);
  await says(sven.post(path, { ...stale, ...wish }), 409, 'MONEY_ACT_OUTDATED');
  assert.equal((await refunds(invoice)).length, 1);
  const fresh = [await formOf(anna, path), await formOf(sven, path)];
  const both = await Promise.all([
    anna.post(path, { ...fresh[0], ...wish }),
    sven.post(path, { ...fresh[1], ...wish }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [303, 409]);
  assert.equal((await refunds(invoice)).length, 2);
  await says(act(anna, path, { ...wish, amount: '9.00' }), 400, 'REFUND_TOO_LARGE');
  for (const wrong of [{ amount: '0' }, { amount: '1.005' }, { line: 'x' }, { why: 'x' }]) {
    await says(act(anna, path, { ...wish, ...wrong }), 400, 'INVALID_FIELD');
  }
  await says(act(anna, path, { ...wish, reason: ' ' }), 400, 'INVALID_FIELD');
  await says(act(anna, path, { ...wish, token: 'x' }), 400, 'INVALID_FIELD');
  assert.equal((await refunds(invoice)).length, 2);
});

test('refunds of one sale count together, so that small parts take two as well', async () => {
  const path = `/objects/${await sale(LIMIT + 1_000)}/acts/refund_part`;
  const line = /<option value="([^"]{36})"/.exec((await anna.get(path)).text)?.[1] ?? '';
  const wish = { line, amount: '30.00', ...WHY };
  const [first, second] = [await act(anna, path, wish), await act(anna, path, wish)];
  assert.match(first.location ?? '', /^\/objects\//);
  assert.match(second.location ?? '', /^\/money\//);
  await says(anna.post(`${second.location}/back`), 303);
});

test('an escrow is released or cancelled once, neither while another act waits', async () => {
  const { buyer } = platform.ready.accounts;
  const pay = [{ payment_method_id: buyer.wallet_payment_method_id }];
  const held = async (amount: number): Promise<string> => {
    const { id } = await openEscrow(platform.api, amount, pay);
    await moved(platform.api, id, 'pay', 'ESCROWED');
    return id;
  };
  const small = await held(900);
  await says(act(anna, `/objects/${small}/acts/release`), 303);
  await says(anna.get(`/objects/${small}`), 200, 'COMMITTED'.toLowerCase(), 'Done: Release');
  await says(anna.get(`/objects/${small}/acts/cancel_escrow`), 200, 'Not possible now');
  const large = await held(LIMIT);
  const stale = await formOf(sven, `/objects/${large}/acts/cancel_escrow`);
  const { location } = await says(act(anna, `/objects/${large}/acts/release`), 303);
  const cancel = `/objects/${large}/acts/cancel_escrow`;
  await says(sven.post(cancel, stale), 409, 'MONEY_ACT_WAITS');
  await moved(platform.api, large, 'commit', 'COMMITTED');
  await says(sven.get(location ?? ''), 200, 'The object has changed since');
  await says(sven.post(`${location}/second`, { word: 'confirm' }), 409, 'MONEY_ACT_OUTDATED');
  await says(sven.get(location ?? ''), 200, 'refused');
  await says(sven.post(cancel, stale), 409, 'MONEY_ACT_OUTDATED');
});

test('a payout is held, let go by two from the limit on, and cancelled', async () => {
  const [path, body] = await payoutBody(platform.api);
  const { account_id } = platform.ready.accounts.seller;
  await platform.api.fund(account_id, 20_000);
  type Made = { payout_status_id: string; status: string };
  const call = { body: { ...body, amount: LIMIT } };
  const made = await platform.api.must<Made>(201, 'invoicing', 'POST', path, call);
  const at = `/objects/${made.payout_status_id}`;
  await says(act(anna, `${at}/acts/hold`), 303);
  await says(anna.get(at), 200, 'on hold', 'Let it go');
  const execute = `${path}/${made.payout_status_id}`;
  const sent = await platform.api.send('invoicing', 'PATCH', execute);
  assert.deepEqual([sent.status, sent.code], [400, 'PAYOUT_HELD']);
  const { location } = await says(act(anna, `${at}/acts/let_go`), 303);
  await says(sven.post(`${location}/second`, { word: 'confirm' }), 303);
  await says(anna.get(at), 200, 'Hold it');
  const cancelled = await says(act(anna, `${at}/acts/cancel_payout`), 303);
  await says(sven.post(`${cancelled.location}/second`, { word: 'confirm' }), 303);
  const ended = await platform.api.must<Made>(200, 'invoicing', 'GET', execute);
  assert.equal(ended.status, 'SUPPORT-REJECTED');
});

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly why: string;
}

const waiting = (kind: string): Promise<Item> =>
  until(kind, async () => {
    type Open = { items: readonly Item[] };
    const path = '/v1/reconciliation';
    const { items } = await platform.api.must<Open>(200, 'payments', 'GET', path);
    return items.find((one) => one.kind === kind) ?? null;
  });

async function isGone(kind: string): Promise<void> {
  await until(`${kind} is decided`, async () => {
    const list = await anna.get(`/lists/open_items?kind=${kind}`);
    return /<tbody>/.test(list.text) ? null : true;
  });
}

test('what is parked is decided, each kind from its list', async () => {
  const { api } = platform;
  const { account_id, card_payment_method_id: card } = platform.ready.accounts.buyer;
  const post = (path: string, body: object): Promise<unknown> =>
    api.must(201, 'invoicing', 'POST', path, { body });
  await post('/sandbox/scenarios', { scenario: 'declined_but_captured', payment_method_id: card });
  await post('/v1/deposits', { account_id, payment_method_id: card, currency: 'USD', amount: 8 });
  const person = await api.register('console_parked');
  const method = await api.attach(person.account_id, 'refund_declined');
  const escrow = await openEscrow(api, 700, [{ payment_method_id: method }], {
    account_id: person.account_id,
  });
  await moved(api, escrow.id, 'pay', 'ESCROWED');
  await moved(api, escrow.id, 'cancel', 'CANCELLED');
  // Sent again, it is taken.
  const [scripted] = await platform.db.query<{ workspace: number; token: string }>({
    text: 'select workspace, processor_token as token from payment_method where id = $1',
    values: [method],
  });
  const { workspace = 0, token = '' } = scripted ?? {};
  await platform.db.execute(
    `insert into processor_statement (workspace, key, reference, kind, amount, currency)
      select min(workspace), 'nobody', 'ch_nobody', 'capture', 55, 'USD' from workspace`,
  );
  for (const [kind, decision] of [
    ...([['parked_charge', 'give_back'], ['parked_remittance', 'retry']] as const),
    ['difference', 'explained'] as const,
  ]) {
    const { id } = await waiting(kind);
    if (decision === 'retry') {
      const honest = { operation: 'remit', exchange: 'honest', times: 1, token } as const;
      await queueScript(platform.db, 'processor', workspace, [honest]);
    }
    await says(anna.get(`/lists/open_items?kind=${kind}`), 200, `/objects/${id}`);
    await says(anna.get(`/objects/${id}`), 200, `/objects/${id}/acts/decide`);
    const path = `/objects/${id}/acts/decide`;
    await says(act(anna, path, { decision: 'hope' }), 400, 'INVALID_FIELD');
    await says(act(anna, path, { decision }), 303);
    await isGone(kind);
  }
});

test('a refund that waits for funds is withdrawn', async () => {
  const { text } = await anna.get('/');
  assert.match(text, /Refunds waiting for funds/);
  const invoice = await sale(40_000);
  const { location } = await says(act(anna, `/objects/${invoice}/acts/refund`, WHY), 303);
  await says(sven.post(`${location}/second`, { word: 'confirm' }), 303);
  const { id } = await waiting('waiting_refund');
  const asked = await says(act(anna, `/objects/${id}/acts/withdraw`), 303);
  await says(sven.post(`${asked.location}/second`, { word: 'confirm' }), 303);
  await isGone('waiting_refund');
});

test('an entry that balances the books takes two, and the books hold', async () => {
  const share = async (kind: string): Promise<bigint> => {
    const [row] = await platform.db.query<{ n: bigint }>({
      text: `select coalesce(sum(p.amount), 0)::int8 as n from posting p join ledger_account a
        on a.workspace = p.workspace and a.id = p.account_id where a.kind = $1
        and p.currency = 'USD'`,
      values: [kind],
    });
    return row?.n ?? 0n;
  };
  const before = [await share('integrator_share'), await share('bank_fees')] as const;
  const entry = { from: 'integrator_share', to: 'bank_fees', currency: 'USD', amount: '1.23' };
  for (const wrong of [{ to: 'integrator_share' }, { to: 'escrow' }, { from: 'wallet' },
    { currency: 'XXX' }, { amount: '-1' }]) {
    await says(act(anna, '/money', { ...entry, ...wrong }), 400, 'INVALID_FIELD');
  }
  const form = { ...(await formOf(anna, '/money')), ...entry };
  const all = await Promise.all([1, 2].map(() => anna.post('/money', form)));
  assert.deepEqual(all.map(({ status, location }) => [status, location]), [
    ...[1, 2].map(() => [303, all[0]?.location]),
  ]);
  const at = all[0]?.location ?? '';
  assert.equal(await share('bank_fees'), before[1]);
  await says(sven.get(at), 200, 'integrator_share', '1.23 USD');
  await says(sven.post(`${at}/second`, { word: 'confirm' }), 303);
  assert.equal(await share('integrator_share'), before[0] - 123n);
  assert.equal(await share('bank_fees'), before[1] + 123n);
  const much = await says(act(anna, '/money', { ...entry, amount: '99999999.00' }), 303);
  const none = sven.post(`${much.location}/second`, { word: 'confirm' });
  await says(none, 400, 'BALANCING_TOO_MUCH');
  await says(sven.post(`${much.location}/second`, { word: 'reject' }), 303);
  const back = { ...entry, from: 'bank_fees', to: 'integrator_share' };
  const { location } = await says(act(anna, '/money', back), 303);
  await says(sven.post(`${location}/second`, { word: 'confirm' }), 303);
  assert.equal(await share('integrator_share'), before[0]);
  await proved(platform.db);
});

test('another tenant has none of it, and who may only read sees no forms', async () => {
  const invoice = await sale(500);
  const path = `/objects/${invoice}/acts/refund`;
  const form = { ...(await formOf(anna, path)), ...WHY };
  const waits = await says(act(anna, `/objects/${await sale(LIMIT)}/acts/refund`, WHY), 303);
  const { workspace } = await platform.tenant();
  await says(sven.post('/tenant', { workspace: String(workspace) }), 303);
  await says(sven.get(path), 404);
  await says(sven.post(path, form), 404);
  await says(sven.get(waits.location ?? ''), 404);
  await says(sven.post(`${waits.location}/second`, { word: 'confirm' }), 404);
  await says(anna.post(`${waits.location}/back`), 303);
  const others = { rita: 'viewer', dora: 'developer', sue: 'support' } as const;
  for (const [name, role] of Object.entries(others)) {
    const reader = await operator(name, [role]);
    const { text } = await says(reader.get(`/objects/${invoice}`), 200);
    assert.doesNotMatch(text, /What may be done/);
    await says(reader.get(path), 403);
    await says(reader.post(path, form), 403);
    assert.doesNotMatch((await reader.get('/money')).text, /Propose</);
  }
  assert.deepEqual(await refunds(invoice), []);
});

test('while writes are stopped people act on nothing either', async () => {
  const invoice = await sale(600);
  const form = { ...(await formOf(anna, `/objects/${invoice}/acts/refund`)), ...WHY };
  await says(anna.post('/stops/writes/stop'), 303);
  await says(anna.post(`/objects/${invoice}/acts/refund`, form), 409, 'WRITES_STOPPED');
  await says(sven.post('/tenant', { workspace: '1' }), 303);
  await says(sven.post('/stops/writes/resume'), 303);
  await says(anna.post(`/objects/${invoice}/acts/refund`, form), 303);
  assert.equal((await refunds(invoice)).length, 1);
});
