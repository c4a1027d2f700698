// What the adapter of Stripe makes of trouble: after every fault at every call the outcome is
// unknown or true, the same order again leads to one effect, and a key that Stripe has forgotten is
// looked for first. [M13, U3-U10, U15, U16, U20]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../core/ids.ts';
import type { ChargeOrder, Processor, TransferOrder } from '../processor/port.ts';
import { AMOUNT, payment, statementOf, TAKEN } from '../processor/processor.contract.ts';
import type { Account } from '../../../test/kit/stripe/account.ts';
import { connectTo, secretOf, stripeBench } from '../../../test/kit/stripe/bench.ts';
import type { StripeBench } from '../../../test/kit/stripe/bench.ts';
import { FAULTS, type Call, type Fault } from '../../../test/kit/stripe/server.ts';

const HERE = 7;
const DAY_MS = 86_400_000;
let bench: StripeBench;
let account: Account;
let hasty: ReturnType<typeof connectTo>;
let processor: Processor;
before(async () => {
  bench = await stripeBench();
  account = bench.server.account(secretOf(HERE));
  hasty = connectTo(bench.server, HERE, 400);
  processor = hasty.processor;
});
after(async () => {
  await hasty.close();
  await bench.close();
});

const CREATE = 'POST /v1/payment_intents';
const CONFIRM = 'POST /v1/payment_intents/:id/confirm';
const CAPTURE = 'POST /v1/payment_intents/:id/capture';
const CANCEL = 'POST /v1/payment_intents/:id/cancel';
const REFUND = 'POST /v1/refunds';
const LIST = 'GET /v1/payment_intents';

const nameOf = ({ method, route }: Call): string => `${method} ${route}`;

/** The first call of a name goes wrong. */
function once(name: string, fault: Fault): void {
  bench.server.misbehave((call, nth) => (nameOf(call) === name && nth === 1 ? fault : null));
}

const WELL = () => null;

/** Pays as the worker does: what may have been sent is looked up before it is sent again. */
async function pay(order: ChargeOrder): Promise<void> {
  for (let tries = 0; tries < 6; tries += 1) {
    const seen = tries === 0 ? { state: 'absent' as const } : await processor.retrieve(order);
    const next =
      seen.state === 'absent'
        ? await processor.authorize(order)
        : seen.state === 'authorized'
          ? await processor.capture(order)
          : seen;
    if (next.state === 'captured') return;
    assert.ok(['unknown', 'authorized', 'absent'].includes(next.state), next.state);
  }
  assert.fail('it was never captured');
}

for (const name of [CREATE, CONFIRM, CAPTURE, LIST]) {
  for (const fault of FAULTS) {
    test(`${fault} at ${name}: captured once all the same`, async () => {
      const order = payment(HERE, await bench.goodCard(HERE));
      once(name, fault);
      await pay(order);
      bench.server.misbehave(WELL);
      assert.deepEqual(await bench.effects(HERE, order.key), TAKEN);
      const held = [...account.intents.values()].filter(({ metadata, status }) =>
        metadata.holdfast_key === order.key && status !== 'requires_confirmation');
      assert.equal(held.length, 1);
    });
  }
}

async function captured(): Promise<ChargeOrder> {
  const order = payment(HERE, await bench.goodCard(HERE));
  await processor.authorize(order);
  const outcome = await processor.capture(order);
  assert.ok(outcome.state === 'captured');
  return { ...order, reference: outcome.reference };
}

const refundOf = ({ key: target, reference: charge }: ChargeOrder): TransferOrder => {
  const order = { workspace: HERE, kind: 'refund', target, charge } as const;
  return { ...order, key: newUuid(), amount: 1_000n, currency: 'USD' };
};

for (const fault of FAULTS) {
  test(`${fault} at ${REFUND}: refunded once all the same`, async () => {
    const order = refundOf(await captured());
    once(REFUND, fault);
    await processor.remit(order);
    for (let tries = 0; tries < 3; tries += 1) {
      const seen = await processor.retrieveTransfer(order);
      if (seen.state === 'absent') await processor.remit(order);
    }
    bench.server.misbehave(WELL);
    assert.equal((await processor.retrieveTransfer(order)).state, 'paid');
    assert.equal((await bench.effects(HERE, order.key)).refunds, 1);
  });

  test(`${fault} while giving back: nothing stays taken`, async () => {
    const order = await captured();
    once(REFUND, fault);
    for (let tries = 0; tries < 3; tries += 1) await processor.reverse(order);
    bench.server.misbehave(WELL);
    assert.equal((await processor.reverse(order)).state, 'reversed');
    assert.deepEqual(await bench.effects(HERE, order.key), { ...TAKEN, refunds: 1 });
    const open = payment(HERE, await bench.goodCard(HERE));
    await processor.authorize(open);
    once(CANCEL, fault);
    await processor.reverse(open);
    bench.server.misbehave(WELL);
    assert.equal((await processor.reverse(open)).state, 'reversed');
  });
}

test('a confirmation that lands late still leads to one capture [U7]', async () => {
  const order = payment(HERE, await bench.goodCard(HERE));
  once(CONFIRM, 'late');
  assert.equal((await processor.authorize(order)).state, 'unknown');
  assert.equal((await processor.retrieve(order)).state, 'absent');
  assert.equal((await processor.authorize(order)).state, 'authorized');
  await new Promise((later) => setTimeout(later, 400));
  assert.equal((await processor.capture(order)).state, 'captured');
  assert.deepEqual(await bench.effects(HERE, order.key), TAKEN);
});

test('too many calls are unknown and say so [U10]', async () => {
  const order = payment(HERE, await bench.goodCard(HERE));
  bench.server.misbehave(() => 'busy');
  const busy = { state: 'unknown', busy: true };
  assert.deepEqual(await processor.authorize(order), busy);
  assert.deepEqual(await processor.retrieve(order), busy);
  assert.deepEqual(await processor.remit(refundOf({ ...order, reference: 'pi_1' })), busy);
  assert.equal(await processor.statement(HERE, null), null);
  bench.server.misbehave(WELL);
});

for (const [wrong, sum] of [
  [{ amount: Number(AMOUNT) - 1 }, [AMOUNT - 1n, 'USD']],
  [{ currency: 'eur' }, [AMOUNT, 'EUR']],
] as const) {
  test(`what was captured otherwise is told as it is: ${sum.join(' ')} [U15, U16]`, async () => {
    const order = payment(HERE, await bench.goodCard(HERE));
    await processor.authorize(order);
    account.wrong = wrong;
    const outcome = await processor.capture(order);
    assert.ok(outcome.state === 'captured');
    assert.deepEqual([outcome.amount, outcome.currency], sum);
    assert.deepEqual(await processor.retrieve(order), outcome);
  });
}

test('money booked twice for one charge is two rows with one reference [U17]', async () => {
  const order = payment(HERE, await bench.goodCard(HERE));
  await processor.authorize(order);
  account.wrong = { twice: true };
  await processor.capture(order);
  const { lines } = await statementOf(bench, HERE);
  const mine = lines.filter(({ key }) => key === order.key);
  assert.deepEqual(mine.map(({ kind }) => kind), ['capture', 'capture']);
  assert.equal(new Set(mine.map(({ reference }) => reference)).size, 1);
});

/** A key as it was made a while ago. */
function agedKey(ms: number): string {
  const hex = (Date.now() - ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newUuid().slice(13)}`;
}

test('after a day Stripe has forgotten the key, and it is looked for first [U20]', async () => {
  const order = { ...payment(HERE, await bench.goodCard(HERE)), key: agedKey(DAY_MS + 3_600_000) };
  once(CONFIRM, 'silent');
  assert.equal((await processor.authorize(order)).state, 'unknown');
  account.ahead = 90_000;
  const first = await processor.authorize(order);
  assert.equal(first.state, 'authorized');
  const made = [...account.intents.values()].filter(
    ({ metadata }) => metadata.holdfast_key === order.key,
  );
  assert.equal(made.length, 1);
  account.ahead = 0;
  const charge = await captured();
  const sent = { ...refundOf(charge), key: agedKey(DAY_MS + 3_600_000) };
  once(REFUND, 'silent');
  assert.equal((await processor.remit(sent)).state, 'unknown');
  account.ahead = 90_000;
  assert.equal((await processor.remit(sent)).state, 'paid');
  assert.equal((await bench.effects(HERE, sent.key)).refunds, 1);
  account.ahead = 0;
});
