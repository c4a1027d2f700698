// Debits racing past a threshold of the integrator's wallet through two processes, one of which is
// killed in the second round: the fall is announced exactly once. [G-61]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Api } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { clientAt, race } from '../races/racing.ts';

const DEBITS = 20;
const EACH = 10;
const WARNING = 105;

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
  const body = { wallet_alerts: [{ currency: 'USD', warning: WARNING }] };
  await clientAt(fleet, 0).must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
});
after(() => fleet?.stop());

/** Paid invoices, and as much at the integrator as all of them came to. */
async function sold(api: Api): Promise<string[]> {
  const { account_id, method } = await api.register(`buyer ${crypto.randomUUID()}`);
  await api.fund(account_id, DEBITS * EACH);
  const body = { integrator: true, currency: 'USD', amount: DEBITS * EACH };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
  const sale = api.sale(EACH, [{ payment_method_id: method }], { account_id });
  const one = async (): Promise<string> => {
    const id = await api.created(sale);
    await api.pay(id);
    assert.equal((await api.finished(id)).state, 'success');
    return id;
  };
  return Promise.all(Array.from({ length: DEBITS }, one));
}

function refund(api: Api, invoice_id: string): Promise<unknown> {
  const body = { invoice_id, reason: 'other' };
  return api.send('invoicing', 'POST', '/v2/refund', { body, key: `refund ${invoice_id}` });
}

/** Balances that were announced, once all is still. */
async function told(): Promise<number[]> {
  await settled(fleet.db, 30_000);
  await sealed(fleet.db);
  await reconciled(fleet.db);
  const rows = await fleet.db.query<{ balance: number }>(`select
    (body::json -> 'message' ->> 'balance')::int as balance from event
    where name = 'wallet-balance-alert' order by sequence`);
  return rows.map(({ balance }) => balance);
}

test('twenty debits at once through two processes: one event', async () => {
  const ids = await sold(clientAt(fleet, 0));
  await race(fleet, DEBITS, (api, at) => refund(api, ids[at] ?? ''));
  assert.deepEqual(await told(), [100]);
  assert.deepEqual(fleet.faults(), []);
});

test('a process is killed meanwhile: what it began is announced once, at its commit', async (t) => {
  const [one] = fleet.apis as [Api, Api];
  const ids = await sold(one);
  const under = await race(fleet, DEBITS, async (api, at) => {
    const reply = await refund(api, ids[at] ?? '').catch(() => null);
    // With its first answer, while the others are under way.
    if (api !== one) fleet.nodes[1]?.process.child.kill('SIGKILL');
    return reply;
  });
  const lost = under.filter((reply) => reply === null).length;
  t.diagnostic(`${lost} of ${DEBITS} calls had no answer`);
  for (const id of ids) await refund(one, id);
  assert.deepEqual(await told(), [100, 100]);
});
