// Card payments that the buyer must confirm at the bank: each continues by the buyer's decision or
// ends in time, and nothing is captured without it; other parts stay authorized meanwhile. The
// page's URL is shown only while the payment waits. [G-39, G-41, M9, M13]
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { InvoiceSeen } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { Bank } from '../kit/challenge.ts';
import { moveEscrow, openEscrow, readEscrow } from '../kit/escrow.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';

const FUNDS = 10_000;

let platform: Platform;
let bank: Bank;
before(async () => {
  platform = await startPlatform({ settings: { HOLDFAST_PROCESSOR_TIMEOUT_MS: '1000' } });
  bank = new Bank(platform.api);
});
after(() => platform.stop());

/** A buyer with a wallet, a good card and one that the bank asks about. */
async function buyer(name: string) {
  const { api } = platform;
  const { account_id, method: wallet } = await api.register(name);
  await api.fund(account_id, FUNDS);
  const good = await api.attach(account_id, 'visa');
  const asked = await api.attach(account_id, 'three_d_secure');
  const spendable = async (): Promise<number> => (await api.money(account_id)).spendable;
  return { account_id, wallet, good, asked, spendable };
}

type Buyer = Awaited<ReturnType<typeof buyer>>;

/** Pays with the asked card and maybe another part of 300; gives the invoice and its page. */
async function challenged(who: Buyer, other: string | null = null) {
  const { api } = platform;
  const rest = other === null ? [] : [{ payment_method_id: other, amount: 300 }];
  const parts = [...rest, { payment_method_id: who.asked, amount: other === null ? 900 : 0 }];
  const id = await api.created(api.sale(900, parts, { account_id: who.account_id }));
  assert.equal((await api.pay(id)).status, 200);
  return { id, url: await bank.pageOf(`/v2/invoice/${id}`) };
}

/** What was captured at the processor for a resource and not given back. */
async function taken(resource: string): Promise<bigint> {
  const rows = await platform.db.query<{ net: bigint | null }>({
    text: `select sum(case s.kind when 'capture' then s.amount else -s.amount end)::bigint as net
      from processor_statement s join attempt a on a.id::text = s.key where a.resource_id = $1`,
    values: [resource],
  });
  return rows[0]?.net ?? 0n;
}

async function failed(id: string, code = 'authentication_required'): Promise<void> {
  const seen = await platform.api.finished(id);
  assert.deepEqual([seen.state, seen.failure_code], ['failed', code]);
  assert.equal('authentication_url' in seen, false);
  await bank.until(async () => (await taken(id)) === 0n);
}

async function succeeded(id: string): Promise<void> {
  const seen = await platform.api.finished(id);
  assert.equal(seen.state, 'success');
  assert.equal('authentication_url' in seen, false);
}

/** Sets the clock of the sandbox so many seconds further ahead of the database's. */
async function pass(seconds: number): Promise<void> {
  await platform.db.execute({
    text: 'update workspace set clock_offset = clock_offset + make_interval(secs => $1)',
    values: [seconds],
  });
}

describe('by the buyer', { concurrency: true }, () => {
  test('confirmed: the payment continues, once, and its URL never changed', async () => {
    const who = await buyer('confirms');
    const { id, url } = await challenged(who);
    assert.equal(await bank.pageOf(`/v2/invoice/${id}`), url);
    assert.equal(new URL(url).origin, new URL(platform.ready.urls.processor).origin);
    assert.equal(await taken(id), 0n);
    assert.equal(await bank.decide(url, 'confirm'), 200);
    await succeeded(id);
    assert.equal(await taken(id), 900n);
    assert.equal(await bank.decide(url, 'confirm'), 409);
  });

  test('refused: it fails, and says that the buyer must authenticate', async () => {
    const { id, url } = await challenged(await buyer('refuses'));
    assert.equal(await bank.decide(url, 'refuse'), 200);
    await failed(id);
  });

  test('a wallet part is held meanwhile, and given back when the buyer refuses', async () => {
    const who = await buyer('wallet');
    const first = await challenged(who, who.wallet);
    assert.equal(await who.spendable(), FUNDS - 300);
    await bank.decide(first.url, 'refuse');
    await failed(first.id);
    assert.equal(await who.spendable(), FUNDS);
    const second = await challenged(who, who.wallet);
    await bank.decide(second.url, 'confirm');
    await succeeded(second.id);
    assert.equal(await taken(second.id), 600n);
    assert.equal(await who.spendable(), FUNDS - 300);
  });

  test('another card stays reserved and untaken until the buyer has confirmed', async () => {
    const who = await buyer('pair');
    const { id, url } = await challenged(who, who.good);
    await bank.until(async () => (await statesOf(id)) === 'authorized challenged');
    assert.equal(await taken(id), 0n);
    await bank.decide(url, 'confirm');
    await succeeded(id);
    assert.equal(await taken(id), 900n);
    const other = await challenged(who, who.good);
    await bank.decide(other.url, 'refuse');
    await failed(other.id);
  });

  test('once another card is declined the page has nothing left to confirm', async () => {
    const who = await buyer('declined');
    const bad = await platform.api.attach(who.account_id, 'capture_declined');
    const slow = await platform.api.attach(who.account_id, 'card_declined');
    const { api } = platform;
    const parts = [
      { payment_method_id: who.asked, amount: 500 },
      { payment_method_id: slow, amount: 0 },
    ];
    const id = await api.created(api.sale(900, parts, { account_id: who.account_id }));
    await api.pay(id);
    await failed(id, 'card_declined');
    await bank.until(async () => (await statesOf(id)) === 'declined reversed');
    const late = await challenged(who, bad);
    await bank.decide(late.url, 'confirm');
    await failed(late.id, 'card_declined');
  });

  test('an escrow answers OPEN at once, and is paid when the buyer has confirmed', async () => {
    const { api } = platform;
    const who = await buyer('escrow');
    const ends = [['confirm', 'ESCROWED'], ['refuse', 'ESCROW-FAILED']] as const;
    for (const [decision, status] of ends) {
      const parts = [{ payment_method_id: who.asked }];
      const made = await openEscrow(api, 800, parts, { account_id: who.account_id });
      const begun = performance.now();
      const reply = await moveEscrow(api, made.id, 'pay', `pay-${decision}`);
      assert.ok(performance.now() - begun < 5_000, 'it waits for a person');
      assert.deepEqual([reply.status, (reply.payload as { status: string }).status], [200, 'OPEN']);
      const url = await bank.pageOf(`/v2/invoice/${made.escrow_invoice_id}`);
      assert.equal(await bank.decide(url, decision), 200);
      await bank.until(async () => (await readEscrow(api, made.id)).status === status);
      const again = await moveEscrow(api, made.id, 'pay', `pay-${decision}`);
      assert.equal((again.payload as { status: string }).status, status);
    }
  });

  test('a top-up waits with its address, and counts when the buyer has confirmed', async () => {
    const { api } = platform;
    const { account_id, asked, spendable } = await buyer('tops_up');
    for (const [decision, state] of [['refuse', 'failed'], ['confirm', 'success']] as const) {
      const body = { account_id, payment_method_id: asked, currency: 'USD', amount: 400 };
      type Made = { deposit_id: string; state: string };
      const made = await api.must<Made>(201, 'invoicing', 'POST', '/v1/deposits', { body });
      const path = `/v1/deposits/${made.deposit_id}`;
      await bank.decide(await bank.pageOf(path), decision);
      await bank.until(async () => {
        const seen = await api.must<Made>(200, 'invoicing', 'GET', path);
        return seen.state === state && !('authentication_url' in seen);
      });
    }
    assert.equal(await spendable(), FUNDS + 400);
  });

  test('a lost answer is retrieved, and the buyer is asked once', async () => {
    const who = await buyer('silence');
    await platform.db.execute({
      text: `insert into processor_script (workspace, operation, token, exchange, remaining)
        select workspace, 'authorize', processor_token, 'challenge_in_silence', 1
        from payment_method where id = $1`,
      values: [who.asked],
    });
    const { id, url } = await challenged(who);
    await bank.decide(url, 'confirm');
    await succeeded(id);
    assert.equal(await taken(id), 900n);
  });

  test('after ten minutes the page confirms nothing any more', async () => {
    const { id, url } = await challenged(await buyer('sleeps'));
    const challenge = url.slice(url.lastIndexOf('/') + 1);
    await platform.db.transaction(async (tx) => {
      // What the book would refuse to anybody: to have begun earlier.
      await tx.execute('set local session_replication_role = replica');
      await tx.execute({
        text: `update processor_charge set created = created - interval '10 minutes'
          where challenge = $1`,
        values: [challenge],
      });
    });
    assert.match(await bank.read(url), /no longer needs your confirmation/);
    assert.equal(await bank.decide(url, 'confirm'), 409);
    assert.equal((await platform.api.read(id)).state, 'processing');
  });
});

/** States of a resource's attempts, sorted. */
async function statesOf(resource: string): Promise<string> {
  const rows = await platform.db.query<{ state: string }>({
    text: 'select state from attempt where resource_id = $1 order by state',
    values: [resource],
  });
  return rows.map(({ state }) => state).join(' ');
}

test('after fifteen minutes every part goes back, and nothing can be confirmed', async () => {
  const who = await buyer('late');
  const { id, url } = await challenged(who, who.good);
  const wallet = await challenged(who, who.wallet);
  await pass(800);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal((await platform.api.read(id)).state, 'processing', 'not before its time');
  await pass(101);
  await failed(id);
  await failed(wallet.id);
  await bank.until(async () => (await statesOf(id)) === 'reversed reversed');
  assert.equal(await bank.decide(url, 'confirm'), 409);
  assert.equal(await who.spendable(), FUNDS);
});

test('a confirmation at the last moment counts or not, never both', async () => {
  const who = await buyer('last_moment');
  const all = await Promise.all(Array.from({ length: 10 }, () => challenged(who)));
  await pass(901);
  await Promise.all(
    all.map(async ({ url }, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 150));
      await bank.decide(url, 'confirm');
    }),
  );
  for (const { id } of all) {
    const { state, failure_code } = await platform.api.finished(id);
    if (state === 'success') assert.equal(await taken(id), 900n);
    else assert.deepEqual([failure_code, await taken(id)], ['authentication_required', 0n]);
  }
});

test('the ledgers agree, and no event or stored answer holds a URL', async () => {
  await settled(platform.db, 30_000);
  await sealed(platform.db);
  await reconciled(platform.db);
  const shown = await platform.db.query<{ what: string }>(`
    select 'event' as what from event e where e::text like '%/challenge/%'
    union all select 'answer' from idempotency i where i::text like '%/challenge/%'
    union all select 'step' from history s where s::text like '%/challenge/%'`);
  assert.deepEqual(shown, []);
});

test('a lost webhook only causes delay', async () => {
  const deaf = await startPlatform({ settings: { HOLDFAST_PROCESSOR_NOTICES: 'off' } });
  try {
    const { api } = deaf;
    const { account_id } = await api.register('deaf');
    const parts = [{ payment_method_id: await api.attach(account_id, 'three_d_secure') }];
    const id = await api.created(api.sale(900, parts, { account_id }));
    await api.pay(id);
    const page = new Bank(api);
    assert.equal(await page.decide(await page.pageOf(`/v2/invoice/${id}`), 'confirm'), 200);
    const seen: InvoiceSeen = await api.finished(id);
    assert.equal(seen.state, 'success');
    await settled(deaf.db, 10_000);
    await reconciled(deaf.db);
  } finally {
    await deaf.stop();
  }
});
