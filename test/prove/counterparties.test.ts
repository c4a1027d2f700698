// Scenarios of bank, vendor and receivers, run by the listed call and ended as listed; payments
// scripted by name, cards and persons have their own batteries. Deliveries go the ordinary way over
// HTTP. [G-39, G-43, G-52, G-63]
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  SCENARIO_KINDS,
  type CounterpartyScenario,
} from '../../src/sandbox/ports/counterparties.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { submission } from '../kit/identity.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { bodyOf, listed, listedOf, perform, until } from '../faults/listed.ts';

const WITHIN_MS = 60_000;
const PRICE = 500;
/** Of which no other test here is told. */
const EVENT = 'account-block-unblock-webhook';

let platform: Platform;
before(async () => {
  platform = await startPlatform({ settings: { HOLDFAST_PROCESSOR_TIMEOUT_MS: '1500' } });
});
after(() => platform?.stop());

test('each kind of scenario is run by one battery', async () => {
  const elsewhere = { scenario: 'scripts.test.ts', card: 'cards.test.ts', person: 'test-persons' };
  const here = ['account', 'event', 'decision', 'exchange', 'behaviour'];
  assert.deepEqual([...Object.keys(elsewhere), ...here].toSorted(), SCENARIO_KINDS.toSorted());
  const all = await listed(platform.api);
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length, 'a name is not unique');
});

/** Kinds of the statement's lines about a resource, in order. */
async function movedFor(resource: string): Promise<string[]> {
  const rows = await platform.db.query<{ kind: string }>({
    text: `select s.kind from processor_statement s where s.key in (
        select id::text from attempt where resource_id = $1
        union all select id::text from transfer where resource_id = $1)
      order by s.line`,
    values: [resource],
  });
  return rows.map(({ kind }) => kind);
}

async function bought(name: string, attach: (account: string) => Promise<string>) {
  const { api } = platform;
  const { account_id } = await api.register(name);
  const parts = [{ payment_method_id: await attach(account_id) }];
  const id = await api.created(api.sale(PRICE, parts, { account_id }));
  assert.equal((await api.pay(id)).status, 200);
  return id;
}

async function paidOut(name: string, account: string): Promise<readonly [string, string]> {
  const { api } = platform;
  const { account_id, method } = await api.register(name);
  await api.setKyc(account_id, { state: 'ACCEPT' });
  await api.fund(account_id, PRICE);
  const body = {
    source_payment_method_id: method,
    destination_payment_method_id: await api.attach(account_id, account),
    amount: PRICE,
    currency: 'USD',
  };
  const path = `/v2/${account_id}/payout`;
  type Made = { payout_status_id: string };
  const { payout_status_id: id } = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
  await api.must(200, 'invoicing', 'PATCH', `${path}/${id}`);
  return [id, `${path}/${id}`];
}

/** Waits for the end that is listed, of an invoice or a payout at a path. */
async function ends({ name, outcome }: CounterpartyScenario, id: string, path: string) {
  type Seen = { state?: string; status?: string; failure_code?: string };
  const seen = await until(`${name}: ${outcome.state}`, WITHIN_MS, async () => {
    const now = await platform.api.must<Seen>(200, 'invoicing', 'GET', path);
    const moved = await movedFor(id);
    const done = (now.state ?? now.status) === outcome.state;
    return done && moved.length >= (outcome.moved?.length ?? 0) ? { ...now, moved } : null;
  });
  assert.deepEqual(seen.moved, outcome.moved, name);
  assert.equal(seen.failure_code || null, outcome.code, name);
}

/** Makes something happen as soon as it can. */
async function soon(scenario: CounterpartyScenario, ids: Record<string, string>): Promise<void> {
  const { how, name } = scenario;
  const body = bodyOf(scenario, ids);
  await until(`${name} can happen`, WITHIN_MS, async () => {
    const { status } = await platform.api.send(how.host, how.method, how.path, { body });
    return status === 201 ? status : null;
  });
}

/** Submits an application; gives its id and a look at its state. */
async function applied(name: string, pii: object = {}) {
  const { api } = platform;
  const { account_id } = await api.register(name);
  type Given = { token: { access_token: string } };
  const asked = { body: { account_id, return_token: true } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', asked);
  const answer = await fetch(`${platform.ready.urls.pii}/v2/kyc`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(submission(pii)),
  });
  const { payload } = (await answer.json()) as { payload: { kyc_id: string } };
  assert.equal(answer.status, 200);
  const look = async (): Promise<string> =>
    (await api.must<{ state: string }>(200, 'pii', 'GET', `/v1/kyc/${account_id}`)).state;
  return { kyc_id: payload.kyc_id, look };
}

/** Waits until the processor's book says that the bank has the payment of an invoice. */
async function pendingAt(invoice: string): Promise<void> {
  type Book = { entries: { key: string; state: string }[] };
  await until('the bank has it', WITHIN_MS, async () => {
    const path = '/sandbox/books/processor';
    const { entries } = await platform.api.must<Book>(200, 'invoicing', 'GET', path);
    const rows = await platform.db.query<{ key: string }>({
      text: 'select id::text as key from attempt where resource_id = $1',
      values: [invoice],
    });
    const mine = entries.find(({ key }) => key === rows[0]?.key);
    return mine?.state === 'pending' ? mine : null;
  });
}

describe('all scenarios at once', { concurrency: true }, () => {
  test('each test account: a payment with it ends as listed', async () => {
    const scenarios = await listedOf(platform.api, 'account');
    const all = scenarios.map(async (scenario) => {
      const id = await bought(scenario.name, async (account_id) => {
        return (await perform<{ id: string }>(platform.api, scenario, { account_id })).id;
      });
      const waits = scenario.outcome.state === 'processing';
      if (waits) await pendingAt(id);
      await ends(scenario, id, `/v2/invoice/${id}`);
      const body = { event: 'settle', id };
      const path = '/sandbox/outside_events';
      if (waits) await platform.api.must(201, 'invoicing', 'POST', path, { body });
    });
    await Promise.all(all);
  });

  test('each outside event: what it happens to ends as listed', async () => {
    const scenarios = await listedOf(platform.api, 'event');
    const all = scenarios.map(async (scenario) => {
      const { name, needs, outcome } = scenario;
      const account = needs ?? '';
      if (outcome.of === 'payout') {
        const [payout_status_id, path] = await paidOut(name, account);
        await soon(scenario, { payout_status_id });
        return ends(scenario, payout_status_id, path);
      }
      const invoice_id = await bought(name, (id) => platform.api.attach(id, account));
      const opening = scenarios.find((one) => one.name === 'event.chargeback');
      if (name.startsWith('event.dispute_') && opening) await soon(opening, { invoice_id });
      await soon(scenario, { invoice_id });
      return ends(scenario, invoice_id, `/v2/invoice/${invoice_id}`);
    });
    await Promise.all(all);
  });

  test('each later decision of the vendor: the application ends as listed', async () => {
    const scenarios = await listedOf(platform.api, 'decision');
    const all = scenarios.map(async (scenario) => {
      const { name, outcome } = scenario;
      const { kyc_id, look } = await applied(name, { last: 'Specimen-Late' });
      await soon(scenario, { kyc_id });
      await until(`${name} is ${outcome.state}`, WITHIN_MS, async () =>
        (await look()) === outcome.state ? true : null,
      );
    });
    await Promise.all(all);
  });

  test('each scripted exchange with the vendor: one check, which ends as listed', async () => {
    const { api } = platform;
    type Waiting = { scripts: { counterparty: string }[] };
    const looks: (() => Promise<unknown>)[] = [];
    for (const scenario of await listedOf(api, 'exchange')) {
      const { name, outcome } = scenario;
      await perform(api, scenario);
      const { look } = await applied(name);
      await until(`${name} is played`, WITHIN_MS, async () => {
        const { scripts } = await api.must<Waiting>(200, 'invoicing', 'GET', '/sandbox/scripts');
        return scripts.every(({ counterparty }) => counterparty !== 'vendor') ? true : null;
      });
      looks.push(() =>
        until(`${name} is ${outcome.state}`, WITHIN_MS, async () =>
          (await look()) === outcome.state ? true : null,
        ),
      );
    }
    await Promise.all(looks.map((look) => look()));
  });

  test('each behaviour of a receiver: a delivery to it ends as listed', deliveries);
});

interface Delivery {
  readonly endpoint_id: string;
  readonly state: string;
  readonly attempts: readonly {
    readonly status: number | null;
    readonly reason: string;
    readonly duration_ms: number;
  }[];
}

async function deliveries(): Promise<void> {
  const { api } = platform;
  type Made = { receiver_id: string; endpoint_id: string };
  const scenarios = await listedOf(api, 'behaviour');
  const made = await Promise.all(
    scenarios.map(async (scenario) => {
      const more = { events: [EVENT] };
      return { scenario, ...(await perform<Made>(api, scenario, {}, more)) };
    }),
  );
  const { account_id } = await api.register('told of');
  const blocked = { account_id, block_capability: 'login', block_reason: 'told' };
  await api.must(200, 'accounts', 'POST', '/v2/block', { body: blocked });
  await Promise.all(
    made.map(async ({ scenario, receiver_id, endpoint_id }) => {
      const { name, outcome } = scenario;
      const what = `${name}: ${outcome.state}`;
      const { event_id, attempts } = await until(what, WITHIN_MS, async () => {
        // What is repeated after minutes is repeated now, but where the receiver asked for time.
        if (name !== 'receiver.busy') await hasten(endpoint_id);
        const found = await deliveryOf(endpoint_id, receiver_id, account_id);
        return found?.state === outcome.state ? found : null;
      });
      assert.equal(attempts.length, outcome.tries, name);
      const longest = Math.max(...attempts.map(({ duration_ms }) => duration_ms));
      assert.ok(longest < 10_000, `${name}: ${longest} ms, though it is hosted here`);
      const refused = attempts.filter(({ status }) => status !== 200);
      for (const { status, reason } of refused) {
        assert.ok([String(status), reason].includes(outcome.code ?? ''), `${name}: ${reason}`);
      }
      assert.equal(refused.length === 0, outcome.code === null, name);
      await checkRequests(scenario, receiver_id, event_id);
    }),
  );
}

async function hasten(endpoint: string): Promise<void> {
  await platform.db.query({
    text: `update delivery set due = now()
      where endpoint_id = $1 and state = 'pending' and lease is null returning 1`,
    values: [endpoint],
  });
}

interface Request {
  readonly event_id: string;
  readonly at: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly verified: Readonly<Record<string, boolean>>;
}

async function requestsTo(receiver: string): Promise<readonly Request[]> {
  type List = { requests: readonly Request[] };
  const path = `/sandbox/receivers/${receiver}/requests`;
  return (await platform.api.must<List>(200, 'invoicing', 'GET', path)).requests;
}

/** The delivery that tells of an account; others may be on their way to the same endpoint. */
async function deliveryOf(endpoint: string, receiver: string, account: string) {
  const came = (await requestsTo(receiver)).find(({ body }) => body.includes(account));
  if (came === undefined) return null;
  const { event_id } = came;
  type Told = { deliveries: readonly Delivery[] };
  const path = `/v1/events/${event_id}`;
  const { deliveries } = await platform.api.must<Told>(200, 'invoicing', 'GET', path);
  const found = deliveries.find(({ endpoint_id }) => endpoint_id === endpoint);
  return found === undefined ? null : { ...found, event_id };
}

async function checkRequests(scenario: CounterpartyScenario, receiver: string, event: string) {
  const { name, outcome } = scenario;
  const got = (await requestsTo(receiver)).filter(({ event_id }) => event_id === event);
  assert.equal(got.length, outcome.tries, name);
  assert.equal(new Set(got.map(({ body }) => body)).size, 1, `${name}: other bytes`);
  for (const { verified, headers } of got) {
    const whole = { signed: true, fresh: true, authentic: true, token: true };
    assert.deepEqual(verified, whole, name);
    assert.equal(headers['webhook-id'], event);
    assert.ok(!('authorization' in headers), 'a token was kept');
  }
  const [first, second] = got.map(({ at }) => Date.parse(at));
  if (name === 'receiver.busy') assert.ok((second ?? 0) - (first ?? 0) >= 7_000, 'too soon');
}

test('in the end processor, ledger and statement agree', async () => {
  await platform.api.must(200, 'invoicing', 'DELETE', '/sandbox/scripts');
  await settled(platform.db, WITHIN_MS);
  await sealed(platform.db);
  await reconciled(platform.db);
});
