// Paying once on Stripe's page: what becomes of a page after every fault, late, at a bank that
// takes its time, of another amount, and in another account. [M13, U3-U10, U15, U16, U20]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../core/ids.ts';
import type { ChargeOrder, Processor } from '../processor/port.ts';
import { once } from '../processor/once.contract.ts';
import { AMOUNT, statementOf, TAKEN } from '../processor/processor.contract.ts';
import type { Account } from '../../../test/kit/stripe/account.ts';
import { connectTo, secretOf, stripeBench } from '../../../test/kit/stripe/bench.ts';
import type { StripeBench } from '../../../test/kit/stripe/bench.ts';
import { finishSession, settleSession } from '../../../test/kit/stripe/checkout.ts';
import type { Behaviour, Session } from '../../../test/kit/stripe/objects.ts';
import type { Call, Fault } from '../../../test/kit/stripe/server.ts';

const HERE = 7;
const WELL = () => null;
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

const FAULTS: readonly Fault[] = [
  ...(['reset_before', 'reset_after', 'error_before', 'error_after'] as const),
  ...(['busy', 'malformed', 'silent', 'wrong_mode'] as const),
];
const CREATE = 'POST /v1/checkout/sessions';
const READ = 'GET /v1/checkout/sessions/:id';
const LIST = 'GET /v1/checkout/sessions';
const EXPIRE = 'POST /v1/checkout/sessions/:id/expire';

/** The first call of a name goes wrong. */
function failOnce(name: string, fault: Fault): void {
  bench.server.misbehave(({ method, route }: Call, nth) =>
    `${method} ${route}` === name && nth === 1 ? fault : null,
  );
}

const pagesOf = ({ key }: ChargeOrder): Session[] =>
  [...account.sessions.values()].filter(({ metadata }) => metadata.holdfast_key === key);

/** Asks for the page as the worker does: what may have been sent is looked up first. */
async function page(order: ChargeOrder): Promise<{ id: string; known: ChargeOrder }> {
  for (let tries = 0; tries < 6; tries += 1) {
    const seen = tries === 0 ? { state: 'absent' as const } : await processor.retrieve(order);
    const next = seen.state === 'absent' ? await processor.authorize(order) : seen;
    if (next.state === 'challenged') {
      return { id: next.reference, known: { ...order, reference: next.reference } };
    }
    assert.ok(['unknown', 'absent'].includes(next.state), next.state);
  }
  return assert.fail('there was never a page');
}

function pay(id: string, does: Behaviour): Session {
  const session = account.sessions.get(id);
  assert.ok(session && finishSession(account, session, does));
  return session;
}

for (const name of [CREATE, READ, LIST]) {
  for (const fault of FAULTS) {
    test(`${fault} at ${name}: one page, paid once`, async () => {
      const order = once(HERE, 'card');
      failOnce(name, fault);
      const { id, known } = await page(order);
      bench.server.misbehave(WELL);
      assert.equal(pagesOf(order).length, 1);
      pay(id, { type: 'card' });
      assert.equal((await processor.retrieve(known)).state, 'authorized');
      assert.equal((await processor.capture(known)).state, 'captured');
      assert.deepEqual(await bench.effects(HERE, order.key), TAKEN);
    });
  }
}

for (const fault of FAULTS) {
  test(`${fault} at ${EXPIRE}: the page ends all the same`, async () => {
    const order = once(HERE, 'card');
    const { id, known } = await page(order);
    failOnce(EXPIRE, fault);
    for (let tries = 0; tries < 3; tries += 1) await processor.reverse(known);
    bench.server.misbehave(WELL);
    assert.equal((await processor.reverse(known)).state, 'reversed');
    assert.equal(account.sessions.get(id)?.status, 'expired');
  });
}

test('a page that was made while nobody listened is found, and no second one is made', async () => {
  const order = once(HERE, 'card');
  failOnce(CREATE, 'late');
  assert.equal((await processor.authorize(order)).state, 'unknown');
  assert.equal((await processor.retrieve(order)).state, 'absent');
  await page(order);
  await new Promise((later) => setTimeout(later, 700));
  assert.equal(pagesOf(order).length, 1);
});

test('a card that is declined there leaves the page open for another one', async () => {
  const order = once(HERE, 'card');
  const { id, known } = await page(order);
  const session = account.sessions.get(id);
  assert.ok(session);
  assert.equal(finishSession(account, session, { type: 'card', declines: 'do_not_honor' }), false);
  assert.equal((await processor.retrieve(known)).state, 'challenged');
  pay(id, { type: 'card' });
  assert.equal((await processor.retrieve(known)).state, 'authorized');
});

for (const [well, state] of [[true, 'captured'], [false, 'declined']] as const) {
  test(`a bank that takes its time: pending, then ${state}`, async () => {
    const order = once(HERE, 'ideal');
    const { id, known } = await page(order);
    const session = pay(id, { type: 'ideal', later: true });
    const { reference, ...pending } = (await processor.retrieve(known)) as { reference: string };
    assert.deepEqual(pending, { state: 'pending', amount: AMOUNT, currency: 'EUR' });
    const paid = { ...order, reference };
    assert.equal((await processor.capture(paid)).state, 'pending');
    settleSession(account, session, well);
    for (const asked of [paid, known, order]) {
      assert.equal((await processor.retrieve(asked)).state, state);
    }
  });
}

test('a bank login is taken at once, refunded whole, and is in the statement', async () => {
  const order = once(HERE, 'ideal');
  const { id, known } = await page(order);
  pay(id, { type: 'ideal' });
  const paid = await processor.retrieve(known);
  assert.ok(paid.state === 'captured');
  const refund = { key: newUuid(), kind: 'refund', target: order.key, charge: paid.reference };
  const sum = { workspace: HERE, amount: AMOUNT, currency: 'EUR' };
  const sent = await processor.remit({ ...refund, ...sum, kind: 'refund' });
  assert.equal(sent.state, 'paid');
  const { lines } = await statementOf(bench, HERE);
  const mine = lines.filter(({ key }) => key === order.key || key === refund.key);
  assert.deepEqual(mine.map(({ kind, amount }) => [kind, amount]), [
    ['capture', AMOUNT],
    ['refund', AMOUNT],
  ]);
});

test('what was taken otherwise is told as it is [U15]', async () => {
  const order = once(HERE, 'card');
  const { id, known } = await page(order);
  pay(id, { type: 'card' });
  account.wrong = { amount: Number(AMOUNT) - 1 };
  const outcome = await processor.capture(known);
  assert.ok(outcome.state === 'captured');
  assert.equal(outcome.amount, AMOUNT - 1n);
});

test('a page of another account is none, and nothing is made in its place', async () => {
  const order = once(HERE, 'card');
  const { known } = await page(order);
  const elsewhere = connectTo(bench.server, 8);
  const asked = { ...known, workspace: 8 };
  assert.equal((await elsewhere.processor.retrieve(asked)).state, 'absent');
  assert.equal((await elsewhere.processor.reverse(asked)).state, 'unknown');
  assert.equal(bench.server.account(secretOf(8)).sessions.size, 0);
  await elsewhere.close();
});

/** A key as it was made a while ago. */
function agedKey(hours: number): string {
  const hex = (Date.now() - hours * 3_600_000).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newUuid().slice(13)}`;
}

test('long after its time a key has no page, and none is made [U20]', async () => {
  const order = { ...once(HERE, 'card'), key: agedKey(30) };
  assert.equal((await processor.reverse(order)).state, 'reversed');
  const late = await processor.authorize(order);
  assert.equal(late.state, 'declined');
  assert.equal(pagesOf(order).length, 0);
});

test('amounts and currencies that a page does not take are declined', async () => {
  const order = once(HERE, 'ideal');
  for (const [more, code] of [
    [{ currency: 'USD' }, 'generic_error'],
    [{ currency: 'ISK' }, 'card_declined'],
    [{ amount: 100_000_000n }, 'limit_exceeded'],
    [{ amount: 1n }, 'limit_exceeded'],
  ] as const) {
    const outcome = await processor.authorize({ ...order, key: newUuid(), ...more });
    assert.ok(outcome.state === 'declined');
    assert.equal(outcome.code, code);
  }
});
