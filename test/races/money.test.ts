// Debits of every kind that race on one balance through two processes: together they take exactly
// what it holds, and each that is too much ends without a trace. [M3, M9, M12]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Api, MethodPart, Reply } from '../kit/api.ts';
import { moveEscrow, openEscrow, readEscrow } from '../kit/escrow.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { clientAt, proof, race, ROUNDS } from './racing.ts';

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

/** A debit that waits for the start, and how it ended: true where it took the money. */
interface Debit {
  readonly go: (api: Api) => Promise<Reply>;
  readonly took: () => Promise<boolean>;
}

async function invoiceDebit(
  api: Api,
  amount: number,
  parts: readonly MethodPart[],
  account_id: string,
): Promise<Debit> {
  const id = await api.created(api.sale(amount, parts, { account_id }));
  return {
    go: (one) => one.pay(id),
    took: async () => (await api.finished(id)).state === 'success',
  };
}

async function escrowDebit(
  api: Api,
  amount: number,
  parts: readonly MethodPart[],
  account_id: string,
): Promise<Debit> {
  const { id } = await openEscrow(api, amount, parts, { account_id });
  return {
    go: (one) => moveEscrow(one, id, 'pay'),
    took: async () => (await readEscrow(api, id)).status === 'ESCROWED',
  };
}

for (let round = 0; round < ROUNDS; round += 1) {
  test(`debits of every kind on one wallet take what it holds, round ${round}`, async () => {
    const api = clientAt(fleet, 0);
    const { account_id, method } = await api.register(`debits-${round}`);
    await api.fund(account_id, 1_250);
    const card = { payment_method_id: await api.attach(account_id, 'visa'), amount: 0 };
    const whole = [{ payment_method_id: method }];
    const part = [{ payment_method_id: method, amount: 100 }, card];
    const debits = await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const make = at % 2 === 0 ? invoiceDebit : escrowDebit;
        const one = clientAt(fleet, at);
        return at % 4 < 2
          ? make(one, 100, whole, account_id)
          : make(one, 250, part, account_id);
      }),
    );
    const replies = await race(fleet, debits.length, (one, at) => (debits[at] as Debit).go(one));
    assert.deepEqual([...new Set(replies.map((reply) => reply.status))], [200]);
    await proof(fleet);
    const took = await Promise.all(debits.map((debit) => debit.took()));
    assert.equal(took.filter(Boolean).length, 12);
    assert.equal((await api.money(account_id)).spendable, 50);
  });
}
