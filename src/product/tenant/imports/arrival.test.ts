// The money of opening balances arrives at the bank: recorded by one operator and confirmed by
// another, or found on a statement; never more of it than is expected, and each cent once. [G-97]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { machines } from '../../../catalogue.ts';
import { newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { camtFile, type TestEntry } from '../../../../test/kit/bank.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import {
  allocate,
  importStatement,
  incomingTransfer,
  record,
  second,
  setBankAccount,
} from '../../money/bank/index.ts';
import { expectedOpenings } from '../../money/treasury/index.ts';
import { explain } from '../../tell/explain/timeline.ts';
import { accounts } from './accounts.ts';
import { importFile } from './import-file.ts';
import { bookBlock } from './opening-lines.ts';
import { confirm, listOpenings } from './openings.ts';
import { prepareFile } from './prepare-opening.ts';

const NUMBER = 'DE89370400440532013000';
const [ann, bob] = [newUuid(), newUuid()];
let bench: Bench;
let workspace = 0;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

before(async () => {
  bench = await openBench(['EUR']);
  workspace = bench.home.workspace;
  const { services, home } = bench;
  await setBankAccount(services, workspace, {
    ...{ currency: 'EUR', number: NUMBER, bic: '', holder: 'Shop', bankName: 'B', columns: null },
  }, 'operator');
  const listener = { refused: () => assert.fail('a row was refused'), known() {} };
  const given = { place: home, actor: 'operator', trial: false, listener };
  const people = 'account,username\nm-1,one\nm-2,two\n';
  await importFile(services, bytesOf(people), { ...given, kind: accounts });
  const by = { workspace, actor: `operator:${ann}`, operator: ann, trial: false };
  const stated = { ...by, currency: 'EUR', total: 1_000n, lines: 2 };
  const rows = 'account,currency,amount\nm-1,EUR,600\nm-2,EUR,400\n';
  const { id } = await prepareFile(services, bytesOf(rows), stated, () => {});
  assert.ok(id);
  assert.deepEqual(await expected(), 0n);
  await confirm(services, { workspace, id, operator: bob });
  assert.equal(await bookBlock(services, { workspace, id }), 'booked');
});
after(async () => {
  await bench.proved();
  await bench.close();
});

test('an imported file is explained by its id and by its SHA-256', async () => {
  const [file] = await listOpenings(bench.db, workspace);
  for (const id of [file?.id ?? '', file?.digest ?? '']) {
    const told = await explain(bench.db, workspace, id, machines);
    assert.deepEqual([told?.kind, told?.state, told?.id], ['opening', 'booked', file?.id]);
    assert.equal(await explain(bench.db, bench.other.workspace, id, machines), null);
  }
});

async function expected(): Promise<bigint> {
  const all = await expectedOpenings(bench.db, workspace);
  return all.find(({ currency }) => currency === 'EUR')?.amount ?? 0n;
}

async function atBank(): Promise<bigint> {
  const [row] = await bench.db.query<{ available: bigint }>(
    `select available from funds where place = 'bank' and currency = 'EUR'`,
  );
  return row?.available ?? 0n;
}

async function code(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error.spec.code;
    throw error;
  }
  return 'nothing';
}

const by = (operatorId: string) => ({ operatorId, workspace });

async function seen(id: string) {
  const row = await incomingTransfer(bench.db, workspace, id);
  assert.ok(row);
  return row;
}

function recorded(amount: bigint, bankReference: string) {
  const stated = { currency: 'EUR', amount, wallet: null, bankReference, valueDate: '2026-11-20' };
  return record(bench.services, by(ann), stated);
}

/** Another operator's word about it. */
async function said(id: string, agrees: boolean, operator = bob): Promise<string> {
  const { version, wallet_id: walletId } = await seen(id);
  const transfer = { transferId: id, version, walletId };
  return code(second(bench.services, by(operator), transfer, agrees, []));
}

let balance = 0;
async function stated(entry: TestEntry): Promise<string> {
  const before = balance;
  balance += Number(entry.amount);
  const [opening, closing] = [before.toFixed(2), balance.toFixed(2)];
  const file = camtFile({ number: NUMBER, opening, closing, entries: [entry] });
  const bytes = Buffer.from(file);
  const { taken } = await importStatement(bench.services, workspace, { bytes }, 'operator');
  return taken[0]?.transfer_id ?? '';
}

test('one operator records it, another confirms, and the statement shows it later', async () => {
  const made = await recorded(300n, 'OPEN-1');
  assert.equal(made.state, 'proposed', 'below any limit');
  assert.deepEqual([await expected(), await atBank()], [1_000n, 0n]);
  assert.equal(await said(made.transfer_id, true, ann), 'BANK_SAME_PERSON');
  assert.equal(await said(made.transfer_id, true), 'nothing');
  assert.equal((await seen(made.transfer_id)).state, 'covered');
  assert.deepEqual([await expected(), await atBank()], [700n, 300n]);
  await bench.proved();
  assert.equal(await stated({ amount: '3.00', reference: 'OPEN-1' }), made.transfer_id);
  const row = await seen(made.transfer_id);
  assert.deepEqual([row.state, row.awaits, row.entry_id === null], ['covered', null, false]);
  assert.deepEqual([await expected(), await atBank()], [700n, 300n]);
  assert.equal(await code(recorded(300n, 'OPEN-1')), 'BANK_REFERENCE_USED');
  await bench.proved();
});

test('a row of a statement is given to them, or left open where one disagrees', async () => {
  const id = await stated({ amount: '2.00', text: 'transfer of balances', reference: 'OPEN-2' });
  const proposed = async (): Promise<string> => {
    const { version, currency } = await seen(id);
    const transfer = { transferId: id, version, currency };
    return (await allocate(bench.services, by(ann), transfer, null)).state;
  };
  assert.equal(await proposed(), 'allocating');
  assert.equal(await said(id, false), 'nothing');
  assert.equal((await seen(id)).state, 'unallocated');
  assert.equal(await expected(), 700n);
  assert.equal(await proposed(), 'allocating');
  assert.equal(await said(id, true), 'nothing');
  assert.deepEqual([await expected(), await atBank()], [500n, 500n]);
  await bench.proved();
});

test('no more arrives than is expected, also of two at the same moment', async () => {
  assert.equal(await code(recorded(501n, 'OPEN-3')), 'BANK_NOT_EXPECTED');
  const [one, two] = [await recorded(400n, 'OPEN-4'), await recorded(300n, 'OPEN-5')];
  const answers = await Promise.all([one, two].map(({ transfer_id: id }) => said(id, true)));
  assert.deepEqual(answers.toSorted(), ['BANK_NOT_EXPECTED', 'nothing']);
  const left = await expected();
  assert.ok(left === 100n || left === 200n, String(left));
  const loser = answers[0] === 'nothing' ? two : one;
  assert.equal(await said(loser.transfer_id, false), 'nothing');
  assert.equal((await seen(loser.transfer_id)).state, 'rejected');
  const last = await recorded(left, 'OPEN-6');
  await said(last.transfer_id, true);
  assert.deepEqual([await expected(), await atBank()], [0n, 1_000n]);
  assert.equal(await code(recorded(1n, 'OPEN-7')), 'BANK_NOT_EXPECTED');
});
