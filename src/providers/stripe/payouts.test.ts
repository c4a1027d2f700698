// Payouts to sellers at Stripe: after every fault the money is sent once, a key that Stripe has
// forgotten is looked for first, and the statement shows what was sent and what came back. [M13]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../core/ids.ts';
import type { TransferOrder } from '../processor/port.ts';
import { statementOf } from '../processor/processor.contract.ts';
import type { Account } from '../../../test/kit/stripe/account.ts';
import { connectTo, payableIn, secretOf, stripeBench } from '../../../test/kit/stripe/bench.ts';
import type { StripeBench } from '../../../test/kit/stripe/bench.ts';
import { changeSeller, reverseTransfer } from '../../../test/kit/stripe/connect.ts';
import type { Transfer } from '../../../test/kit/stripe/objects.ts';
import { FAULTS, type Call } from '../../../test/kit/stripe/server.ts';

const HERE = 7;
let bench: StripeBench;
let account: Account;
let hasty: ReturnType<typeof connectTo>;
before(async () => {
  bench = await stripeBench();
  account = bench.server.account(secretOf(HERE));
  hasty = connectTo(bench.server, HERE, 400);
});
after(async () => {
  await hasty.close();
  await bench.close();
});

const payout = (more: Partial<TransferOrder> = {}): TransferOrder => {
  const order = { workspace: HERE, key: newUuid(), kind: 'payout', target: payableIn(account) };
  return { ...order, kind: 'payout', amount: 900n, currency: 'USD', ...more };
};

function sentFor({ key }: TransferOrder): Transfer[] {
  return [...account.transfers.values()].filter(({ metadata }) => metadata.holdfast_key === key);
}

const nameOf = ({ method, route }: Call): string => `${method} ${route}`;

test('accounts of sellers are paid out to, and what was entered to pay with is not', async () => {
  assert.deepEqual(await hasty.processor.payoutEntries(HERE), ['payee']);
});

for (const name of ['POST /v1/transfers', 'GET /v1/transfers']) {
  for (const fault of FAULTS) {
    test(`${fault} at ${name}: paid once all the same`, async () => {
      const order = payout();
      bench.server.misbehave((call, nth) => (nameOf(call) === name && nth === 1 ? fault : null));
      let outcome = await hasty.processor.remit(order);
      for (let tries = 0; tries < 3; tries += 1) {
        assert.ok(['unknown', 'paid'].includes(outcome.state));
        const seen = await hasty.processor.retrieveTransfer(order);
        outcome = seen.state === 'absent' ? await hasty.processor.remit(order) : seen;
      }
      bench.server.misbehave(() => null);
      assert.equal(outcome.state, 'paid');
      assert.equal(sentFor(order).length, 1);
    });
  }
}

test('a stored failure whose money left all the same is not sent under the next name', async () => {
  const order = payout();
  bench.server.misbehave((call, nth) =>
    nameOf(call) === 'POST /v1/transfers' && nth === 1 ? 'error_after' : null,
  );
  assert.equal((await hasty.processor.remit(order)).state, 'unknown');
  assert.equal((await hasty.processor.remit(order)).state, 'paid');
  bench.server.misbehave(() => null);
  assert.equal(sentFor(order).length, 1);
});

test('after a day Stripe has forgotten the key, and it is looked for first [U20]', async () => {
  const hex = (Date.now() - 90_000_000).toString(16).padStart(12, '0');
  const order = payout({ key: `${hex.slice(0, 8)}-${hex.slice(8)}${newUuid().slice(13)}` });
  bench.server.misbehave((call, nth) =>
    nameOf(call) === 'POST /v1/transfers' && nth === 1 ? 'silent' : null,
  );
  assert.equal((await hasty.processor.remit(order)).state, 'unknown');
  account.ahead = 90_000;
  assert.equal((await hasty.processor.remit(order)).state, 'paid');
  account.ahead = 0;
  bench.server.misbehave(() => null);
  assert.equal(sentFor(order).length, 1);
});

test('what Stripe refuses is declined with its reason, and nothing is sent', async () => {
  account.poor = true;
  const poor = payout();
  const declined = await hasty.processor.remit(poor);
  assert.ok(declined.state === 'declined');
  assert.equal(declined.code, 'insufficient_funds');
  account.poor = false;
  const restricted = payout();
  changeSeller(account, restricted.target, ['individual.id_number']);
  const odd = payout({ currency: 'ISK' });
  for (const order of [restricted, odd]) {
    assert.equal((await hasty.processor.remit(order)).state, 'declined');
  }
  for (const order of [poor, restricted, odd]) assert.deepEqual(sentFor(order), []);
});

test('the statement shows payouts and what came back, under our key', async () => {
  const order = payout();
  const paid = await hasty.processor.remit(order);
  assert.ok(paid.state === 'paid');
  const [sent] = sentFor(order);
  assert.ok(sent);
  assert.equal(reverseTransfer(account, sent, 300), true);
  assert.equal((await hasty.processor.retrieveTransfer(order)).state, 'paid');
  assert.equal(reverseTransfer(account, sent, 601), false);
  assert.equal(reverseTransfer(account, sent, 600), true);
  assert.equal((await hasty.processor.retrieveTransfer(order)).state, 'returned');
  const { lines } = await statementOf({ processor: hasty.processor }, HERE);
  const mine = lines.filter(({ key }) => key === order.key);
  assert.deepEqual(
    mine.map(({ kind, amount, fee, currency }) => [kind, amount, fee, currency]),
    [
      ['payout', 900n, 0n, 'USD'],
      ['payout_return', 300n, 0n, 'USD'],
      ['payout_return', 600n, 0n, 'USD'],
    ],
  );
  assert.equal(mine[0]?.reference, paid.reference);
});
