// Webhooks of the processor over HTTP: only a signed and fresh one is accepted, and its sender
// learns nothing more; open items and decisions about them are the tenant's own. [EV6, G-39]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { processorKey } from '../../src/sandbox/simulators/processor/index.ts';
import { SIGNING } from '../../src/sandbox/simulators/processor/notices.ts';
import { signedHeaders } from '../../src/sandbox/simulators/store/signing.ts';
import { startPlatform, type Platform } from './kit.ts';

let platform: Platform;
let workspace = 0;
let secret = '';
before(async () => {
  platform = await startPlatform();
  const rows = await platform.db.query<{ workspace: number
  }>('select min(workspace) as workspace from workspace');
  workspace = rows[0]?.workspace ?? 0;
  secret = processorKey(platform.keys, workspace);
});
after(() => platform?.stop());

const PATH = '/v1/processor_notices';
const now = (): number => Math.floor(Date.now() / 1_000);

interface Sent {
  readonly id?: string;
  readonly key?: string;
  readonly about?: 'charge' | 'remittance' | 'statement';
  readonly seconds?: number;
  readonly workspace?: number;
  readonly secret?: string;
  /** What is really sent instead of what was signed. */
  readonly instead?: object;
}

async function notice(sent: Sent) {
  const { id: notice_id = 'n1', key = 'nobody', about = 'charge', seconds = now() } = sent;
  const of = sent.workspace ?? workspace;
  const body = { notice_id, key, about, at: '2026-01-01T00:00:00Z' };
  return platform.api.send('payments', 'POST', PATH, {
    token: null,
    body: { ...body, ...sent.instead },
    headers: signedHeaders(SIGNING, sent.secret ?? secret, seconds, of, body),
  });
}

const seen = async (): Promise<bigint> =>
  (await platform.db.query<{ n: bigint }>(
    `select count(*) as n from processor_notice_seen where notice_id not like 'ntc_%'`,
  ))[0]?.n ?? 0n;

test('an unsigned, stale or altered webhook is 401 and changes nothing', async () => {
  const before = await seen();
  const bare = await platform.api.send('payments', 'POST', PATH, { token: null, body: {} });
  assert.deepEqual([bare.status, bare.code], [401, 'NOTICE_NOT_PROVEN']);
  for (const sent of [
    { secret: 'another' },
    { secret: processorKey(platform.keys, workspace + 1) },
    { workspace: workspace + 1 },
    { workspace: 0 },
    { seconds: now() - 3_600 },
    { seconds: now() + 3_600 },
    { instead: { key: 'another' } },
    { instead: { notice_id: 'n2' } },
    { instead: { about: 'statement' } },
    { instead: { about: 'anything' } },
    { instead: { notice_id: null } },
  ] as const) {
    const reply = await notice(sent);
    const what = JSON.stringify(sent);
    assert.deepEqual([reply.status, reply.code], [401, 'NOTICE_NOT_PROVEN'], what);
    assert.equal(reply.text, bare.text, 'why is not told');
  }
  for (const body of [[], 'text', 5, null]) {
    const reply = await platform.api.send('payments', 'POST', PATH, { token: null, body });
    assert.ok([400, 401].includes(reply.status), reply.text);
  }
  const raw = JSON.stringify({ x: 'y'.repeat(65_536) });
  const large = await platform.api.send('payments', 'POST', PATH, { token: null, raw });
  assert.deepEqual([large.status, large.code], [413, 'BODY_TOO_LARGE']);
  assert.equal(await seen(), before);
});

test('a valid webhook is 200, with a known key or not, the first time or again', async () => {
  const { account_id, card_payment_method_id: payment_method_id } =
    platform.ready.accounts.buyer;
  const body = { account_id, payment_method_id, currency: 'USD', amount: 9 };
  type Made = { deposit_id: string };
  const path = '/v1/deposits';
  const { deposit_id } = await platform.api.must<Made>(201, 'invoicing', 'POST', path, { body });
  const rows = await platform.db.query<{ id: string }>({
    text: 'select id from attempt where resource_id = $1',
    values: [deposit_id],
  });
  const key = rows[0]?.id ?? '';
  const replies = [
    await notice({ id: 'a', key }),
    await notice({ id: 'a', key }),
    await notice({ id: 'b', key, about: 'statement' }),
    await notice({ id: 'c', key, about: 'remittance' }),
    await notice({ id: 'd' }),
    await notice({ id: 'e', key: crypto.randomUUID() }),
  ];
  for (const reply of replies) assert.deepEqual([reply.status, reply.body.payload], [200, {}]);
  assert.equal(await seen(), 5n);
});

test('a tenant without discrepancies has no open items; an unknown item is 404', async () => {
  const { token } = await platform.tenant();
  const path = '/v1/reconciliation';
  type Open = { counts: Record<string, number>; items: unknown[] };
  const open = await platform.api.must<Open>(200, 'payments', 'GET', path, { token });
  assert.deepEqual(open.items, []);
  assert.ok(Object.values(open.counts).every((count) => count === 0));
  const body = { decision: 'accept' };
  for (const id of ['x', crypto.randomUUID(), '01a1f929-b882-73ea-83ca-da439c3126d']) {
    const reply = await platform.api.send('payments', 'POST', `${path}/${id}/resolve`, { body });
    assert.deepEqual([reply.status, reply.code], [404, 'RECONCILIATION_ITEM_NOT_FOUND'], id);
  }
});
