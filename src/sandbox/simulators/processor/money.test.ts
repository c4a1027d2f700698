// Money at the processor simulator beyond a charge: refunds, payouts, outside events, the
// processor's own errors, and the scenarios that script them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { brokenConstraint } from '../../../db/index.ts';
import type { ChargeOrder, TransferOrder } from '../../../providers/processor/port.ts';
import { OUTSIDE_EVENTS } from '../../ports/cards.ts';
import type { HttpProcessor } from '../clients/processor.ts';
import { httpProcessor } from '../clients/processor.ts';
import { ATTACHABLES, EXCHANGE_NAMES, processorKey, SCENARIOS, TEST_ACCOUNTS } from './index.ts';
import { takeDue } from '../store/notices.ts';
import { happen } from './outside.ts';
import type { TestBook, TestHost } from '../../../../test/kit/processor-host.ts';
import { openBook, openHost, testKeys } from '../../../../test/kit/processor-host.ts';

let book: TestBook;
let host: TestHost;
let processor: HttpProcessor;
let lastWorkspace = 500;
const keyOf = (workspace: number): string => processorKey(testKeys, workspace);

before(async () => {
  book = await openBook();
  host = await openHost(book, async () => {});
  processor = httpProcessor({ url: host.url, keyOf });
});
after(async () => {
  await processor.close();
  await host.close();
  await book.drop();
});

async function orderWith(name: string): Promise<ChargeOrder> {
  const workspace = (lastWorkspace += 1);
  const { token } = await processor.attachTestCard(workspace, name);
  return { workspace, key: randomUUID(), token, amount: 1_000n, currency: 'USD' };
}

async function captured(name = 'visa'): Promise<ChargeOrder> {
  const order = await orderWith(name);
  await processor.authorize(order);
  await processor.capture(order);
  return order;
}

function refundOf(
  { workspace, key: target, currency }: ChargeOrder,
  amount: bigint,
): TransferOrder {
  return { workspace, key: randomUUID(), kind: 'refund', target, amount, currency };
}

function payoutTo({ workspace, token: target, currency }: ChargeOrder): TransferOrder {
  return { workspace, key: randomUUID(), kind: 'payout', target, amount: 700n, currency };
}

/** `capture 1000`, `capture/2 1000`, in the order of the statement. */
async function linesOf(workspace: number): Promise<string[]> {
  const page = await processor.statement(workspace, null);
  return (page?.lines ?? []).map(
    ({ kind, part, amount }) => `${kind}${part > 1 ? `/${part}` : ''} ${amount}`,
  );
}

/** Makes every delayed event due. */
async function laterComes(): Promise<void> {
  await host.db.execute('update processor_due set due = clock_timestamp()');
  while ((await takeDue(host.db, 'processor', happen)) > 0);
}

async function stateOf(order: TransferOrder): Promise<string> {
  const outcome = await processor.remit(order);
  assert.deepEqual(await processor.retrieveTransfer(order), outcome);
  return outcome.state === 'declined' ? outcome.code : outcome.state;
}

test('a reversal gives back only what refunds have left', async () => {
  const charge = await captured();
  assert.equal(await stateOf(refundOf(charge, 300n)), 'paid');
  assert.equal((await processor.reverse(charge)).state, 'reversed');
  assert.equal((await processor.reverse(charge)).state, 'reversed');
  assert.equal(await stateOf(refundOf(charge, 1n)), 'generic_error');
  assert.deepEqual(await linesOf(charge.workspace), ['capture 1000', 'refund 300', 'refund 700']);
  const whole = await captured();
  assert.equal(await stateOf(refundOf(whole, 1_000n)), 'paid');
  assert.equal(await stateOf(refundOf(whole, 1n)), 'processing_error');
  assert.equal((await processor.reverse(whole)).state, 'reversed');
  assert.deepEqual(await linesOf(whole.workspace), ['capture 1000', 'refund 1000']);
});

test('a refund in another currency than was captured is declined', async () => {
  const charge = await captured();
  assert.equal(await stateOf({ ...refundOf(charge, 5n), currency: 'EUR' }), 'processing_error');
});

test('a pending refund counts against the charge until it fails', async () => {
  const order = await orderWith('bank_slow');
  await processor.authorize(order);
  await processor.capture(order);
  assert.equal(await processor.happen(order.workspace, order.key, 'settle'), 'done');
  const first = refundOf(order, 800n);
  assert.equal(await stateOf(first), 'pending');
  assert.equal(await stateOf(refundOf(order, 300n)), 'processing_error');
  assert.equal(await processor.happen(order.workspace, first.key, 'fail'), 'done');
  assert.equal(await stateOf(first), 'generic_error');
  const second = refundOf(order, 300n);
  assert.equal(await stateOf(second), 'pending');
  assert.equal(await processor.happen(order.workspace, second.key, 'settle'), 'done');
  assert.equal(await stateOf(second), 'paid');
  assert.deepEqual(await linesOf(order.workspace), ['capture 1000', 'refund 300']);
});

const PAYOUTS: Readonly<Record<string, string>> = {
  bank: 'paid',
  bank_settled: 'paid',
  bank_slow: 'pending',
  bank_closed: 'generic_error',
  bank_returned: 'paid',
  paypal: 'paid',
  paypal_refused: 'generic_error',
};
const PAYMENTS: Readonly<Record<string, string>> = {
  bank: 'pending',
  bank_slow: 'pending',
  paypal_refused: 'declined',
};

for (const { name, outcome } of TEST_ACCOUNTS) {
  test(`account ${name}: ${outcome}`, async () => {
    const order = await orderWith(name);
    await processor.authorize(order);
    assert.equal((await processor.capture(order)).state, PAYMENTS[name] ?? 'captured');
    assert.equal(await stateOf(payoutTo(order)), PAYOUTS[name]);
  });
}

test('every name is listed once, and accounts are recognised by their brand', async () => {
  const names = ATTACHABLES.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, brand, last4 } of TEST_ACCOUNTS) {
    const card = await processor.attachTestCard((lastWorkspace += 1), name);
    assert.deepEqual([card.brand, card.last4], [brand, last4]);
  }
});

test('refunds and reversals of a card that refuses them change nothing', async () => {
  const charge = await captured('refund_declined');
  assert.equal(await stateOf(refundOf(charge, 5n)), 'card_declined');
  assert.equal((await processor.reverse(charge)).state, 'declined');
  assert.equal((await processor.retrieve(charge)).state, 'captured');
  assert.deepEqual(await linesOf(charge.workspace), ['capture 1000']);
  const reserved = await orderWith('refund_declined');
  await processor.authorize(reserved);
  assert.equal((await processor.reverse(reserved)).state, 'reversed');
});

for (const [card, found] of [
  ['refund_timeout_before_effect', 'absent'],
  ['refund_timeout_after_effect', 'paid'],
] as const) {
  test(`${card}: unknown once, then the truth, and one refund`, async () => {
    const charge = await captured(card);
    const order = refundOf(charge, 400n);
    assert.equal((await processor.remit(order)).state, 'unknown');
    assert.equal((await processor.retrieveTransfer(order)).state, found);
    assert.equal(await stateOf(order), 'paid');
    assert.deepEqual(await linesOf(charge.workspace), ['capture 1000', 'refund 400']);
    const path = `${host.url}/v1/remittances/${order.key}/exchanges`;
    const headers = { authorization: `Bearer ${keyOf(charge.workspace)}` };
    const { exchanges } = (await (await fetch(path, { headers })).json()) as {
      exchanges: { operation: string; times: number }[];
    };
    assert.deepEqual(
      exchanges.map(({ operation, times }) => [operation, times]),
      [
        ['remit', 2],
        ['look_remittance', 2],
      ],
    );
  });
}

test('a chargeback takes what is left, once, and the charge stays captured', async () => {
  const charge = await captured();
  const { workspace, key } = charge;
  await processor.remit(refundOf(charge, 250n));
  const racers = Array.from({ length: 20 }, () => processor.happen(workspace, key, 'chargeback'));
  const ends = await Promise.all(racers);
  assert.equal(ends.filter((end) => end === 'done').length, 1);
  assert.equal((await processor.retrieve(charge)).state, 'captured');
  assert.equal(await stateOf(refundOf(charge, 5n)), 'generic_error');
  assert.equal((await processor.reverse(charge)).state, 'reversed');
  assert.deepEqual(await linesOf(workspace), ['capture 1000', 'refund 250', 'chargeback 750']);
});

test('each event happens where it can, once', async () => {
  const able = async (order: { workspace: number; key: string }): Promise<string[]> => {
    const list: string[] = [];
    for (const event of OUTSIDE_EVENTS.toReversed()) {
      const end = await processor.happen(order.workspace, order.key, event);
      if (end === 'done') list.push(event);
    }
    return list;
  };
  assert.deepEqual(await able(await captured()), ['chargeback']);
  assert.deepEqual(await able(await captured('paypal')), ['chargeback']);
  assert.deepEqual(await able(await captured('bank_settled')), ['return']);
  assert.deepEqual(await able(await captured('bank')), ['fail']);
  const reserved = await orderWith('visa');
  await processor.authorize(reserved);
  for (const order of [reserved, { workspace: reserved.workspace, key: 'nothing' }]) {
    assert.deepEqual(await able(order), []);
  }
  const foreign = { ...(await captured()), workspace: 7 };
  assert.deepEqual(await able(foreign), []);
  const payer = await orderWith('bank_returned');
  const payout = payoutTo(payer);
  await processor.remit(payout);
  assert.deepEqual(await able(payout), ['return']);
  assert.equal(await stateOf(payout), 'returned');
  assert.deepEqual(await linesOf(payer.workspace), ['payout 700', 'payout_return 700']);
  const refund = refundOf(await captured(), 5n);
  await processor.remit(refund);
  assert.deepEqual(await able(refund), []);
});

/** Plays a scenario as a careful client would: retrieves before it sends anything again. */
async function played(name: string): Promise<{ order: ChargeOrder; states: string[] }> {
  const bank = name === 'returned_late' ? 'bank_settled' : 'visa';
  const order = await orderWith(bank);
  assert.equal(await processor.play(order.workspace, name, order.token), true);
  const states: string[] = [];
  for (const ask of [processor.authorize, processor.capture]) {
    let outcome = await ask(order);
    for (let n = 0; outcome.state === 'unknown' && n < 40; n += 1) {
      const seen = await processor.retrieve(order);
      const before = ask === processor.authorize ? 'absent' : 'authorized';
      outcome = seen.state === before ? await ask(order) : seen;
    }
    states.push(outcome.state);
  }
  await laterComes();
  states.push((await processor.retrieve(order)).state);
  return { order, states };
}

const OK = ['authorized', 'captured', 'captured'];
const ENDS: Readonly<Record<string, readonly [states: string[], lines: string[]]>> = {
  declined: [['declined', 'declined', 'declined'], []],
  declined_late: [['authorized', 'pending', 'declined'], []],
  declined_but_captured: [['declined', 'captured', 'captured'], ['capture 1000']],
  one_cent_less: [OK, ['capture 999']],
  other_currency: [OK, ['capture 1000']],
  captured_twice: [OK, ['capture 1000', 'capture/2 1000']],
  settles_late: [['authorized', 'pending', 'captured'], ['capture 1000']],
  returned_late: [OK, ['capture 1000', 'return 1000']],
};

for (const { name, ends } of SCENARIOS) {
  test(`scenario ${name}: ${ends}`, async () => {
    const { order, states } = await played(name);
    const [wanted, lines] = ENDS[name] ?? [OK, ['capture 1000']];
    assert.deepEqual(states, wanted);
    assert.deepEqual(await linesOf(order.workspace), lines);
  });
}

test('there are twenty scenarios, whose steps name existing outcomes', async () => {
  assert.equal(SCENARIOS.length, 20);
  assert.equal(new Set(SCENARIOS.map(({ name }) => name)).size, 20);
  for (const { steps } of SCENARIOS) {
    for (const { exchange } of steps) assert.ok(EXCHANGE_NAMES.includes(exchange));
  }
  assert.equal(await processor.play(1, 'no_such_scenario', null), false);
});

test('after a second capture the refundable money is what was taken', async () => {
  const { order } = await played('captured_twice');
  assert.equal(await stateOf(refundOf(order, 1_000n)), 'paid');
  assert.equal(await stateOf(refundOf(order, 1_001n)), 'processing_error');
  assert.equal((await processor.reverse(order)).state, 'reversed');
  const back = (await linesOf(order.workspace)).slice(2);
  assert.deepEqual(back, ['refund 1000', 'refund 1000']);
});

test('repeating a key that the processor forgot charges twice', async () => {
  const order = await orderWith('visa');
  await processor.play(order.workspace, 'key_forgotten', null);
  assert.equal((await processor.authorize(order)).state, 'unknown');
  assert.equal((await processor.authorize(order)).state, 'authorized');
  await processor.capture(order);
  assert.deepEqual(await linesOf(order.workspace), ['capture 1000', 'capture/2 1000']);
});

test('the database refuses illegal charges, outbound transfers and statement rows', async () => {
  const charge = await captured();
  const order = refundOf(charge, 100n);
  await processor.remit(order);
  const refuses = async (text: string, key: string, constraint: string): Promise<void> => {
    const where = {
      text: `${text} where workspace = $1 and key = $2`,
      values: [charge.workspace, key],
    };
    await assert.rejects(host.db.execute(where), (error) => {
      assert.equal(brokenConstraint(error), constraint);
      return true;
    });
  };
  const charges = 'update processor_charge set ';
  const illegal = 'processor_charge_legal';
  await refuses(`${charges} refunded = 1001`, charge.key, 'processor_charge_refunded');
  await refuses(`${charges} refunded = -1`, charge.key, 'processor_charge_refunded');
  const broken = ['parts = 2', 'captured_amount = 1', "state = 'authorized'", "state = 'pending'"];
  for (const change of broken) await refuses(charges + change, charge.key, illegal);
  const second = `insert into processor_statement (workspace, key, reference, kind, amount,
    currency)
    select workspace, key, reference, 'capture', amount, currency from processor_charge`;
  await refuses(second, charge.key, 'processor_statement_workspace_key_kind_part_key');
  await processor.reverse(charge);
  await refuses(`${charges} state = 'captured'`, charge.key, illegal);
  const transfers = 'update processor_transfer set ';
  for (const change of ['amount = 5', "state = 'pending'", "state = 'returned'"]) {
    await refuses(transfers + change, order.key, 'processor_transfer_legal');
  }
  for (const table of ['processor_charge', 'processor_transfer', 'processor_statement']) {
    await refuses(`delete from ${table}`, charge.key, `${table}_append_only`);
  }
  const change = 'update processor_statement set amount = 1';
  await refuses(change, charge.key, 'processor_statement_append_only');
});

test('reading the statement waits for writers of earlier rows', async () => {
  const charge = await captured();
  let finish = (): void => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  const writing = host.db.transaction(async (tx) => {
    await tx.execute({
      text: `insert into processor_statement (workspace, key, reference, kind, amount, currency)
        values ($1, 'slow', 'r', 'payout', 1, 'USD')`,
      values: [charge.workspace],
    });
    await held;
  });
  const reading = linesOf(charge.workspace);
  const later = processor.remit(refundOf(charge, 5n));
  await new Promise((resolve) => setTimeout(resolve, 100));
  finish();
  await writing;
  assert.deepEqual((await reading).slice(0, 2), ['capture 1000', 'payout 1']);
  await later;
  assert.equal((await linesOf(charge.workspace)).length, 3);
});
