// The webhook operations on a real database, called as the pipeline calls them: secrets are shown
// once and never stored in clear, rotation overlaps, replay, the stream, idempotency, tenancy.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Services } from '../../src/product/context.ts';
import { operations } from '../../src/catalogue.ts';
import { ensureEndpoint } from '../../src/product/tell/webhook/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Answer, IdempotencyClaim } from '../../src/core/operation.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { readInput } from '../../src/core/schema.ts';
import { receiver, scene, states, until } from './scene.ts';
import type { Scene } from './scene.ts';

let at: Scene;
before(async () => {
  at = await scene();
});
after(() => at.end());

interface Call {
  readonly workspace?: number;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly idempotency?: IdempotencyClaim;
}

/** Runs an operation by its id; gives its answer, checked against what it declares, or its code. */
async function call(id: string, request: Call = {}): Promise<Answer & { code?: string }> {
  const operation = operations.find((one) => one.id === id);
  assert.ok(operation, id);
  const read = (schema: (typeof operation)['params'], value: unknown): unknown => {
    const result = readInput(schema, value ?? {});
    if (!result.ok) throw new Refusal({ code: result.codes[0] } as never);
    return result.value;
  };
  try {
    const answer = await operation.run(at as unknown as Services, {
      caller: {
        workspace: request.workspace ?? at.workspace,
        integrator: at.integrator,
        clientId: 'c',
        kind: 'client',
        accountId: null,
        scopes: new Set(),
      },
      params: read(operation.params, request.params),
      query: read(operation.query, request.query),
      body: operation.body === null ? undefined : read(operation.body, request.body),
      idempotency: request.idempotency ?? null,
      headers: {},
    });
    const declared = operation.answers[answer.status];
    assert.notEqual(declared, undefined, `${id} ${answer.status}`);
    if (declared) assert.deepEqual(readInput(declared, answer.payload).ok, true, id);
    return answer;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const declared = operation.refusals.map((one) => one.code);
    const general = /^(INVALID_FIELD|MISSING_FIELD|UNKNOWN_FIELD|IDEMPOTENCY_KEY_REUSED)$/;
    const { code } = error.spec;
    assert.ok(declared.includes(code) || general.test(code), `${id} does not declare ${code}`);
    return { status: error.spec.status, code };
  }
}

type Shown = Record<string, never> & {
  endpoint_id: string;
  secret: string;
  public_key: string;
  state: string;
  url: string;
};
const payloadOf = (answer: Answer): Shown => answer.payload as Shown;
const TARGET = 'https://example.com/hook';

async function make(workspace: number, body: object = {}): Promise<Shown> {
  const answer = await call('createWebhookEndpoint', { workspace, body: { url: TARGET, ...body } });
  assert.equal(answer.status, 201);
  return payloadOf(answer);
}

test('the secret is shown by create and by nothing else', async () => {
  const { workspace } = await at.addWorkspace();
  const made = await make(workspace, { event_names: ['kyc-webhook'], description: 'd' });
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const params = { endpoint_id: made.endpoint_id };
  for (const other of [
    await call('getWebhookEndpoint', { workspace, params }),
    await call('listWebhookEndpoints', { workspace }),
    await call('changeWebhookEndpoint', { workspace, params, body: { description: 'e' } }),
  ]) {
    assert.equal(other.status, 200);
    assert.ok(!JSON.stringify(other.payload).includes('whsec_'));
    assert.ok(!JSON.stringify(other.payload).includes('"secret"'));
  }
});

test('an endpoint of another tenant, an unknown and a malformed id are the same 404', async () => {
  const mine = await make(at.workspace);
  const other = await at.addWorkspace();
  for (const id of [
    'getWebhookEndpoint',
    'changeWebhookEndpoint',
    'deleteWebhookEndpoint',
    'rotateWebhookSecret',
    'listWebhookDeliveries',
    'replayWebhookDeliveries',
  ]) {
    for (const endpoint of [mine.endpoint_id, systemRandom.uuid(), 'x', "'"]) {
      const workspace = endpoint === mine.endpoint_id ? other.workspace : at.workspace;
      const body = id === 'replayWebhookDeliveries' ? { failed: true } : {};
      const answer = await call(id, { workspace, params: { endpoint_id: endpoint }, body });
      assert.deepEqual(answer, { status: 404, code: 'WEBHOOK_ENDPOINT_NOT_FOUND' }, id);
    }
  }
});

test('forbidden URLs are refused with a code', async () => {
  const cases = {
    'ftp://example.com/': 'WEBHOOK_URL_SCHEME',
    'https://user@example.com/': 'WEBHOOK_URL_CREDENTIALS',
    'https://example.com/#a': 'WEBHOOK_URL_FRAGMENT',
    'https://example.com:5432/': 'WEBHOOK_URL_PORT',
    'https://10.1.2.3/': 'WEBHOOK_URL_ADDRESS',
    'https:example.com': 'WEBHOOK_URL_MALFORMED',
  };
  for (const [url, code] of Object.entries(cases)) {
    assert.deepEqual(await call('createWebhookEndpoint', { body: { url } }), { status: 400, code });
  }
});

test('rotation: two secrets, a second rotation waits, overlap 0 ends the old at once', async () => {
  const { workspace } = await at.addWorkspace();
  const made = await make(workspace);
  const params = { endpoint_id: made.endpoint_id };
  const second = payloadOf(await call('rotateWebhookSecret', { workspace, params }));
  assert.notEqual(second.secret, made.secret);
  const again = await call('rotateWebhookSecret', { workspace, params });
  assert.equal(again.code, 'WEBHOOK_SECRET_ROTATING');
  const count = async (): Promise<number> =>
    (
      await at.db.query({
        text: 'select 1 from webhook_secret where workspace = $1',
        values: [workspace],
      })
    ).length;
  assert.equal(await count(), 2);
  const third = await call('rotateWebhookSecret', {
    workspace,
    params,
    body: { overlap_seconds: 0 },
  });
  assert.equal(third.status, 200);
  assert.equal(await count(), 1);
});

test('one Idempotency-Key makes one endpoint and shows its secret while it lives', async () => {
  const { workspace } = await at.addWorkspace();
  const claim = { scope: 'a'.repeat(64), fingerprint: 'b'.repeat(64) };
  const request = { workspace, body: { url: TARGET }, idempotency: claim };
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => call('createWebhookEndpoint', request)),
  );
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(answers[0]?.status, 201);
  const { endpoint_id: id } = payloadOf(answers[0] as Answer);
  const listed = await call('listWebhookEndpoints', { workspace });
  const { webhook_endpoints: list } = listed.payload as { webhook_endpoints: unknown[] };
  assert.equal(list.length, 1);
  const reused = { ...request, idempotency: { ...claim, fingerprint: 'c'.repeat(64) } };
  assert.equal((await call('createWebhookEndpoint', reused)).status, 422);
  await call('deleteWebhookEndpoint', { workspace, params: { endpoint_id: id } });
  assert.equal(payloadOf(await call('createWebhookEndpoint', request)).secret, '');
});

test('no table holds secrets, tokens or keys in clear', async () => {
  const { workspace } = await at.addWorkspace();
  const to = await receiver((one) => ({
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(one.headers),
  }));
  const claim = { scope: 'd'.repeat(64), fingerprint: 'b'.repeat(64) };
  const answer = await call('createWebhookEndpoint', {
    workspace,
    body: { url: to.url },
    idempotency: claim,
  });
  const { secret } = payloadOf(answer);
  await at.seal(workspace, [systemRandom.uuid()]);
  const loop = at.loop({ scheduleSeconds: [] });
  await until(5000, async () => (await states(at.db, workspace))['dead'] === 1);
  await loop.stop();
  const sent = to.got[0]?.headers ?? {};
  const bytes = Buffer.from(secret.slice(6), 'base64');
  const hidden = [
    secret.slice(6, 30),
    bytes.toString('hex'),
    String(sent.authorization).slice(7, 40),
    String(sent['webhook-signature']).slice(3, 30),
  ];
  const tables = await at.db.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  let rows = 0;
  for (const { name } of tables) {
    const texts = `select t::text as text from ${name} t`;
    for (const row of await at.db.query<{ text: string }>(texts)) {
      rows += 1;
      for (const word of hidden) assert.ok(!row.text.includes(word), `${name} holds ${word}`);
    }
  }
  assert.ok(rows > 5);
  await to.close();
});

test('the stream gives the same events in order, page by page, to its tenant only', async () => {
  const { workspace } = await at.addWorkspace();
  const ids = await at.seal(
    workspace,
    Array.from({ length: 5 }, () => systemRandom.uuid()),
  );
  type Page = { events: { event_id: string; sequence: number }[]; next_after: number };
  const seen: string[] = [];
  let after = 0;
  for (let page = 0; page < 4; page += 1) {
    const query = { after: String(after), limit: '2' };
    const { events, next_after: next } = (await call('listEvents', { workspace, query }))
      .payload as Page;
    seen.push(...events.map((event) => event.event_id));
    after = next;
  }
  assert.deepEqual(seen, ids);
  assert.equal(after, 5);
  const other = await at.addWorkspace();
  assert.deepEqual((await call('listEvents', { workspace: other.workspace })).payload, {
    epoch: 'first',
    events: [],
    next_after: 0,
  });
  const params = { event_id: ids[0] as string };
  assert.equal((await call('getEvent', { workspace, params })).status, 200);
  assert.equal(
    (await call('getEvent', { workspace: other.workspace, params })).code,
    'EVENT_NOT_FOUND',
  );
  for (const query of [{ after: '-1' }, { after: '1e2' }, { limit: '0' }, { limit: '1001' }]) {
    assert.equal((await call('listEvents', { workspace, query })).code, 'INVALID_FIELD');
  }
});

test('dead letters are listed with attempts and replayed; so is a range', async () => {
  const { workspace } = await at.addWorkspace();
  let good = false;
  const to = await receiver(() => ({ status: good ? 200 : 500 }));
  const ids = await at.seal(workspace, [systemRandom.uuid()]);
  const made = await make(workspace, { url: to.url });
  const params = { endpoint_id: made.endpoint_id };
  ids.push(...(await at.seal(workspace, [systemRandom.uuid(), systemRandom.uuid()])));
  const loop = at.loop({ scheduleSeconds: [] });
  await until(5000, async () => (await states(at.db, workspace))['dead'] === 2);
  type Page = { deliveries: { sequence: number; attempts: number }[]; next_before: number | null };
  const query = { state: 'dead', limit: '1' };
  const first = (await call('listWebhookDeliveries', { workspace, params, query })).payload as Page;
  assert.deepEqual(
    first.deliveries.map((one) => [one.sequence, one.attempts]),
    [[3, 1]],
  );
  assert.equal(first.next_before, 3);
  good = true;
  const replayed = await call('replayWebhookDeliveries', {
    workspace,
    params,
    body: { failed: true },
  });
  assert.deepEqual(replayed.payload, { queued: 2 });
  await until(5000, async () => (await states(at.db, workspace))['delivered'] === 2);
  // The first event is older than the endpoint: a range queues it now.
  const range = await call('replayWebhookDeliveries', {
    workspace,
    params,
    body: {
      from: 1,
      to: 2,
    },
  });
  assert.deepEqual(range.payload, { queued: 2 });
  await until(5000, async () => (await states(at.db, workspace))['delivered'] === 3);
  const shown = await call('getEvent', { workspace, params: { event_id: ids[1] as string } });
  const { deliveries } = shown.payload as {
    deliveries: { state: string; attempts: { status: number; number: number }[] }[];
  };
  assert.deepEqual(
    deliveries.map((one) => [one.state, ...one.attempts.map((attempt) => attempt.status)]),
    [['delivered', 500, 200, 200]],
  );
  for (const body of [{}, { from: 2, to: 1 }, { from: 1 }, { sequence: 1, failed: true }]) {
    const answer = await call('replayWebhookDeliveries', { workspace, params, body });
    assert.equal(answer.code, 'REPLAY_AMBIGUOUS');
  }
  const wide = { from: 1, to: 10_001 };
  const tooWide = await call('replayWebhookDeliveries', { workspace, params, body: wide });
  assert.equal(tooWide.code, 'REPLAY_RANGE_TOO_LARGE');
  await loop.stop();
  await to.close();
});

test('disabling ends pending deliveries and queues no more; deleting hides it', async () => {
  const { workspace } = await at.addWorkspace();
  const made = await make(workspace);
  const params = { endpoint_id: made.endpoint_id };
  await at.seal(workspace, [systemRandom.uuid()]);
  await call('changeWebhookEndpoint', { workspace, params, body: { state: 'disabled' } });
  await at.seal(workspace, [systemRandom.uuid()]);
  assert.deepEqual(await states(at.db, workspace), { dead: 1 });
  const refused = await call('replayWebhookDeliveries', {
    workspace,
    params,
    body: { failed: true },
  });
  assert.equal(refused.code, 'WEBHOOK_ENDPOINT_DISABLED');
  assert.equal((await call('deleteWebhookEndpoint', { workspace, params })).status, 204);
  assert.equal((await call('getWebhookEndpoint', { workspace, params })).status, 404);
});

test('forwarding keeps one endpoint and takes over address and secret at each start', async () => {
  const { workspace } = await at.addWorkspace();
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const first = await ensureEndpoint(at, { workspace, url: 'http://127.0.0.1:9/a', secret });
  const second = await ensureEndpoint(at, { workspace, url: 'http://127.0.0.1:9/b', secret });
  assert.deepEqual(first, second);
  const params = first;
  await call('deleteWebhookEndpoint', { workspace, params });
  await ensureEndpoint(at, { workspace, url: 'http://127.0.0.1:9/c', secret });
  const shown = payloadOf(await call('getWebhookEndpoint', { workspace, params }));
  assert.equal(shown.url, 'http://127.0.0.1:9/c');
  await assert.rejects(ensureEndpoint(at, { workspace, url: 'http://10.0.0.1/', secret }));
  await assert.rejects(ensureEndpoint(at, { workspace, url: TARGET, secret: 'whsec_' }));
});
