// Rows of a statement that no payer sent: what the processor transferred to the bank, and payouts
// that came back. Neither is an incoming transfer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { creditorReference, inFours } from '../../../core/bank-numbers.ts';
import { containsCardNumber } from '../../../core/card-number.ts';
import type { Command } from '../../../engine/index.ts';
import { newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { camtFile, type TestEntry } from '../../../../test/kit/bank.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import {
  bookStatementRow,
  providerPayoutsUnderWay,
  type StatementFacts,
} from '../treasury/index.ts';
import { beginTransfer } from '../wallet/index.ts';
import {
  importStatement,
  incomingTransfer,
  openEntries,
  record,
  recordedAlike,
  same,
  second,
  setBankAccount,
} from './index.ts';

const IBAN = 'DE89370400440532013000';
let bench: Bench;
let workspace: number;
before(async () => {
  bench = await openBench(['EUR']);
  workspace = bench.home.workspace;
  await setBankAccount(bench.services, workspace, {
    ...{ currency: 'EUR', number: IBAN, bic: '', holder: 'Shop', bankName: 'Bank', columns: null },
  }, 'operator');
});
after(() => bench.close());

async function imported(entry: TestEntry) {
  const file = camtFile({ number: IBAN, opening: '0', closing: entry.amount, entries: [entry] });
  return importStatement(bench.services, workspace, { bytes: Buffer.from(file) }, 'operator');
}

const run = async <I>(command: Command<I>, input: I): Promise<unknown> =>
  (await bench.services.engine.run(command, input, { workspace, actor: 'test' })).payload;

/** Stores a row of the processor's statement, and books it. */
async function booked(facts: Partial<StatementFacts>): Promise<string> {
  const row: StatementFacts = {
    ...{ id: newUuid(), kind: 'capture', reference: 'ch_1', amount: 9_000n, currency: 'EUR' },
    ...{ fee: 0n, available_at: null, charge_id: null, transfer_id: null, overdue: false },
    ...facts,
  };
  await bench.db.query({
    text: `insert into statement_line (workspace, id, line, key, reference, kind, part, amount,
      currency) select $1, $2, count(*) + 1, 'k', $3, $4, 1, $5, 'EUR' from statement_line`,
    values: [workspace, row.id, row.reference, row.kind, row.amount],
  });
  assert.equal(await run(bookStatementRow, row), true);
  return row.id;
}

test('what the processor sent to the bank is told from a payer, by reference and sum', async () => {
  await booked({});
  await booked({ kind: 'provider_payout', reference: 'po_1', amount: 5_000n });
  const other = await imported({ amount: '49.00', text: 'PROCESSOR po_1' });
  assert.deepEqual(other.taken.map(({ state }) => state), ['unallocated']);
  assert.deepEqual((await imported({ amount: '50.00', text: 'PROCESSOR po_1' })).taken, []);
  const settled = await bench.db.query(`select e.amount, e.settles, s.state from bank_entry e
    cross join settlement s where e.settles is not null and s.reference = 'po_1'`);
  const facts = { amount: 5_000n, settles: 'provider_payout', state: 'at_bank' };
  assert.deepEqual(settled, [facts]);
  const again = await imported({ amount: '50.00', text: 'again PROCESSOR po_1' });
  assert.deepEqual(again.taken.map(({ state }) => state), ['unallocated']);
});

test('an operator says what the processor sent where the bank names no reference', async () => {
  const atBank = async (): Promise<unknown> =>
    bench.db.query("select available from funds where place = 'bank'");
  await booked({ kind: 'provider_payout', reference: 'po_2', amount: 3_000n });
  const [made] = (await imported({ amount: '30.00', text: 'CARD PAYMENTS' })).taken;
  const before = await atBank();
  const row = await incomingTransfer(bench.db, workspace, made?.transfer_id ?? '');
  assert.ok(row?.state === 'unallocated');
  const wanted = { currency: 'EUR', amount: 3_000n, reference: null };
  const [sent, ...others] = await providerPayoutsUnderWay(bench.db, workspace, wanted);
  assert.deepEqual([sent?.reference, others.length], ['po_2', 0]);
  const transfer = { transferId: row.id, version: row.version, currency: 'EUR', amount: 3_000n };
  const operator = { operatorId: newUuid(), workspace };
  const end = await same(bench.services, operator, transfer, sent?.id ?? '');
  assert.equal(end.state, 'duplicate');
  const [settled] = await bench.db.query<{ state: string }>(
    "select state from settlement where reference = 'po_2'",
  );
  assert.equal(settled?.state, 'at_bank');
  assert.deepEqual(await atBank(), before, 'it is at the bank once');
  await booked({ reference: 'ch_2' });
  await booked({ kind: 'provider_payout', reference: 'po_3', amount: 3_000n });
  const [next] = await providerPayoutsUnderWay(bench.db, workspace, wanted);
  assert.equal(next?.reference, 'po_3');
  for (const one of [sent, next]) {
    const again = same(bench.services, operator, { ...transfer, version: 2 }, one?.id ?? '');
    await assert.rejects(again, (error: { spec?: { code: string } }) =>
      error.spec?.code === 'BANK_TRANSFER_CHANGED');
  }
});

test('a payout that came back is left to payouts, and any other return to a person', async () => {
  const account_id = await bench.newAccount();
  type Method = { id: string };
  const asked = { params: { account_id } };
  const [method] = await bench.must<Method[]>('listPaymentMethods', asked);
  const id = newUuid();
  const begin: Command<object> = {
    name: 'begin_test_transfer',
    load: () => {},
    decide(decision) {
      beginTransfer(decision, {
        ...{ id, purpose: 'payout', resourceId: uuidOfWireId('acct', account_id) ?? '' },
        ...{ kind: 'payout', target: 't', methodId: method?.id ?? '', currency: 'EUR' },
        ...{ amount: 700n, rail: 'file' },
      });
      return { status: 200, payload: null };
    },
  };
  await run(begin, {});
  const back = (endToEndId: string): string =>
    `<TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>` +
    '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>';
  const ours = await imported({ amount: '7.00', details: back(id.replaceAll('-', '')) });
  assert.deepEqual(ours.taken, []);
  const open = await openEntries(bench.services, workspace);
  assert.deepEqual(open.map((one) => [one.amount, one.returned, one.ours]), [[700n, true, true]]);
  const foreign = await imported({ amount: '7.00', details: back(newUuid().replaceAll('-', '')) });
  assert.deepEqual(foreign.taken.map(({ why }) => why), ['returned_payment']);
});

test('a transfer that waits for a second person is not booked beside its row', async () => {
  const params = { account_id: await bench.newAccount() };
  type Method = { psp_reference: string };
  const [found] = await bench.must<Method[]>('listPaymentMethods', { params });
  const wallet = found?.psp_reference ?? '';
  const told = { params: { wallet_id: wallet } };
  const { reference } = await bench.must<Record<string, string>>('getDepositInstructions', told);
  const by = (operatorId = newUuid()) => ({ operatorId, workspace });
  const made = await record(bench.services, by(), {
    ...{ currency: 'EUR', amount: 2_000_000n, wallet, bankReference: 'by hand' },
    valueDate: '2026-11-20',
  });
  assert.equal(made.state, 'proposed');
  const arrives = { amount: '20000.00', text: reference ?? '', reference: "the bank's" };
  const [row] = (await imported(arrives)).taken;
  assert.deepEqual([row?.state, row?.why], ['unallocated', 'recorded_perhaps']);
  const seen = async (id = '') => {
    const one = await incomingTransfer(bench.db, workspace, id);
    assert.ok(one);
    return { ...one, transferId: id, walletId: one.wallet_id };
  };
  const open = await seen(row?.transfer_id);
  assert.deepEqual(await recordedAlike(bench.db, workspace, open), []);
  const tooEarly = same(bench.services, by(), open, made.transfer_id);
  await assert.rejects(tooEarly, (error: { spec?: { code: string } }) =>
    error.spec?.code === 'BANK_TRANSFER_NOT_FOUND');
  await second(bench.services, by(), await seen(made.transfer_id), true, []);
  const end = await same(bench.services, by(), open, made.transfer_id);
  assert.deepEqual([end.state, (await seen(made.transfer_id)).awaits], ['duplicate', null]);
});

test('no reference looks like a card number, which nobody may send as text', async () => {
  const rows = await bench.db.query<{ digits: string }>(
    'select reference_digits(gen_random_uuid()) as digits from generate_series(1, 5000)',
  );
  assert.ok(rows.every(({ digits }) => /^\d{16}$/.test(digits)));
  const shown = rows.map(({ digits }) => inFours(creditorReference(digits)));
  assert.deepEqual(shown.filter(containsCardNumber), []);
});
