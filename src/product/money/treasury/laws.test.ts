// The laws about where money lies see what they should: with the database's guards off, each
// planted breach is found by its law.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { newUuid } from '../../../core/ids.ts';
import { runProofs } from '../../../ledger/index.ts';
import { createWorkspace } from '../../tenant/tenant/index.ts';
import { laws } from './laws.ts';

let base: TestDatabase;
let workspace = 0;
before(async () => {
  base = await testDatabase();
  ({ workspace } = await createWorkspace(base.db, { name: 'laws', currencies: ['USD'] }));
});
after(() => base.drop());

/** Postings of one step by kind of account. */
function posted(sums: Readonly<Record<string, number>>): string {
  const rows = Object.entries(sums).map(([kind, amount]) => `('${kind}', ${amount})`);
  return `insert into posting (workspace, resource_id, version, line, account_id, currency, amount)
    select a.workspace, '${newUuid()}', 1, row_number() over (), a.id, 'USD', k.amount
    from ledger_account a join (values ${rows.join(', ')}) as k (kind, amount) on k.kind = a.kind`;
}

const line = newUuid();
const LINE = `insert into statement_line
    (workspace, id, line, key, reference, kind, part, amount, currency, fee, booked)
  values (1, '${line}', 1, 'k', 'r', 'capture', 1, 700, 'USD', 20, true)`;

/** A settlement of that row. */
function settled(state: string, more = { amount: 700, fee: 20, unreturned: 0 }): string {
  const { amount, fee, unreturned } = more;
  return `insert into settlement (workspace, id, line_id, kind, reference, currency, amount, fee,
      unreturned, due, state, version, updated)
    values (1, '${newUuid()}', '${line}', 'capture', 'r', 'USD', ${amount}, ${fee}, ${unreturned},
      ${state === 'pending' ? 'now()' : 'null'}, '${state}', 1, now())`;
}

const funds = newUuid();
const funded = (available: number, held: number): string => `insert into funds
    (workspace, id, place, currency, available, held, version, updated)
  values (1, '${funds}', 'processor', 'USD', ${available}, ${held}, 1, now())`;
const HELD = `insert into funds_hold (workspace, id, funds_id, amount, state, created, updated)
  values (1, '${newUuid()}', '${funds}', 50, 'held', now(), now())`;

const AVAILABLE = posted({ processor_available: -680, processor_fees: -20, escrow: 700 });

/** What each law finds, and the same books without it. */
const BREACHES: Readonly<Record<string, readonly [wrong: string[], right: string[]]>> = {
  money_lies_where_it_is_owed: [
    [posted({ bank: -100, bank_unallocated: 99 })],
    [posted({ bank: -100, bank_unallocated: 100 })],
  ],
  settlements_agree_with_the_statement: [
    [LINE, settled('available', { amount: -700, fee: 20, unreturned: 0 })],
    [LINE, settled('available')],
  ],
  available_is_what_was_settled: [
    [AVAILABLE, LINE, settled('pending')],
    [AVAILABLE, LINE, settled('available')],
  ],
  funds_stand_in_the_books: [[AVAILABLE, funded(679, 0)], [AVAILABLE, funded(680, 0)]],
  held_funds_are_held: [[funded(0, 51), HELD], [funded(0, 50), HELD]],
  in_transit_is_under_way: [
    [posted({ in_transit: -700, processor_available: 700 }), settled('in_transit')],
    [
      posted({ in_transit: -700, processor_available: 700 }),
      settled('in_transit', { amount: -700, fee: 0, unreturned: 0 }),
    ],
  ],
  fees_are_what_was_kept: [
    [posted({ dispute_fees: -19, escrow: 19 }), LINE, settled('available')],
    [posted({ dispute_fees: -20, escrow: 20 }), LINE, settled('available')],
  ],
  lost_fees_are_unreturned: [
    [posted({ unreturned_fees: -5, processor_fees: 5 }), settled('available')],
    [
      posted({ unreturned_fees: -5, processor_fees: 5 }),
      settled('available', { amount: 700, fee: 20, unreturned: 5 }),
    ],
  ],
};

const UNDO = new Error('the planted rows go away');

/** How many breaches of a law there are with such rows. */
async function found(name: string, rows: readonly string[]): Promise<number> {
  let breaches = 0;
  const law = laws.filter((one) => one.name === name);
  const planted = base.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    for (const row of rows) await tx.execute(row);
    breaches = (await runProofs(tx, law))[0]?.breaches ?? 0;
    throw UNDO;
  });
  await assert.rejects(planted, UNDO);
  return breaches;
}

test('each law has a planted breach', () => {
  assert.equal(workspace, 1);
  assert.deepEqual(Object.keys(BREACHES), laws.map(({ name }) => name));
});

for (const [name, [wrong, right]] of Object.entries(BREACHES)) {
  test(`${name} finds its breach, and nothing else`, async () => {
    assert.equal(await found(name, wrong), 1);
    assert.equal(await found(name, right), 0);
  });
}
