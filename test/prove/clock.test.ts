// The sandbox's clock over HTTP: what is due runs at its own time, in order, and the call answers
// when it is done; what expires is answered differently from then on. [G-64]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { submission } from '../kit/identity.ts';
import { receiver } from '../webhook/scene.ts';
import { BusinessScene } from '../api/business-scene.ts';
import { clockOf, DAY, secondsBetween, type Clocks } from '../api/clocks.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market } from '../api/market.ts';
import type { Escrow, Invoice } from '../api/records.ts';

let platform: Platform;
let market: Market;
let clock: Clocks;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
  clock = clockOf(platform.api);
});
after(() => platform?.stop());

const post = <T>(path: string, body: object): Promise<T> =>
  platform.api.must<T>(201, 'invoicing', 'POST', path, { body });

async function escrow(): Promise<string> {
  const { id } = await post<Escrow>('/v2/escrow', market.sale(700));
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`);
  return id;
}

async function link(): Promise<string> {
  const { account_id } = platform.ready.accounts.buyer;
  const body = { account_id, mechanism: 'widget' };
  type Made = { nonce_auth_id: string };
  const made = await platform.api.must<Made>(200, 'auth', 'POST', '/authorize/user', { body });
  return made.nonce_auth_id;
}

async function linkStatus(id: string): Promise<string> {
  type Shown = { status: string };
  const path = `/authorize/user/${id}`;
  return (await platform.api.must<Shown>(200, 'auth', 'GET', path)).status;
}

/** An invoice that is being paid, after the processor was scripted. */
async function paid(scenario: string, test_card = 'visa'): Promise<Invoice> {
  const { account_id } = platform.ready.accounts.buyer;
  const method = await post<{ id: string }>('/sandbox/payment_methods', { account_id, test_card });
  const methods = { payment_methods: [{ payment_method_id: method.id }] };
  await post('/sandbox/scenarios', { scenario, payment_method_id: method.id });
  return market.pay((await market.create(market.sale(900, methods))).invoice_id);
}

test('a link opens until its last second, and is expired after a day', async () => {
  const id = await link();
  await clock.move({ advance_seconds: DAY - 2 });
  assert.equal(await linkStatus(id), 'unused');
  const moved = await clock.move({ advance_seconds: 2 });
  assert.deepEqual(moved.steps.map((step) => [step.what, step.id]), [['link', id]]);
  assert.equal(await linkStatus(id), 'expired');
});

test('a session ends after its hour; a token of the API does not', async () => {
  const id = await link();
  await platform.db.execute({
    text: 'update link set used_at = workspace_now(workspace) where id = $1',
    values: [id],
  });
  const { due } = await clock.read();
  assert.ok(due.some((one) => one.what === 'session' && one.id === id));
  const { steps } = await clock.move({ advance_seconds: DAY });
  assert.ok(steps.some((one) => one.what === 'session' && one.id === id));
});

test('an escrow is warned of and cancelled, each at its own moment and told in order', async () => {
  const id = await escrow();
  const moved = await clock.move({ advance_seconds: 100 * DAY });
  const [warned, ended] = moved.steps.filter((step) => step.id === id);
  assert.ok(warned && ended);
  assert.ok(Math.abs(secondsBetween(warned.at, ended.at) - 7 * DAY) < 1);
  const told = await market.events(0, 3, (event) => event.message['id'] === id);
  assert.deepEqual(told.slice(1).map((event) => event.event_name), [
    'escrow-expiring',
    'escrow-transaction-update',
  ]);
  const steps = await platform.db.query<{ at: string; event: string }>(
    `select at, event from history where machine = 'escrow' order by at desc limit 1`,
  );
  assert.equal(steps[0]?.event, 'expire');
  const late = secondsBetween(ended.at, steps[0]?.at ?? '');
  assert.ok(late >= 0 && late < 1, `${late} s after its moment`);
  const shown = await platform.api.must<Escrow>(200, 'invoicing', 'GET', `/v2/escrow/${id}`);
  assert.equal(shown.status, 'CANCELLED');
  assert.ok(Math.abs(secondsBetween(moved.before, moved.now) - 100 * DAY) < 5);
});

test('a review that asked something, and the form of a business, lapse after 30 days', async () => {
  const scene = new BusinessScene(platform);
  const account = await scene.account();
  const entity = await scene.onboard(account);
  type Made = { account_id: string };
  type Given = { token: { access_token: string } };
  const { api } = platform;
  const submitted = async (username: string, pii: object): Promise<[string, string]> => {
    const person = { body: { username } };
    const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', person);
    const wish = { body: { account_id, return_token: true } };
    const given = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
    const token = given.token.access_token;
    await api.must(200, 'pii', 'POST', '/v2/kyc', { body: submission(pii), token });
    return [account_id, token];
  };
  const [account_id, asked] = await submitted('asked', { document_country: 'CA' });
  const [, unasked] = await submitted('unasked', { last: 'Specimen-Review' });
  const idle = await clock.move({ until_idle: true });
  assert.equal(idle.idle, true);
  assert.deepEqual(new Set((await clock.read()).due.map(({ what }) => what)).size > 1, true);
  const state = async (token: string): Promise<unknown> =>
    (await platform.api.must<{ state: string }>(200, 'pii', 'GET', '/v2/kyc', { token })).state;
  for (const token of [asked, unasked]) assert.equal(await state(token), 'MANUAL_REVIEW');
  const { steps } = await clock.move({ advance_seconds: 30 * DAY + 60 });
  const named = steps.map(({ what, id }) => `${what} ${id}`);
  assert.ok(named.includes(`identity_review ${account_id}`), named.join());
  assert.ok(named.includes(`business_form ${entity}`), named.join());
  assert.equal(await state(asked), 'CANCEL');
  assert.equal(await state(unasked), 'MANUAL_REVIEW', 'it waits for operators, however long');
  assert.equal((await scene.read(entity)).status, 'CANCEL');
});

/** Milliseconds within which each is known; six and eleven silences of ten seconds are the last. */
const SILENT = {
  lost_before_effect: 5_000,
  lands_late: 5_000,
  silent_look_ups: 15_000,
  statement_only: 15_000,
};

for (const [scenario, limit] of Object.entries(SILENT)) {
  test(`${scenario}: known within seconds of real time, charged once`, async () => {
    const { invoice_id } = await paid(scenario);
    const started = performance.now();
    const moved = await clock.move({ until_idle: true });
    const ms = performance.now() - started;
    assert.ok(ms < limit, `${ms} ms`);
    assert.equal(moved.idle, true);
    const { state } = await market.read(invoice_id);
    assert.equal(state, 'success');
    const lines = await platform.db.query<{ kind: string }>({
      text: `select s.kind from processor_statement s join attempt a
        on a.id::text = s.key where a.resource_id = $1`,
      values: [invoice_id],
    });
    assert.deepEqual(lines.map(({ kind }) => kind), ['capture']);
  });
}

test('a bank debit settles, and one that is returned later is booked beside it', async () => {
  const settled = await paid('settles_late', 'bank');
  assert.equal(settled.state, 'processing');
  const { steps } = await clock.move({ until_idle: true });
  assert.ok(steps.some(({ what }) => what === 'bank_event'));
  assert.equal((await market.read(settled.invoice_id)).state, 'success');
  const returned = await paid('returned_late', 'bank');
  await clock.move({ until_idle: true });
  assert.equal((await market.read(returned.invoice_id)).state, 'success');
  const [reversal] = await platform.db.query<{ n: bigint }>({
    text: 'select count(*) as n from reversal where resource_id = $1',
    values: [returned.invoice_id],
  });
  assert.equal(reversal?.n, 1n);
});

test('a receiver that fails is tried through all its waits, then given up', async () => {
  const to = await receiver(() => ({ status: 500 }));
  const body = { url: to.url, event_names: ['deposit-completed'] };
  type Made = { endpoint_id: string };
  const { endpoint_id } = await post<Made>('/v1/webhook_endpoints', body);
  const { account_id } = platform.ready.accounts.buyer;
  await post('/sandbox/deposits', { account_id, currency: 'USD', amount: 5 });
  const { steps, idle } = await clock.move({ until_idle: true });
  assert.equal(idle, true);
  const event = to.got[0]?.event.event_id ?? '';
  assert.equal(steps.filter(({ what, id }) => what === 'delivery' && id === event).length, 7);
  type Shown = { deliveries: { endpoint_id: string; state: string; attempts: { at: string }[] }[] };
  const shown = await platform.api.must<Shown>(200, 'invoicing', 'GET', `/v1/events/${event}`);
  const delivery = shown.deliveries.find((one) => one.endpoint_id === endpoint_id);
  assert.equal(delivery?.state, 'dead');
  const at = delivery?.attempts.map((attempt) => attempt.at) ?? [];
  for (const [n, wait] of [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].entries()) {
    const waited = secondsBetween(at[n] ?? '', at[n + 1] ?? '');
    assert.ok(waited >= wait && waited < wait * 1.2 + 3, `${waited} s, not ${wait}`);
  }
  const real = to.got.map(({ headers }) => Number(headers['webhook-timestamp']));
  assert.ok(Math.max(...real) - Math.min(...real) < 60, 'signed in real time');
  await to.close();
  await platform.api.must(204, 'invoicing', 'DELETE', `/v1/webhook_endpoints/${endpoint_id}`);
});

test('next goes to the announced due times, one after another', async () => {
  await escrow();
  await link();
  const announced = (await clock.read()).due;
  assert.ok(announced.length >= 2);
  const visited: string[] = [];
  for (let next = announced[0] ?? null; next !== null;) {
    const moved = await clock.move({ next: true });
    assert.deepEqual(moved.steps[0], next);
    assert.ok(Math.abs(secondsBetween(next.at, moved.now)) < 2);
    visited.push(...moved.steps.map(({ what, id, at }) => `${what} ${id} ${at}`));
    next = moved.next;
  }
  const wanted = announced.map(({ what, id, at }) => `${what} ${id} ${at}`);
  assert.deepEqual(visited.filter((one) => wanted.includes(one)), wanted);
  const done = await clock.move({ next: true });
  assert.deepEqual([done.steps, done.idle, done.next], [[], true, null]);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
