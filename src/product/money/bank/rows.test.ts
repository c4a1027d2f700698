// Rows of a statement that settle nothing of ours: fees, interest, payments of the tenant and
// credits that the bank took back are decided by a person, booked once, and proved.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { camtFile, type TestEntry } from '../../../../test/kit/bank.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import {
  bankBalances,
  bankRow,
  decideBankRow,
  importStatement,
  incomingTransfer,
  record,
  secondBankRow,
  setBankAccount,
  takenBackPerhaps,
  undecidedRows,
  type BankRow,
  type RowKind,
} from './index.ts';

const IBAN = 'DE89370400440532013000';
let bench: Bench;
let workspace: number;
let reference = '';
/** In cents, as the bank says. */
let balance = 0n;
const [ann, bob] = [newUuid(), newUuid()];

before(async () => {
  bench = await openBench(['EUR']);
  workspace = bench.home.workspace;
  await setBankAccount(bench.services, workspace, {
    ...{ currency: 'EUR', number: IBAN, bic: '', holder: 'Shop', bankName: 'Bank', columns: null },
  }, 'operator');
  const params = { account_id: await bench.newAccount() };
  type Method = { psp_reference: string };
  const [wallet] = await bench.must<Method[]>('listPaymentMethods', { params });
  const told = { params: { wallet_id: wallet?.psp_reference ?? '' } };
  ({ reference = '' } = await bench.must<Record<string, string>>('getDepositInstructions', told));
});
afterEach(() => bench.proved());
after(() => bench.close());

const cents = (units: bigint): string => `${units < 0n ? '-' : ''}${(units < 0n ? -units : units)
  / 100n}.${String((units < 0n ? -units : units) % 100n).padStart(2, '0')}`;

let number = 0;

/** Imports one row; gives its incoming transfer, if it is one, and what waits for a decision. */
async function imported(units: bigint, more: Partial<TestEntry> = {}) {
  const sign = units < 0n ? 'DBIT' : 'CRDT';
  const bank = more.reference ?? `B-${(number += 1)}`;
  const amount = cents(units < 0n ? -units : units);
  const entry: TestEntry = { amount, sign, reference: bank, ...more };
  const opening = cents(balance);
  balance += units;
  const file = camtFile({ number: IBAN, opening, closing: cents(balance), entries: [entry] });
  const bytes = Buffer.from(file);
  const { taken } = await importStatement(bench.services, workspace, { bytes }, 'operator');
  const [entryRow] = await bench.db.query<{ id: string }>({
    text: 'select id from bank_entry where bank_reference = $1', values: [bank],
  });
  const row = await bankRow(bench.db, workspace, entryRow?.id ?? '');
  assert.ok(row, bank);
  return { transfer: taken[0]?.transfer_id ?? '', row };
}

const decide = ({ id: entryId }: BankRow, kind: RowKind, transferId: string | null = null) =>
  decideBankRow(bench.services, { operatorId: ann, workspace }, { entryId, kind, transferId });

async function confirm({ id }: BankRow, agrees: boolean, operatorId = bob, dependent = ['']) {
  const row = await bankRow(bench.db, workspace, id);
  assert.ok(row);
  return secondBankRow(bench.services, { operatorId, workspace }, row, agrees, dependent);
}

async function refused(code: string, work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(async () => work(), (error: { spec?: { code: string } }) => {
    assert.equal(error.spec?.code, code, String(error));
    return true;
  });
}

/** What a system account says, as a person counts it. */
async function said(kind: string): Promise<bigint> {
  const [row] = await bench.db.query<{ sum: bigint }>({
    text: `select coalesce(-sum(p.amount), 0)::bigint as sum from posting p
      join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
      where p.workspace = $1 and a.kind = $2`,
    values: [workspace, kind],
  });
  return row?.sum ?? -1n;
}

/** The bank place and the funds that payouts may take are what the bank says. */
async function atBank(): Promise<void> {
  const [both] = await bankBalances(bench.db, workspace);
  assert.deepEqual([both?.statements, both?.books, both?.unexplained], [balance, balance, 0n]);
  const funds = await bench.db.query("select available from funds where place = 'bank'");
  assert.deepEqual([await said('bank'), funds], [balance, [{ available: balance }]]);
}

const stateOf = async (id: string) => (await incomingTransfer(bench.db, workspace, id))?.state;

test('a fee of the bank is suggested, and booked once when a person says so', async () => {
  await imported(10_000n, { text: reference });
  const code = '<Domn><Cd>ACMT</Cd><Fmly><Cd>MDOP</Cd><SubFmlyCd>CHRG</SubFmlyCd></Fmly></Domn>';
  const { row } = await imported(-250n, { code });
  assert.deepEqual([row.suggestion, row.kind, row.is_payout], ['bank_fee', null, false]);
  assert.deepEqual((await undecidedRows(bench.db, workspace, 9)).map(({ id }) => id), [row.id]);
  assert.equal(await said('bank'), 10_000n, 'nothing is booked by itself');
  const [both] = await bankBalances(bench.db, workspace);
  assert.deepEqual([both?.statements, both?.books, both?.undecided, both?.unexplained],
    [9_750n, 10_000n, -250n, 0n]);
  assert.equal((await decide(row, 'bank_fee')).state, 'booked');
  assert.equal(await said('bank_fees'), 250n);
  await refused('BANK_ROW_CHANGED', () => decide(row, 'bank_fee'));
  await refused('BANK_ROW_NOT_FOUND', () => decide({ ...row, id: newUuid() }, 'bank_fee'));
  assert.deepEqual(await undecidedRows(bench.db, workspace, 9), []);
  await atBank();
});

test('interest and money of the tenant come in, and belong to nobody else', async () => {
  const { row, transfer } = await imported(40n, { text: 'interest' });
  await refused('BANK_ROW_OTHER_KIND', () => decide(row, 'reversal', transfer));
  assert.equal((await decide(row, 'bank_fee')).state, 'booked');
  assert.deepEqual([await stateOf(transfer), await said('bank_fees')], ['duplicate', 210n]);
  const own = await imported(5_000n, { text: 'from our other bank' });
  await decide(own.row, 'own_payment');
  assert.deepEqual([await said('own_payments'), await said('bank_unallocated')], [-5_000n, 0n]);
  const credited = await imported(100n, { text: reference });
  await refused('BANK_ROW_CHANGED', () => decide(credited.row, 'own_payment'));
  await atBank();
});

test('the tenant takes out no more than its own', async () => {
  const own = -(await said('own_payments')) - (await said('bank_fees'));
  const { row } = await imported(-own - 1n);
  await refused('BANK_NOT_OWN', () => decide(row, 'own_payment'));
  await imported(1n).then(({ row: paidBack }) => decide(paidBack, 'own_payment'));
  assert.equal((await decide(row, 'own_payment')).state, 'booked');
  assert.equal(await said('own_payments') + (await said('bank_fees')), 0n);
  await atBank();
});

test('a credit that nobody had goes back to the bank, once', async () => {
  const { transfer } = await imported(700n, { text: 'whose' });
  const { row } = await imported(-700n, { reversed: true });
  assert.equal(row.suggestion, 'reversal');
  assert.deepEqual((await takenBackPerhaps(bench.db, workspace, row)).map(({ id }) => id),
    [transfer]);
  for (const other of [null, 'no', newUuid()]) {
    await refused('BANK_TRANSFER_NOT_FOUND', () => decide(row, 'reversal', other));
  }
  await decide(row, 'reversal', transfer);
  assert.deepEqual([await stateOf(transfer), await said('bank_unallocated')], ['returned', 0n]);
  assert.equal(await said('bank_reversals'), 0n);
  await atBank();
});

test('a credit that a wallet had is borne by the tenant, once', async () => {
  const { transfer } = await imported(900n, { text: reference });
  const { row } = await imported(-900n, { reversed: true });
  await decide(row, 'reversal', transfer);
  assert.deepEqual([await stateOf(transfer), await said('bank_reversals')], ['credited', 900n]);
  const second = await imported(-900n, { reversed: true });
  assert.deepEqual(await takenBackPerhaps(bench.db, workspace, second.row), []);
  await refused('BANK_ROW_CHANGED', () => decide(second.row, 'reversal', transfer));
  await decide(second.row, 'bank_fee');
  await atBank();
});

test('a large row takes two people, of whom none depends on the other', async () => {
  const { row: paidIn, transfer } = await imported(3_000_000n);
  assert.equal((await decide(paidIn, 'own_payment')).state, 'proposed');
  assert.equal(await stateOf(transfer), 'unallocated', 'nothing is booked yet');
  await refused('BANK_ROW_CHANGED', () => decide(paidIn, 'bank_fee'));
  await refused('BANK_SAME_PERSON', () => confirm(paidIn, true, ann));
  await refused('BANK_NOT_INDEPENDENT', () => confirm(paidIn, true, bob, [ann]));
  assert.equal((await confirm(paidIn, false)).state, 'rejected');
  await refused('BANK_ROW_CHANGED', () => confirm(paidIn, true));
  await decide(paidIn, 'own_payment');
  assert.equal((await confirm(paidIn, true)).state, 'booked');
  const [first, other] = [(await imported(-2_000_000n)).row, (await imported(-2_000_000n)).row];
  await decide(first, 'own_payment');
  await decide(other, 'own_payment');
  const outcomes = await Promise.allSettled([confirm(first, true), confirm(other, true)]);
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const [left = first] = await undecidedRows(bench.db, workspace, 9);
  await confirm(left, false);
  await refused('BANK_NOT_OWN', () => decide(left, 'own_payment'));
});

test('both sides of the balance are compared; a missing statement is what is left', async () => {
  const stated = { currency: 'EUR', amount: 300n, wallet: reference, bankReference: 'by hand' };
  const operator = { operatorId: ann, workspace };
  await record(bench.services, operator, { ...stated, valueDate: '2026-11-20' });
  const [waits] = await bankBalances(bench.db, workspace);
  assert.deepEqual([waits?.by_hand, waits?.unexplained], [300n, 0n]);
  await imported(300n, { reference: 'by hand' });
  const [came] = await bankBalances(bench.db, workspace);
  assert.deepEqual([came?.by_hand, came?.unexplained], [0n, 0n]);
  balance += 12_345n;
  await imported(5n);
  const [missing] = await bankBalances(bench.db, workspace);
  assert.deepEqual([missing?.before, missing?.unexplained], [0n, 12_345n]);
});

test('money that was there before the first statement explains the difference', async () => {
  const { services, other } = bench;
  await setBankAccount(services, other.workspace, {
    ...{ currency: 'EUR', number: IBAN, bic: '', holder: 'Shop', bankName: 'Bank', columns: null },
  }, 'operator');
  assert.equal((await bankBalances(bench.db, other.workspace))[0]?.unexplained, null);
  for (const closing of ['7.00', '9.00']) {
    const opening = '7.00';
    const entries = closing === '9.00' ? [{ amount: '2.00' }] : [];
    const bytes = Buffer.from(camtFile({ number: IBAN, opening, closing, entries }));
    await importStatement(services, other.workspace, { bytes }, 'operator');
  }
  const [both] = await bankBalances(bench.db, other.workspace);
  assert.deepEqual([both?.before, both?.statements, both?.books, both?.unexplained],
    [700n, 900n, 200n, 0n]);
});
