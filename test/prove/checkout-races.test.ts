// Races for one authorized invoice through two processes, creations and payments at once: exactly
// one payment is made, of its newest invoice. [M9, M11, G-45]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../src/core/ids.ts';
import type { MethodPart, Reply } from '../kit/api.ts';
import { authorize, buyerOf, makeOf, readAuthorized } from '../kit/checkout.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { clientAt, proof, race, ROUNDS, refundedAmounts } from '../races/racing.ts';

const PRICE = 700;
const FUNDS = 50_000;
const CREATORS = 20;
const KINDS = ['invoice', 'escrow'] as const;
type Kind = (typeof KINDS)[number];

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

/** Everything a creation or a payment may say here. */
const SAID = new Set([
  ...['200', '201', '400 AUTHORIZED_INVOICE_USED', '400 INVOICE_SUPERSEDED'],
  ...['400 INVOICE_NOT_OPEN', '400 ESCROW_NOT_OPEN', '400 ESCROW_PAYMENT_IN_PROGRESS'],
  // Five times another process was faster with its creation: nothing was changed.
  '503 RESOURCE_BUSY',
]);

interface Scene {
  readonly account: string;
  readonly id: string;
  readonly kind: Kind;
  readonly token: (at: number) => ReturnType<typeof clientAt>;
  readonly methods: readonly (readonly MethodPart[])[];
}

async function scene(kind: Kind, name: string): Promise<Scene> {
  const api = clientAt(fleet, 0);
  const { account_id: account, method } = await api.register(name);
  await api.fund(account, FUNDS);
  const card = await api.attach(account, 'visa');
  const more = { account_id: account, is_escrow: kind === 'escrow' };
  const made = await authorize(api, api.sale(PRICE, [], more));
  const session = await buyerOf(api, made);
  const methods = [[{ payment_method_id: method }], [{ payment_method_id: card }]];
  const token = (at: number) => session.through(clientAt(fleet, at).ready);
  return { account, id: made.authorized_invoice_id, kind, token, methods };
}

/** Creates one, and pays it at once; gives both answers. */
async function buy({ kind, id, token, methods }: Scene, at: number): Promise<Reply[]> {
  const api = token(at);
  const created = await makeOf(api, kind, id, methods[at % 2] ?? []);
  if (created.status !== 201) return [created];
  const payload = created.payload as { id?: string; invoice_id?: string };
  const path = `/v2/${kind}/${payload.id ?? payload.invoice_id}/pay`;
  return [created, await token(at + 1).send('invoicing', 'POST', path)];
}

/** The invoices made of it, by state; each was made once. */
async function statesOf(id: string): Promise<string[]> {
  const rows = await fleet.db.query<{ state: string }>({
    text: `select i.state from invoice i join invoice_document d using (workspace, id)
      where sale_term(d.id::text, d.document, 'authorized') = $1 order by i.state`,
    values: [id],
  });
  return rows.map((row) => row.state);
}

for (let round = 0; round < ROUNDS; round += 1) {
  for (const kind of KINDS) {
    test(`${CREATORS} buy one authorized ${kind} at once, round ${round}`, async (t) => {
      const who = await scene(kind, `buys-${kind}-${round}`);
      const api = clientAt(fleet, 0);
      const seller = api.ready.accounts.seller.account_id;
      const earned = (await api.money(seller)).spendable;
      const replies = (await race(fleet, CREATORS, (_, at) => buy(who, at))).flat();
      const counts = refundedAmounts(replies);
      t.diagnostic(JSON.stringify(counts));
      assert.deepEqual(Object.keys(counts).filter((name) => !SAID.has(name)), []);
      assert.equal(counts['200'], 1, 'one payment');
      await proof(fleet);
      const states = await statesOf(who.id);
      assert.equal(states.length, counts['201'] ?? 0);
      assert.deepEqual(states.filter((state) => state !== 'open'), ['success']);
      const { state, invoice_id, escrow_id } = await readAuthorized(api, who.id);
      assert.equal(state, 'paid');
      assert.equal((await api.read(invoice_id)).state, 'success');
      const paid = (await api.money(seller)).spendable - earned;
      assert.equal(paid, kind === 'invoice' ? PRICE : 0);
      assert.equal(uuidOfWireId('esc', escrow_id) === null, kind === 'invoice');
    });
  }
}

test('a creation races the payment of the one before: one of them wins', async (t) => {
  const outcomes: Record<string, number> = {};
  for (let n = 0; n < 10; n += 1) {
    const who = await scene('invoice', `replaced-${n}`);
    const first = await makeOf(who.token(0), 'invoice', who.id, who.methods[n % 2] ?? []);
    const { invoice_id: id } = first.payload as { invoice_id: string };
    const [paid, made] = (await Promise.all([
      who.token(n).pay(id),
      makeOf(who.token(n + 1), 'invoice', who.id, who.methods[0] ?? []),
    ])) as [Reply, Reply];
    const won = refundedAmounts([paid, made]);
    const name = Object.keys(won).toSorted().join(' and ');
    outcomes[name] = (outcomes[name] ?? 0) + 1;
    const either = ['200 and 400 AUTHORIZED_INVOICE_USED', '201 and 400 INVOICE_SUPERSEDED'];
    assert.ok(either.includes(name), name);
    assert.equal((await statesOf(who.id)).length, made.status === 201 ? 2 : 1);
  }
  t.diagnostic(JSON.stringify(outcomes));
  await proof(fleet);
});

test('creations under one key are one, however many ask', async () => {
  const who = await scene('invoice', 'keyed');
  const replies = await race(fleet, CREATORS, (_, at) =>
    makeOf(who.token(at), 'invoice', who.id, who.methods[0] ?? [], 'one-key'),
  );
  assert.deepEqual(refundedAmounts(replies), { 201: CREATORS });
  assert.equal(new Set(replies.map((reply) => reply.text)).size, 1);
  assert.deepEqual(await statesOf(who.id), ['open']);
  await proof(fleet);
});
