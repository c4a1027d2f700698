// Races for one escrow through two processes: it is charged once, has one outcome, and the money
// moves once; the clock takes part. [M10, M11, M12, G-34, G-36, G-42]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../src/core/ids.ts';
import type { MethodPart, Reply } from '../kit/api.ts';
import {
  moved,
  moveEscrow,
  openEscrow,
  readEscrow,
  type EscrowMove,
  type EscrowSeen,
} from '../kit/escrow.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import {
  clientAt,
  proof,
  race,
  RACERS,
  refundedAmounts,
  ROUNDS,
  statementOf,
} from '../races/racing.ts';

const PRICE = 900;
const FUNDS = 5_000;
const KINDS = ['wallet', 'card', 'wallet and card'] as const;
type Kind = (typeof KINDS)[number];
const CHARGED: Readonly<Record<Kind, { wallet: number; card: number }>> = {
  wallet: { wallet: PRICE, card: 0 },
  card: { wallet: 0, card: PRICE },
  'wallet and card': { wallet: 100, card: PRICE - 100 },
};

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2, { HOLDFAST_ESCROW_HOLD_DAYS: '2' });
});
after(() => fleet?.stop());

interface Buyer {
  readonly account_id: string;
  readonly parts: Readonly<Record<Kind, readonly MethodPart[]>>;
}

async function buyer(name: string): Promise<Buyer> {
  const api = clientAt(fleet, 0);
  const { account_id, method } = await api.register(name);
  await api.fund(account_id, FUNDS);
  const wallet = { payment_method_id: method };
  const card = { payment_method_id: await api.attach(account_id, 'visa') };
  const both = [
    { ...wallet, amount: CHARGED['wallet and card'].wallet },
    { ...card, amount: 0 },
  ];
  return { account_id, parts: { wallet: [wallet], card: [card], 'wallet and card': both } };
}

function opened({ account_id, parts }: Buyer, kind: Kind): Promise<EscrowSeen> {
  return openEscrow(clientAt(fleet, 0), PRICE, parts[kind], { account_id });
}

async function sellerHas(): Promise<number> {
  const api = clientAt(fleet, 0);
  return (await api.money(api.ready.accounts.seller.account_id)).spendable;
}

/** Events of an escrow by name, once all are sealed. */
async function eventsOf(id: string): Promise<string[]> {
  const rows = await fleet.db.query<{ name: string }>({
    text: 'select name from event where resource_id = $1 order by resource_version, name',
    values: [uuidOfWireId('esc', id)],
  });
  return rows.map((row) => row.name);
}

/** The invoices that an escrow has besides its own, by kind. */
async function outcomesOf(id: string): Promise<string[]> {
  const rows = await fleet.db.query<{ kind: string }>({
    text: `select sale_term(id::text, document, 'kind') as kind from invoice_document
      where sale_term(id::text, document, 'escrow') = $1
        and sale_term(id::text, document, 'kind') <> 'escrow'`,
    values: [uuidOfWireId('esc', id)],
  });
  return rows.map((row) => row.kind);
}

/** The escrow after a race: one outcome, money moved once, two updates announced. */
async function ended(escrow: EscrowSeen, kind: Kind, who: Buyer, earned: number): Promise<void> {
  await proof(fleet);
  const api = clientAt(fleet, 1);
  const { status, ...rest } = await readEscrow(api, escrow.id);
  const committed = status === 'COMMITTED';
  assert.equal(committed || status === 'CANCELLED', true, status);
  assert.deepEqual(await outcomesOf(escrow.id), [committed ? 'commit' : 'cancel']);
  assert.equal(rest.commit_invoice_id === '', !committed);
  assert.equal(rest.cancel_invoice_id === '', committed);
  const { wallet, card } = CHARGED[kind];
  const { spendable } = await api.money(who.account_id);
  assert.equal(spendable, committed ? FUNDS - wallet : FUNDS);
  assert.equal((await sellerHas()) - earned, committed ? PRICE : 0);
  const taken = card === 0 ? [] : [`capture ${card}`];
  assert.deepEqual(await statementOf(fleet, escrow.escrow_invoice_id), taken);
  const back = committed || card === 0 ? [] : [`refund ${card}`];
  if (!committed) assert.deepEqual(await statementOf(fleet, rest.cancel_invoice_id), back);
  const update = 'escrow-transaction-update';
  assert.deepEqual(await eventsOf(escrow.id), [update, update]);
}

for (let round = 0; round < ROUNDS; round += 1) {
  for (const kind of KINDS) {
    test(`${RACERS} commits and cancels of one escrow by ${kind}, round ${round}`, async () => {
      const who = await buyer(`outcome-${kind}-${round}`);
      const escrow = await opened(who, kind);
      await moved(clientAt(fleet, 0), escrow.id, 'pay', 'ESCROWED');
      const earned = await sellerHas();
      // Pairs, so that both processes are asked for both.
      const asked = (at: number): EscrowMove =>
        Math.floor(at / 2) % 2 === round % 2 ? 'commit' : 'cancel';
      const replies = await race(fleet, RACERS, (api, at) =>
        moveEscrow(api, escrow.id, asked(at)),
      );
      assert.deepEqual(refundedAmounts(replies), { 200: 1, '400 ESCROW_NOT_ESCROWED': RACERS - 1 });
      const winner = asked(replies.findIndex((reply) => reply.status === 200));
      const { status } = await readEscrow(clientAt(fleet, 0), escrow.id);
      assert.equal(status, winner === 'commit' ? 'COMMITTED' : 'CANCELLED');
      await ended(escrow, kind, who, earned);
    });

    test(`${RACERS} pays of one escrow by ${kind}, round ${round}: one charge`, async () => {
      const who = await buyer(`pays-${kind}-${round}`);
      const escrow = await opened(who, kind);
      const replies = await race(fleet, RACERS, (api) => moveEscrow(api, escrow.id, 'pay'));
      const { 200: paid, ...refused } = refundedAmounts(replies);
      assert.equal(paid, 1);
      const names = ['400 ESCROW_NOT_OPEN', '400 ESCROW_PAYMENT_IN_PROGRESS'];
      assert.deepEqual(Object.keys(refused).filter((name) => !names.includes(name)), []);
      assert.equal((await readEscrow(clientAt(fleet, 1), escrow.id)).status, 'ESCROWED');
      const { wallet, card } = CHARGED[kind];
      assert.equal((await clientAt(fleet, 1).money(who.account_id)).spendable, FUNDS - wallet);
      const taken = card === 0 ? [] : [`capture ${card}`];
      assert.deepEqual(await statementOf(fleet, escrow.escrow_invoice_id), taken);
      await proof(fleet);
    });
  }
}

test('commits under one key and cancels under another: the winner repeats its answer', async () => {
  const who = await buyer('keys');
  const escrow = await opened(who, 'wallet and card');
  const key = (move: EscrowMove): string => `${move}-${escrow.id}`;
  const paid = await race(fleet, 40, (api) => moveEscrow(api, escrow.id, 'pay', key('pay')));
  assert.deepEqual(refundedAmounts(paid), { 200: 40 });
  assert.equal(new Set(paid.map((reply) => reply.text)).size, 1, 'pays under one key differ');
  const earned = await sellerHas();
  const asked = (at: number): EscrowMove => (Math.floor(at / 2) % 2 ? 'commit' : 'cancel');
  const replies = await race(fleet, 80, (api, at) =>
    moveEscrow(api, escrow.id, asked(at), key(asked(at))),
  );
  assert.deepEqual(refundedAmounts(replies), { 200: 40, '400 ESCROW_NOT_ESCROWED': 40 });
  const won = replies.filter((reply) => reply.status === 200).map((reply) => reply.text);
  assert.equal(new Set(won).size, 1);
  await ended(escrow, 'wallet and card', who, earned);
});

test('many escrows of one seller, paid and ended at once, do not block each other', async () => {
  const buyers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => buyer(`hot-${at}`)),
  );
  const earned = await sellerHas();
  let committed = 0;
  const lane = async (who: Buyer, at: number): Promise<void> => {
    for (let n = 0; n < 4; n += 1) {
      const api = clientAt(fleet, at + n);
      const kind = KINDS[(at + n) % KINDS.length] as Kind;
      const { account_id, parts } = who;
      const { id } = await openEscrow(api, PRICE, parts[kind], { account_id });
      await moved(clientAt(fleet, at), id, 'pay', 'ESCROWED');
      const commit = (at + n) % 4 > 0;
      await moved(
        clientAt(fleet, at + n + 1),
        id,
        commit ? 'commit' : 'cancel',
        commit ? 'COMMITTED' : 'CANCELLED',
      );
      if (commit) committed += 1;
    }
  };
  await Promise.all(buyers.map(lane));
  await proof(fleet);
  assert.equal((await sellerHas()) - earned, committed * PRICE);
});

/** Advances the time of every workspace. */
async function jump(days: number): Promise<void> {
  await fleet.db.execute({
    text: 'update workspace set clock_offset = clock_offset + make_interval(days => $1)',
    values: [days],
  });
}

async function allWarned(escrows: readonly EscrowSeen[]): Promise<void> {
  const deadline = Date.now() + 15_000;
  const ids = escrows.map(({ id }) => uuidOfWireId('esc', id));
  for (;;) {
    const rows = await fleet.db.query<{ waiting: bigint }>({
      text: 'select count(*) as waiting from escrow where id = any($1) and not warned',
      values: [ids],
    });
    if (rows[0]?.waiting === 0n) return;
    assert.ok(Date.now() < deadline, `${rows[0]?.waiting} are not warned`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

test('commits that race the end of the holding time: each escrow has one outcome', async (t) => {
  const api = clientAt(fleet, 0);
  const buyers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => buyer(`clock-${at}`)),
  );
  const escrows = await Promise.all(
    buyers.flatMap((who) => [opened(who, 'wallet and card'), opened(who, 'card')]),
  );
  await Promise.all(escrows.map(({ id }) => moved(api, id, 'pay', 'ESCROWED')));
  const earned = await sellerHas();
  await jump(1);
  await allWarned(escrows);
  // The clock looks once a second: commits of nearly two meet it wherever it is.
  await jump(1);
  const replies = await race(fleet, escrows.length, async (one, at): Promise<Reply> => {
    await new Promise((resolve) => setTimeout(resolve, at * 45));
    return moveEscrow(one, escrows[at]?.id ?? '', 'commit');
  });
  const counts = refundedAmounts(replies);
  t.diagnostic(`racers against the clock: ${JSON.stringify(counts)}`);
  const names = ['200', '400 ESCROW_NOT_ESCROWED'];
  assert.deepEqual(Object.keys(counts).filter((name) => !names.includes(name)), []);
  assert.ok((counts['400 ESCROW_NOT_ESCROWED'] ?? 0) > 0, 'the clock did nothing');
  await proof(fleet);
  for (const [at, { id }] of escrows.entries()) {
    const { status } = await readEscrow(api, id);
    assert.equal(status, replies[at]?.status === 200 ? 'COMMITTED' : 'CANCELLED');
  }
  assert.equal((await sellerHas()) - earned, (counts['200'] ?? 0) * PRICE);
});
