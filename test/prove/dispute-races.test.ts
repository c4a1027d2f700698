// A dispute races the decision of its escrow. Either the money was paid out or back first, and the
// integrator bears what is taken; or the escrow is frozen and bears it itself. [G-93, M10]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { changeDispute, openDispute } from '../../src/product/money/dispute/index.ts';
import {
  cancelEscrow,
  commitEscrow,
  createEscrow,
  invoiceOf,
  payEscrow,
  settleEscrowPayment,
} from '../../src/product/money/escrow/index.ts';
import { prepareInvoice } from '../../src/product/money/invoice/index.ts';
import { enableCurrency } from '../../src/product/tenant/tenant/index.ts';
import { moneyUnderWay } from '../../src/product/people/retention/index.ts';
import { accountId } from '../../src/core/ids.ts';
import { proved } from '../kit/books.ts';
import { Market } from '../laws/market.ts';
import { freshId, type Person } from '../laws/market-people.ts';
import { CURRENCY, submit, WORKSPACE } from '../laws/memory-core.ts';
import { openFixture, say, type Fixture } from '../laws/fixture.ts';

const AMOUNT = 700;
const ROUNDS = 12;
const HOLD = 3_600;
const OTHER = 'EUR';

let place: Fixture;
before(async () => {
  place = await openFixture();
  for (const submitted of Market.opening) await say(place, submitted);
  await enableCurrency(place.database.db, WORKSPACE, OTHER);
});
after(() => place?.database.drop());

const { people } = new Market(0, false, null, new Map());
const [buyer, seller, other] = people as [Person, Person, Person];

/** An escrow that was paid by card; gives its id and the charge's. */
async function held(payer = buyer): Promise<readonly [escrowId: string, attemptId: string]> {
  const id = freshId();
  const recipients = [{ amount: AMOUNT, destination_wallet_id: seller.wallet }];
  const line = { amount: AMOUNT, currency: CURRENCY, transaction_type: 'user_to_user' as const };
  const prepared = prepareInvoice(
    {
      account_id: accountId(payer.id),
      payment_methods: [{ payment_method_id: payer.methods[1] ?? '' }],
      line_items: [{ ...line, recipients }],
    },
    freshId,
    invoiceOf(id, 'escrow'),
  );
  const all = [
    submit(createEscrow, { id, prepared, holdSeconds: HOLD, integrator: 'laws' }),
    submit(payEscrow, { escrowId: id, integrator: 'laws' }),
  ];
  const attemptId = prepared.methods[0]?.subitemId ?? '';
  for (const state of ['authorized', 'captured'] as const) {
    const outcome = { state, reference: 'ch', amount: BigInt(AMOUNT), currency: CURRENCY };
    all.push(submit(settleEscrowPayment, { attemptId, outcome }));
  }
  for (const one of all) assert.match(await say(place, one), /^20\d$/, one.command.name);
  return [id, attemptId];
}

test('a commit or a cancel and a dispute: one is first, and the books know which', async () => {
  const ends = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const [escrowId, attemptId] = await held();
    const decide = round % 2 === 0 ? commitEscrow : cancelEscrow;
    const ids = { id: freshId(), reversalId: freshId(), reference: freshId(), attemptId };
    const what = { kind: 'chargeback', amount: BigInt(AMOUNT), currency: CURRENCY } as const;
    const told = { ...ids, ...what, reason: null, due_by: null };
    const opening = [1, 2].map(() => say(place, submit(openDispute, told)));
    // A dispute needs more look-ups: whoever decides begins later from round to round, at last
    // after it.
    if (round >= ROUNDS - 2) await Promise.all(opening);
    for (let turn = 0; turn < round; turn += 1) await nextTurn();
    const decided = await say(place, submit(decide, { escrowId, integrator: 'laws' }));
    assert.deepEqual(await Promise.all(opening), ['200', '200']);
    const [seen] = await place.database.db.query<{ state: string; said: string; n: bigint }>({
      text: `select e.state, case when e.time_left is null then 'decided' else 'frozen' end
          || ' ' || v.secured as said, count(*) over () as n
        from escrow e join dispute d on d.workspace = e.workspace and d.escrow_id = e.id
        join reversal v on v.workspace = d.workspace and v.id = d.reversal_id where e.id = $1`,
      values: [escrowId],
    });
    assert.equal(seen?.n, 1n, 'the dispute is there once');
    const expected = decided === '200' ? 'decided 0' : `frozen ${AMOUNT}`;
    assert.equal(seen?.said, expected, decided);
    assert.match(decided, /^(?:200|ESCROW_DISPUTED)$/);
    ends.set(decided, (ends.get(decided) ?? 0) + 1);
  }
  assert.equal(ends.size, 2, `only ${[...ends.keys()].join()} came first`);
  await proved(place.database.db);
});

test('an escrow waits for each dispute of its charge, in whatever currency', async () => {
  const [escrowId, attemptId] = await held(other);
  const open = async (currency: string): Promise<string> => {
    const ids = { id: freshId(), reversalId: freshId(), reference: freshId(), attemptId };
    const what = { kind: 'chargeback', amount: BigInt(AMOUNT), currency } as const;
    const told = { ...ids, ...what, reason: null, due_by: null };
    assert.equal(await say(place, submit(openDispute, told)), '200');
    return ids.reference;
  };
  const end = (reference: string, currency: string, to: 'won' | 'lost'): Promise<string> =>
    say(place, submit(changeDispute, { reference, to, amount: BigInt(AMOUNT), currency }));
  const commit = (): Promise<string> =>
    say(place, submit(commitEscrow, { escrowId, integrator: 'laws' }));
  const underWay = () => moneyUnderWay(place.database.db, WORKSPACE, other.id);
  const left = async (): Promise<number> => {
    const text =
      'select extract(epoch from due - clock_timestamp())::int4 as s from escrow where id = $1';
    const [row] = await place.database.db.query<{ s: number }>({ text, values: [escrowId] });
    return row?.s ?? 0;
  };
  const text = `update escrow set due = clock_timestamp() + interval '9 s' where id = $1`;
  await place.database.db.execute({ text, values: [escrowId] });
  const foreign = await open(OTHER);
  const secured = 'select max(secured) as most from reversal where attempt_id = $1';
  const [{ most } = {}] = await place.database.db.query<{ most: bigint }>({
    text: secured,
    values: [attemptId],
  });
  assert.equal(most, 0n, 'money in another currency was never held');
  const own = await open(CURRENCY);
  assert.equal(await end(foreign, OTHER, 'lost'), '200');
  assert.equal(await commit(), 'ESCROW_DISPUTED', 'the other one is open');
  assert.deepEqual(await underWay(), ['escrow', 'reversal'], 'nobody is erased meanwhile');
  await proved(place.database.db);
  const last = await open(OTHER);
  assert.equal(await end(own, CURRENCY, 'won'), '200');
  assert.equal(await commit(), 'ESCROW_DISPUTED');
  assert.equal(await end(last, OTHER, 'won'), '200');
  assert.ok((await left()) > HOLD / 2 - 60, 'somebody can decide before the clock does');
  assert.equal(await commit(), '200');
  assert.deepEqual(await underWay(), ['reversal']);
  await proved(place.database.db);
});
