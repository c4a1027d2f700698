// The laws about bank transfers see what they should: with the database's guards off, each planted
// breach is found by its law.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { runProofs } from '../../../ledger/index.ts';
import { camtFile } from '../../../../test/kit/bank.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { decideBankRow, importStatement, setBankAccount, undecidedRows } from './index.ts';
import { laws } from './laws.ts';

const IBAN = 'DE89370400440532013000';
let bench: Bench;
before(async () => {
  bench = await openBench(['EUR']);
  const { services, home: { workspace } } = bench;
  await setBankAccount(services, workspace, {
    ...{ currency: 'EUR', number: IBAN, bic: '', holder: 'Shop', bankName: 'Bank', columns: null },
  }, 'operator');
  const params = { account_id: await bench.newAccount() };
  type Method = { psp_reference: string };
  const [wallet] = await bench.must<Method[]>('listPaymentMethods', { params });
  const wallet_id = wallet?.psp_reference ?? '';
  const told = { params: { wallet_id } };
  const { reference } = await bench.must<Record<string, string>>('getDepositInstructions', told);
  const fee = { amount: '1.00', sign: 'DBIT' } as const;
  const entries = [{ amount: '5.00', text: reference ?? '' }, { amount: '3.00' }, fee];
  const file = camtFile({ number: IBAN, opening: '0', closing: '7', entries });
  const done = await importStatement(services, workspace, { bytes: Buffer.from(file) }, 'operator');
  assert.deepEqual(done.taken.map(({ state }) => state).toSorted(), ['credited', 'unallocated']);
  const [row] = await undecidedRows(bench.db, workspace, 1);
  const said = { entryId: row?.id ?? '', kind: 'bank_fee', transferId: null } as const;
  await decideBankRow(services, { operatorId: newUuid(), workspace }, said);
  await bench.proved();
});
after(() => bench.close());

const posting = (kind: string): string => `update posting p set amount = amount - 1
  from ledger_account a where a.workspace = p.workspace and a.id = p.account_id
    and a.kind = '${kind}'`;

/** What each law finds. */
const BREACHES: Readonly<Record<string, readonly string[]>> = {
  credited_transfers_are_deposited_once: [
    `update deposit set incoming_transfer_id = null`,
    `update deposit set state = 'requested'`,
    `update deposit set amount = amount + 1`,
    `update incoming_transfer set state = 'returned' where state = 'credited'`,
    `update incoming_transfer set state = 'credited', wallet_id = (select max(wallet_id::text)
      from incoming_transfer)::uuid`,
  ],
  bank_in_is_what_came_in: [
    posting('bank'),
    `update incoming_transfer set state = 'returned' where state = 'unallocated'`,
    `update incoming_transfer set amount = amount + 1`,
  ],
  unallocated_is_open: [
    posting('bank_unallocated'),
    `update incoming_transfer set state = 'duplicate' where state = 'unallocated'`,
    `update incoming_transfer set state = 'returning' where state = 'credited'`,
  ],
  openings_are_covered_once: [
    `update incoming_transfer set state = 'covered', wallet_id = null where state = 'credited'`,
    `update posting p set account_id = o.id from ledger_account a, ledger_account o
      where a.workspace = p.workspace and a.id = p.account_id and a.kind = 'bank_unallocated'
        and o.workspace = p.workspace and o.kind = 'opening_balances' and o.currency = p.currency`,
  ],
  decided_rows_are_booked_once: [
    posting('bank'),
    posting('bank_fees'),
    `update bank_entry set settles = null where settles = 'bank_fee'`,
    `update bank_entry set settles = 'own_payment' where settles = 'bank_fee'`,
    `update bank_entry set settles = 'reversal' where direction = 'credit'`,
    `update bank_booking set amount = -amount`,
    `update bank_booking set state = 'rejected'`,
  ],
  transfers_agree_with_the_statement: [
    `update bank_entry set amount = amount + 1`,
    `update bank_entry set direction = 'debit'`,
    `update incoming_transfer set currency = 'USD'`,
  ],
};

const UNDO = new Error('the planted rows go away');

/** How many breaches of a law there are after the change, which is undone. */
async function found(name: string, change: string): Promise<number> {
  let breaches = 0;
  const law = laws.filter((one) => one.name === name);
  const planted = bench.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    assert.ok((await tx.execute(change)) > 0, change);
    breaches = (await runProofs(tx, law))[0]?.breaches ?? 0;
    throw UNDO;
  });
  await assert.rejects(planted, UNDO);
  return breaches;
}

test('each law has planted breaches', () => {
  assert.deepEqual(Object.keys(BREACHES), laws.map(({ name }) => name));
});

for (const [name, changes] of Object.entries(BREACHES)) {
  test(`a planted breach of ${name} is found`, async () => {
    for (const change of changes) assert.ok((await found(name, change)) > 0, change);
  });
}
