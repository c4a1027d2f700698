// An escrow as its parties see it, and what their sessions may do: a buyer releases where the link
// says so, a seller says what was delivered. [G-12, G-94, G-95]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agree } from '../api/fixtures.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine, saleLine, type Body } from '../api/market.ts';

const DAY_MS = 86_400_000;

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

interface Seen {
  readonly role: string;
  readonly status: string;
  readonly description: string;
  readonly total: number;
  readonly held: number;
  readonly released: number;
  readonly returned: number;
  readonly kept: number;
  readonly line_items: readonly { line_item_id: string; amount: number; held: number }[];
  readonly milestones: readonly Body[];
  readonly movements: readonly { kind: string; amount: number }[];
  readonly next?: { kind: string; amount: number; milestone?: string };
  readonly delivered?: string;
}

const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().replace('Z', '000Z');

/** Two sellers, of whom the second is not in the first milestone, and the shop itself. */
async function held(): Promise<string> {
  const { seller, seller2 } = platform.ready.accounts;
  const recipients = [{ amount: 100, destination_account_id: seller2.account_id }];
  const line_items = [
    saleLine(seller.wallet_id, 300),
    { ...saleLine(seller.wallet_id, 100), recipients },
    ownLine(50),
  ];
  const milestones = [
    { name: 'Draft', line_items: [{ line_item: 0, amount: 100 }], release_at: inDays(10) },
    { name: 'Final', line_items: [{ line_item: 0, amount: 200 }, { line_item: 1, amount: 100 }] },
  ];
  const plan = { milestones, return_at: inDays(30) };
  const body = market.sale(0, { line_items, description: 'A table', ...plan });
  const { api } = platform;
  const made = await api.must<{ id: string }>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${made.id}/pay`);
  return made.id;
}

const see = (id: string, account: string): Promise<Seen> =>
  platform.api.must(200, 'invoicing', 'GET', `/v2/escrow/${id}/party?account_id=${account}`);

async function session(account: string, ...scopes: string[]): Promise<string> {
  return (await agree(platform.api, account, { scopes: ['read_invoices', ...scopes] })).session;
}

const send = (token: string, id: string, name: string, body: Body) =>
  platform.api.send('invoicing', 'POST', `/v2/escrow/${id}/${name}`, { body, token });

async function refused(status: number, code: string, ...call: Parameters<typeof send>) {
  const before = await platform.rows();
  const reply = await send(...call);
  assert.deepEqual([reply.status, reply.body?.codes], [status, [code]], reply.text);
  assert.deepEqual(await platform.rows(), before);
}

test('each party sees its own money, and nothing of others', async () => {
  const { buyer, seller, seller2 } = platform.ready.accounts;
  const id = await held();
  const all = await see(id, buyer.account_id);
  const { role, description, total } = all;
  assert.deepEqual([role, description, total, all.held], ['buyer', 'A table', 450, 450]);
  assert.deepEqual(all.line_items.map(({ held: one }) => one), [300, 100, 50]);
  assert.deepEqual(all.next?.milestone, 'Draft');
  const mine = await see(id, seller.account_id);
  assert.deepEqual([mine.role, mine.description, mine.total], ['seller', '', 300]);
  assert.deepEqual(mine.milestones.map(({ amount }) => amount), [100, 200]);
  assert.equal(mine.line_items.length, 1);
  const other = await see(id, seller2.account_id);
  assert.deepEqual(other.milestones.map(({ name, amount }) => [name, amount]), [['Final', 100]]);
  assert.deepEqual([other.next?.kind, other.next?.amount], ['return', 100], 'not the other one\'s');
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/release`, {
    body: { milestone: 'Draft' },
  });
  const part = { line_items: [{ line_item_id: all.line_items[2]?.line_item_id }] };
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/return`, { body: part });
  const [after, hers] = [await see(id, buyer.account_id), await see(id, seller2.account_id)];
  assert.deepEqual([after.released, after.returned, after.held], [100, 50, 300]);
  assert.deepEqual(after.movements.map(({ kind }) => kind), ['release', 'return']);
  assert.deepEqual([hers.movements, hers.held], [[], 100]);
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/cancel`);
  const ended = await see(id, seller.account_id);
  assert.deepEqual([ended.status, ended.released, ended.returned, ended.held],
    ['CANCELLED', 100, 200, 0]);
  assert.equal(ended.next, undefined);
});

test('what the shop keeps was paid to nobody: a seller is not told it was', async () => {
  const { buyer, seller } = platform.ready.accounts;
  const id = await held();
  const at = `/v2/escrow/${id}`;
  const post = (path: string, status: number, body: Body) =>
    platform.api.must(status, 'invoicing', 'POST', `${at}${path}`, { body });
  const dates = async (): Promise<readonly unknown[]> =>
    (await see(id, buyer.account_id)).milestones.map((one) => 'release_at' in one);
  assert.deepEqual(await dates(), [true, false]);
  await post('/schedule', 200, { release_at: inDays(5), return_at: null });
  assert.deepEqual(await dates(), [false, false], 'all is paid before the tenth day');
  await post('/release', 200, { milestone: 'Draft' });
  await post('/dispute', 201, { opened_by: 'tenant', reason: 'late' });
  const { line_items: [first, second, own] } = await see(id, buyer.account_id);
  const line_items = [[first, 60, 100, 40], [second, 100, 0, 0], [own, 0, 50, 0]] as const;
  await post('/resolve', 200, {
    line_items: line_items.map(([line, to_sellers, to_buyer, to_integrator]) => ({
      ...{ line_item_id: line?.line_item_id, to_sellers, to_buyer, to_integrator },
    })),
  });
  const sums = async (account: string): Promise<readonly number[]> => {
    const { total, released, returned, kept, held: rest, milestones } = await see(id, account);
    assert.deepEqual(milestones.map(({ status }) => status), ['released'], 'nothing is pending');
    return [total, released, returned, kept, rest];
  };
  assert.deepEqual(await sums(seller.account_id), [300, 160, 100, 40, 0]);
  assert.deepEqual(await sums(buyer.account_id), [450, 260, 150, 40, 0]);
  type Told = { now: string; timeline: readonly { facts?: Record<string, unknown> }[] };
  const explained = `/sandbox/explain/${id}`;
  const { now, timeline } = await platform.api.must<Told>(200, 'invoicing', 'GET', explained);
  assert.match(now, /USD 2\.60 released to the sellers, .*, USD 0\.40 kept by the integrator\)/);
  const facts = timeline.flatMap((one) => Object.entries(one.facts ?? {}));
  assert.ok(facts.some(([name, value]) => name === 'kept' && value === 'USD 0.40'));
  assert.ok(facts.some(([name, value]) => name === 'to_sellers' && value === 'USD 1.60'));
});

test('an escrow without a plan is returned at its limit; foreign ones are unknown', async () => {
  const { buyer, seller2 } = platform.ready.accounts;
  const made = await platform.api.must<{ id: string }>(201, 'invoicing', 'POST', '/v2/escrow', {
    body: market.sale(100),
  });
  assert.equal((await see(made.id, buyer.account_id)).held, 0);
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${made.id}/pay`);
  const seen = await see(made.id, buyer.account_id);
  assert.deepEqual([seen.held, seen.next?.kind, seen.next?.amount], [100, 'return', 100]);
  const path = `/v2/escrow/${made.id}/party?account_id=${seller2.account_id}`;
  const reply = await platform.api.send('invoicing', 'GET', path);
  assert.deepEqual([reply.status, reply.body?.codes], [404, ['ESCROW_NOT_FOUND']]);
});

test('a buyer releases only where the link says so, and only what they bought', async () => {
  const { buyer, seller } = platform.ready.accounts;
  const id = await held();
  const plain = await session(buyer.account_id);
  await refused(403, 'INSUFFICIENT_SCOPE', plain, id, 'release', { milestone: 'Draft' });
  const stranger = await session(seller.account_id, 'release_escrow');
  await refused(404, 'ESCROW_NOT_FOUND', stranger, id, 'release', { milestone: 'Draft' });
  const token = await session(buyer.account_id, 'release_escrow');
  const reply = await send(token, id, 'release', { milestone: 'Draft' });
  assert.equal(reply.status, 200, reply.text);
  for (const name of ['commit', 'cancel', 'schedule', 'return']) {
    assert.equal((await send(token, id, name, {})).status, 403, name);
  }
  assert.equal((await see(id, buyer.account_id)).released, 100);
});

test('a seller says what was delivered: an event, a record, and no money', async () => {
  const { buyer, seller, seller2 } = platform.ready.accounts;
  const id = await held();
  const token = await session(seller.account_id, 'deliver_escrow');
  const reply = await send(token, id, 'delivered', { milestone: 'Draft' });
  assert.equal(reply.status, 200, reply.text);
  const [event] = await market.events(0, 1, ({ event_name: name, message }) => {
    return name === 'escrow-delivered' && message['id'] === id;
  });
  const [said] = (event?.message['deliveries'] ?? []) as Body[];
  assert.deepEqual([said?.['milestone'], said?.['account_id']], ['Draft', seller.account_id]);
  await refused(400, 'ESCROW_DELIVERED', token, id, 'delivered', { milestone: 'Draft' });
  await refused(400, 'ESCROW_MILESTONE_NOT_FOUND', token, id, 'delivered', { milestone: 'No' });
  const other = await session(seller2.account_id, 'deliver_escrow');
  await refused(400, 'ESCROW_MILESTONE_NOT_FOUND', other, id, 'delivered', { milestone: 'Draft' });
  const own = await session(buyer.account_id, 'deliver_escrow');
  await refused(404, 'ESCROW_NOT_FOUND', own, id, 'delivered', {});
  const seen = await see(id, buyer.account_id);
  assert.deepEqual([seen.held, 'delivered' in (seen.milestones[0] ?? {})], [450, true]);
  assert.equal((await send(other, id, 'delivered', {})).status, 200);
  assert.equal(typeof (await see(id, buyer.account_id)).delivered, 'string');
});
