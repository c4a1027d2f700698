// Every test card of the processor simulator through the whole system: each payment ends as the
// card says, nothing is captured twice, and nothing stays captured for a failed payment. [G-39,
// G-41, M9, M13]
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TEST_CARDS, type TestCard } from '../../src/sandbox/simulators/processor/test-cards.ts';
import type { CounterpartyScenario } from '../../src/sandbox/ports/counterparties.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { Bank } from '../kit/challenge.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { listedOf, perform } from '../faults/listed.ts';

const END_WITHIN_MS = 30_000;

let platform: Platform;
let bank: Bank;
/** As they are listed, by the name of the card. */
let scenarios: ReadonlyMap<string, CounterpartyScenario> = new Map();
before(async () => {
  platform = await startPlatform({ settings: { HOLDFAST_PROCESSOR_TIMEOUT_MS: '1000' } });
  bank = new Bank(platform.api);
  const found = await listedOf(platform.api, 'card');
  assert.deepEqual(found.map(({ needs }) => needs), TEST_CARDS.map(({ name }) => name));
  scenarios = new Map(found.map((one) => [one.needs ?? '', one]));
  for (const card of TEST_CARDS) {
    await Promise.all([
      comes(`alone_${card.name}`).then((buyer) => entersAsListed(buyer, card)),
      comes(`beside_${card.name}`, card.name),
      comes(`pair_${card.name}`, 'mastercard', card.name),
      comes(`top_${card.name}`, card.name),
    ]);
  }
});
after(() => platform.stop());

function listedAs({ name }: TestCard): CounterpartyScenario {
  return scenarios.get(name) ?? assert.fail(`${name} is not listed`);
}

/** How a payment with the card must end, as it is listed: null is success. */
function failureOf(card: TestCard): string | null {
  const { state, code, moved } = listedAs(card).outcome;
  assert.deepEqual([state, moved], code === null ? ['success', ['capture']] : ['failed', []]);
  return code;
}

/** Confirms at the bank where the card has its buyer asked; `path`: of what is paid for. */
async function confirm({ behaviour }: TestCard, path: string): Promise<void> {
  if (behaviour.authorize?.startsWith('challenge') !== true) return;
  assert.equal(await bank.decide(await bank.pageOf(path), 'confirm'), 200);
}

/** Captures and refunds at the processor for an invoice, minor units each. */
async function movedAt(invoice: string): Promise<{ captured: bigint[]; refunded: bigint[] }> {
  const lines = await platform.db.query<{ kind: string; amount: bigint }>({
    text: `select s.kind, s.amount from processor_statement s
      join attempt a on a.id::text = s.key where a.resource_id = $1 order by s.line`,
    values: [invoice],
  });
  const of = (kind: string): bigint[] =>
    lines.filter((line) => line.kind === kind).map((line) => line.amount);
  return { captured: of('capture'), refunded: of('refund') };
}

/** Waits until nothing about a resource is being asked any more. */
async function ended(resource: string): Promise<void> {
  const deadline = Date.now() + END_WITHIN_MS;
  for (;;) {
    const open = await platform.db.query({
      text: `select from attempt where resource_id = $1
        and state in ('authorizing', 'challenged', 'authorized', 'capturing', 'reversing')`,
      values: [resource],
    });
    if (open.length === 0) return;
    assert.ok(Date.now() < deadline, `${resource} is under way`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Minor units that successful payments brought the seller. */
let sold = 0;

interface Buyer {
  readonly account_id: string;
  /** The wallet, and the cards in the order in which they were entered. */
  readonly method: string;
  readonly cards: string[];
}

/** Made before the storm: a card whose entry the processor answers too late is not entered. */
const buyers = new Map<string, Buyer>();

async function comes(name: string, ...testCards: readonly string[]): Promise<Buyer> {
  const { api } = platform;
  const { account_id, method } = await api.register(name);
  await api.fund(account_id, 10_000);
  const cards: string[] = [];
  for (const card of testCards) cards.push(await api.attach(account_id, card));
  const buyer = { account_id, method, cards };
  buyers.set(name, buyer);
  return buyer;
}

async function entersAsListed({ account_id, cards }: Buyer, card: TestCard): Promise<void> {
  type Made = { id: string };
  cards.push((await perform<Made>(platform.api, listedAs(card), { account_id })).id);
}

const buyer = (name: string): Buyer => buyers.get(name) ?? assert.fail(name);

describe('all payments at once', { concurrency: true }, () => {
  test('each card alone: success with one capture, or its own failure code with none', async () => {
    const { api } = platform;
    const ends = TEST_CARDS.map(async (card) => {
      const { account_id, cards } = buyer(`alone_${card.name}`);
      const parts = cards.map((payment_method_id) => ({ payment_method_id }));
      const id = await api.created(api.sale(700, parts, { account_id }));
      assert.equal((await api.pay(id)).status, 200);
      await confirm(card, `/v2/invoice/${id}`);
      const seen = await api.finished(id, END_WITHIN_MS);
      const failure = failureOf(card);
      assert.equal(seen.state, failure === null ? 'success' : 'failed', card.name);
      assert.equal(seen.failure_code ?? null, failure, card.name);
      const moved = await movedAt(id);
      assert.deepEqual(moved.captured, failure === null ? [700n] : [], card.name);
      assert.deepEqual(moved.refunded, [], card.name);
      if (failure === null) sold += 700;
    });
    await Promise.all(ends);
  });

  test('each card beside a wallet part: all is taken, or the wallet has it back', async () => {
    const { api } = platform;
    const ends = TEST_CARDS.map(async (card) => {
      const { account_id, method, cards: [second = ''] } = buyer(`beside_${card.name}`);
      const parts = [
        { payment_method_id: method, amount: 250 },
        { payment_method_id: second, amount: 0 },
      ];
      const id = await api.created(api.sale(900, parts, { account_id }));
      await api.pay(id);
      await confirm(card, `/v2/invoice/${id}`);
      const seen = await api.finished(id, END_WITHIN_MS);
      const failure = failureOf(card);
      assert.equal(seen.failure_code ?? null, failure, card.name);
      const { spendable } = await api.money(account_id);
      assert.equal(spendable, failure === null ? 9_750 : 10_000, card.name);
      assert.deepEqual((await movedAt(id)).captured, failure === null ? [650n] : [], card.name);
      if (failure === null) sold += 900;
    });
    await Promise.all(ends);
  });

  test('two cards, one failing: both are captured once, or nothing stays captured', async () => {
    const { api } = platform;
    const ends = TEST_CARDS.map(async (card) => {
      const { account_id, method, cards: [good = '', other = ''] } = buyer(`pair_${card.name}`);
      const parts = [
        { payment_method_id: good, amount: 300 },
        { payment_method_id: method, amount: 100 },
        { payment_method_id: other, amount: 0 },
      ];
      const id = await api.created(api.sale(1_000, parts, { account_id }));
      await api.pay(id);
      await confirm(card, `/v2/invoice/${id}`);
      const seen = await api.finished(id, END_WITHIN_MS);
      const failure = failureOf(card);
      assert.equal(seen.failure_code ?? null, failure, card.name);
      await ended(id);
      const { captured, refunded } = await movedAt(id);
      const sum = (list: bigint[]): bigint => list.reduce((total, one) => total + one, 0n);
      if (failure === null) {
        assert.deepEqual(captured.toSorted(), [300n, 600n], card.name);
        assert.deepEqual(refunded, [], card.name);
      } else {
        assert.equal(sum(captured), sum(refunded), card.name);
      }
      assert.equal((await api.money(account_id)).spendable, failure === null ? 9_900 : 10_000);
      if (failure === null) sold += 1_000;
    });
    await Promise.all(ends);
  });

  test('an account topped up by each card has the money once, or not at all', async () => {
    const { api } = platform;
    const ends = TEST_CARDS.map(async (card) => {
      const { account_id, cards: [payment_method_id = ''] } = buyer(`top_${card.name}`);
      const body = { account_id, payment_method_id, currency: 'USD', amount: 400 };
      type Made = { deposit_id: string };
      const path = '/v1/deposits';
      const made = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
      await confirm(card, `/v1/deposits/${made.deposit_id}`);
      await ended(made.deposit_id);
      const { spendable } = await api.money(account_id);
      assert.equal(spendable, failureOf(card) === null ? 10_400 : 10_000, card.name);
    });
    await Promise.all(ends);
  });
});

test('in the end the seller has what was sold, as the processor says', async () => {
  await settled(platform.db, END_WITHIN_MS);
  const { seller } = platform.api.ready.accounts;
  assert.equal((await platform.api.money(seller.account_id)).spendable, sold);
  await sealed(platform.db);
  await reconciled(platform.db);
});
