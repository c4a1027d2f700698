// Incoming transfers end to end on a bench: statements that come twice, overlap or name nobody,
// what operators record and decide, and that every law of the books holds.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { creditorReference, inFours } from '../../../core/bank-numbers.ts';
import { Refusal } from '../../../core/refusal.ts';
import { newUuid, wireId } from '../../../core/ids.ts';
import { systemAccountId } from '../../../ledger/index.ts';
import { camtFile, type TestEntry } from '../../../../test/kit/bank.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import {
  allocate,
  csvColumns,
  faultOf,
  importStatement,
  incomingTransfer,
  incomingTransfers,
  openEntries,
  openPayer,
  record,
  recordedAlike,
  same,
  second,
  sendBack,
  setBankAccount,
  type BankAccountFacts,
  type Imported,
  type IncomingSeen,
} from './index.ts';

const IBAN = 'DE89370400440532013000';
const FACTS: BankAccountFacts = {
  ...{ currency: 'EUR', number: IBAN, bic: 'COBADEFFXXX', holder: 'Shop GmbH' },
  ...{ bankName: 'Bank', columns: null },
};
const LARGE = 1_000_000n;

let bench: Bench;
let workspace: number;
let wallet: string;
let account: string;
let reference: string;
/** In cents, as the bank says. */
let balance: bigint;
const [ann, bob] = [newUuid(), newUuid()];

before(async () => {
  bench = await openBench(['EUR', 'USD']);
  workspace = bench.home.workspace;
  balance = 0n;
  await setBankAccount(bench.services, workspace, FACTS, 'operator');
});
after(() => bench.close());
beforeEach(async () => {
  account = await bench.newAccount();
  wallet = await walletOf(account);
  reference = (await instructions(wallet)).reference ?? '';
});

async function walletOf(account_id: string, currency = 'EUR'): Promise<string> {
  type Method = { processing_currency: string; psp_reference: string };
  const all = await bench.must<Method[]>('listPaymentMethods', { params: { account_id } });
  return all.find((one) => one.processing_currency === currency)?.psp_reference ?? '';
}

function instructions(wallet_id: string): Promise<Record<string, string>> {
  return bench.must('getDepositInstructions', { params: { wallet_id } });
}

async function spendable(account_id = account): Promise<number> {
  type Balances = { balances: Record<string, { spendable: { balance: number } }> };
  const { balances } = await bench.must<Balances>('getBalances', { params: { account_id } });
  return balances['EUR']?.spendable.balance ?? -1;
}

const cents = (units: bigint): string => {
  const text = String(units < 0n ? -units : units).padStart(3, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
};

/** A file whose entries start from the balance so far. */
function fileOf(entries: readonly TestEntry[]): Buffer {
  const sum = entries.reduce((total, { amount, sign }) => {
    const units = BigInt(amount.replace('.', ''));
    return total + (sign === 'DBIT' ? -units : units);
  }, balance);
  const text = camtFile({ number: IBAN, opening: cents(balance), closing: cents(sum), entries });
  balance = sum;
  return Buffer.from(text);
}

function imported(bytes: Uint8Array, currency?: string): Promise<Imported> {
  return importStatement(bench.services, workspace, { bytes, currency }, 'operator');
}

async function only({ taken }: Imported): Promise<IncomingSeen> {
  assert.equal(taken.length, 1);
  return seen(taken[0]?.transfer_id ?? '');
}

async function seen(id: string): Promise<IncomingSeen> {
  const found = await incomingTransfer(bench.db, workspace, id);
  assert.ok(found);
  return found;
}

async function refusedWith(code: string, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.spec.code, code);
    return true;
  });
}

const operator = (operatorId: string) => ({ operatorId, workspace });
const at = ({ id, version, currency, wallet_id }: IncomingSeen) => ({
  ...{ transferId: id, version, currency, walletId: wallet_id },
});

let numbers = 0;
const bankReference = (): string => `BK${(numbers += 1)}`;

test('a wallet has one stable reference, and instructions need a bank account', async () => {
  const told = await instructions(wallet);
  assert.deepEqual(told, {
    ...{ wallet_id: wallet, currency: 'EUR', account_holder: 'Shop GmbH', bank_name: 'Bank' },
    ...{ iban: IBAN, account_number: '', bic: 'COBADEFFXXX' },
    ...{ reference, reference_display: inFours(reference) },
  });
  assert.match(reference, /^RF\d{18}$/);
  const ask = (wallet_id: string, caller = bench.caller(bench.home)) =>
    bench.call('getDepositInstructions', { params: { wallet_id }, caller });
  assert.equal((await ask(await walletOf(account, 'USD'))).code, 'BANK_ACCOUNT_NOT_CONFIGURED');
  for (const kind of ['user', 'session'] as const) {
    assert.equal((await ask(wallet, bench.caller(bench.home, kind, account))).status, 200);
    const stranger = bench.caller(bench.home, kind, wireId('acct', newUuid()));
    assert.equal((await ask(wallet, stranger)).code, 'WALLET_NOT_FOUND');
  }
  assert.equal((await ask(wallet, bench.caller(bench.other))).code, 'WALLET_NOT_FOUND');
  assert.equal((await ask('nothing')).code, 'WALLET_NOT_FOUND');
});

test('a transfer with the reference is deposited at once', async () => {
  const before = (await bench.events('deposit-completed')).length;
  const text = `for the shop ${inFours(reference).toLowerCase()}`;
  const done = await imported(fileOf([{ amount: '12.34', text, reference: bankReference() }]));
  const transfer = await only(done);
  assert.deepEqual([transfer.state, transfer.wallet_id, transfer.why], ['credited', wallet, null]);
  assert.equal(await spendable(), 1_234);
  const told = await bench.events('deposit-completed');
  assert.equal(told.length, before + 1);
  const message = told.find((one) => one['deposit_id'] === transfer.deposit_id);
  assert.deepEqual([message?.['state'], message?.['deposit_provider']], ['success', 'bank']);
  await bench.proved();
});

test('the same file, and rows that another file repeats, are taken once', async () => {
  const opening = balance;
  const entries = [
    { amount: '1.00', structured: reference, reference: bankReference() },
    { amount: '2.00', structured: reference },
    { amount: '2.00', structured: reference },
  ];
  const file = fileOf(entries);
  const first = await imported(file);
  assert.deepEqual([first.state, first.entries, first.new_entries], ['imported', 3, 3]);
  const nothing = { ...first, state: 'unchanged', new_entries: 0, taken: [] };
  assert.deepEqual(await imported(file), nothing);
  balance = opening;
  const longer = await imported(fileOf([...entries, { amount: '4.00', structured: reference }]));
  assert.deepEqual([longer.state, longer.new_entries, longer.taken.length], ['imported', 1, 1]);
  assert.equal(await spendable(), 900);
  await bench.proved();
});

test('what names no wallet is left to a person, with its reason', async () => {
  const usd = await walletOf(account, 'USD');
  const [row] = await bench.db.query<{ digits: string }>({
    text: 'select reference_digits($1) as digits',
    values: [usd],
  });
  const typo = reference.slice(0, -1) + String((Number(reference.at(-1)) + 1) % 10);
  const unknown = creditorReference('0000000000000000');
  const returned = '<TxDtls><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>';
  const cases: [string, Partial<TestEntry>][] = [
    ['no_reference', { text: 'rent' }],
    ['no_reference', {}],
    ['reference_mistyped', { text: typo }],
    ['reference_unknown', { text: unknown }],
    ['several_references', { text: `${reference} ${unknown}` }],
    ['other_currency', { text: creditorReference(row?.digits ?? '') }],
    ['returned_payment', { details: returned }],
  ];
  for (const [why, entry] of cases) {
    const transfer = await only(
      await imported(fileOf([{ amount: '3.00', reference: bankReference(), ...entry }])),
    );
    assert.deepEqual([transfer.state, transfer.why], ['unallocated', why]);
  }
  const block = { account_id: account, block_capability: 'login', block_reason: 'account_close' };
  await bench.must('blockAccount', { body: block });
  const blocked = await only(await imported(fileOf([{ amount: '3.00', text: reference }])));
  assert.deepEqual([blocked.state, blocked.why], ['unallocated', 'account_blocked']);
  assert.equal(await spendable(), 0);
  await bench.proved();
});

test('a refused file leaves nothing behind', async () => {
  const count = async (): Promise<unknown> =>
    bench.db.query('select (select count(*) from bank_entry), (select count(*) from posting)');
  const before = await count();
  const good = camtFile({
    ...{ number: IBAN, opening: '0.00', closing: '5.00' },
    entries: [{ amount: '5.00', text: reference, reference: 'refused' }],
  });
  const files: [string, string][] = [
    ['BANK_FILE_SUM_WRONG', good.replace('>0.00<', '>0.01<')],
    ['BANK_FILE_UNREADABLE', good.slice(0, -40)],
    ['BANK_FILE_OTHER_CURRENCY', good.replaceAll('EUR', 'USD')],
    ['BANK_FILE_OTHER_ACCOUNT', good.replace(IBAN, 'GB82WEST12345698765432')],
  ];
  for (const [code, text] of files) await refusedWith(code, imported(Buffer.from(text)));
  await refusedWith('BANK_FILE_OTHER_CURRENCY', imported(Buffer.from(good), 'USD'));
  const bytes = Buffer.from(good);
  const other = importStatement(bench.services, bench.other.workspace, { bytes }, 'operator');
  await refusedWith('BANK_FILE_OTHER_ACCOUNT', other);
  assert.deepEqual(await count(), before);
});

test('an import that was interrupted is finished by the next one', async () => {
  const { engine } = bench.services;
  const file = fileOf([
    { amount: '1.00', text: reference, reference: bankReference() },
    { amount: '1.50', text: reference, reference: bankReference() },
  ]);
  let runs = 0;
  const dying: typeof engine = Object.assign(Object.create(engine), {
    run: (...given: Parameters<typeof engine.run>) =>
      (runs += 1) > 1 ? Promise.reject(new Error('killed')) : engine.run(...given),
  });
  const services = { ...bench.services, engine: dying };
  const killed = importStatement(services, workspace, { bytes: file }, 'operator');
  await assert.rejects(killed, /killed/);
  assert.equal(await spendable(), 100);
  assert.equal((await imported(file)).taken.length, 1);
  assert.equal(await spendable(), 250);
  await bench.proved();
});

test('two imports of one file at a time credit once', async () => {
  const file = fileOf([{ amount: '6.00', text: reference, reference: bankReference() }]);
  await Promise.all([imported(file), imported(file), imported(file)]);
  assert.equal(await spendable(), 600);
  await bench.proved();
});

test('an open transfer is given to a wallet, above the limit by two people', async () => {
  const open = async (amount: string): Promise<IncomingSeen> =>
    only(await imported(fileOf([{ amount, text: 'rent', reference: bankReference() }])));
  const small = await open('10.00');
  const before = await incomingTransfers(bench.db, workspace, 100);
  assert.ok(before.open.some(({ id }) => id === small.id));
  await refusedWith('BANK_WALLET_NOT_FOUND',
    allocate(bench.services, operator(ann), at(small), 'nobody'));
  const given = await allocate(bench.services, operator(ann), at(small), account);
  assert.equal(given.state, 'credited');
  await refusedWith('BANK_TRANSFER_CHANGED',
    allocate(bench.services, operator(ann), at(small), account));
  const large = await open('10000.00');
  await allocate(bench.services, operator(ann), at(large), reference);
  const proposed = await seen(large.id);
  assert.equal(proposed.state, 'allocating');
  const confirm = (who: string, agrees: boolean, row: IncomingSeen, dependent: string[] = []) =>
    second(bench.services, operator(who), at(row), agrees, dependent);
  await refusedWith('BANK_SAME_PERSON', confirm(ann, true, proposed));
  await refusedWith('BANK_NOT_INDEPENDENT', confirm(bob, true, proposed, [ann]));
  assert.equal((await confirm(bob, false, proposed)).state, 'unallocated');
  await refusedWith('BANK_TRANSFER_CHANGED', confirm(bob, true, proposed));
  await allocate(bench.services, operator(ann), at(await seen(large.id)), wallet);
  assert.equal((await confirm(bob, true, await seen(large.id))).state, 'credited');
  assert.equal(await spendable(), 1_001_000);
  await bench.proved();
});

test('a transfer recorded by hand is credited, and is the row of the statement', async () => {
  const bank = bankReference();
  const stated = {
    ...{ currency: 'EUR', amount: 700n, wallet: reference, bankReference: bank },
    valueDate: '2026-11-20',
  };
  const by = (more: Partial<typeof stated> = {}) =>
    record(bench.services, operator(ann), { ...stated, ...more });
  const made = await by();
  assert.equal(made.state, 'credited');
  await refusedWith('BANK_REFERENCE_USED', by());
  await refusedWith('BANK_WALLET_NOT_FOUND', by({ wallet: 'nobody', bankReference: 'other' }));
  await refusedWith('BANK_ACCOUNT_NOT_CONFIGURED', by({ currency: 'USD' }));
  await refusedWith('DEPOSIT_TOO_LARGE', by({ amount: 10n ** 16n, bankReference: 'other' }));
  const row = { amount: '7.00', text: reference, reference: bank };
  const { id, state, awaits } = await only(await imported(fileOf([row])));
  assert.deepEqual([id, state, awaits], [made.transfer_id, 'credited', null]);
  assert.equal(await spendable(), 700);
  await refusedWith('BANK_REFERENCE_USED', by());
  await bench.proved();
});

test('a row that may be one recorded by hand is not credited twice', async () => {
  const stated = {
    ...{ currency: 'EUR', amount: 801n, wallet, bankReference: 'typed', valueDate: '2026-11-18' },
  };
  const made = await record(bench.services, operator(ann), stated);
  const row = await only(
    await imported(fileOf([{ amount: '8.01', text: reference, reference: bankReference() }])),
  );
  assert.deepEqual([row.state, row.why], ['unallocated', 'recorded_perhaps']);
  const alike = await recordedAlike(bench.db, workspace, row);
  assert.deepEqual(alike.map(({ id }) => id), [made.transfer_id]);
  const asSeen = { ...row, transferId: row.id };
  await refusedWith('BANK_TRANSFER_NOT_FOUND', same(bench.services, operator(bob), asSeen, row.id));
  const end = await same(bench.services, operator(bob), asSeen, made.transfer_id);
  assert.equal(end.state, 'duplicate');
  assert.equal(await spendable(), 801);
  await bench.proved();
});

test('a large transfer recorded by hand waits for a second person', async () => {
  const stated = {
    ...{ currency: 'EUR', amount: LARGE, wallet, bankReference: bankReference() },
    valueDate: '2026-11-20',
  };
  const made = await record(bench.services, operator(ann), stated);
  assert.equal(made.state, 'proposed');
  assert.equal(await spendable(), 0);
  const row = await seen(made.transfer_id);
  await refusedWith('BANK_SAME_PERSON', second(bench.services, operator(ann), at(row), true, []));
  await second(bench.services, operator(bob), at(row), false, []);
  const again = await record(bench.services, operator(ann), stated);
  await imported(fileOf([{ amount: '10000.00', reference: stated.bankReference }]));
  const late = second(bench.services, operator(bob), at(await seen(again.transfer_id)), true, []);
  await refusedWith('BANK_REFERENCE_USED', late);
  await bench.proved();
});

test('money that is sent back leaves the books when the statement shows it', async () => {
  const row = await only(
    await imported(fileOf([{ amount: '9.00', text: 'wrong shop', payer: 'Ann Payer' }])),
  );
  await sendBack(bench.services, operator(ann), at(row), true);
  await sendBack(bench.services, operator(ann), at(await seen(row.id)), false);
  await sendBack(bench.services, operator(ann), at(await seen(row.id)), true);
  await refusedWith('BANK_TRANSFER_CHANGED',
    sendBack(bench.services, operator(ann), at(row), true));
  const out = { sign: 'DBIT', text: `back ${row.return_reference}` } as const;
  await imported(fileOf([{ ...out, amount: '8.00' }]));
  assert.equal((await seen(row.id)).state, 'returning');
  await imported(fileOf([{ ...out, amount: '9.00' }]));
  assert.equal((await seen(row.id)).state, 'returned');
  const left = await openEntries(bench.services, workspace);
  assert.deepEqual(left.map(({ direction, amount }) => [direction, amount]), [['debit', 800n]]);
  const payer = await openPayer(bench.services, workspace, row, 'operator:x', 'support');
  assert.deepEqual(payer, { name: 'Ann Payer', number: '', text: 'wrong shop' });
  await bench.proved();
});

test('the integrator is funded by transfer too', async () => {
  const own = systemAccountId(workspace, 'integrator_share', 'EUR');
  const { reference: text } = await instructions(own);
  const row = await only(await imported(fileOf([{ amount: '5.00', text: text ?? '' }])));
  assert.deepEqual([row.state, row.wallet_id], ['credited', own]);
  const read = await bench.must<object>('getWallet', { params: { wallet_id: own } });
  assert.equal((read as Record<string, unknown>)['current_balance'], 500);
  await bench.proved();
});

test('a bank account is replaced, and its late statements are still taken', async () => {
  const number = 'GB82WEST12345698765432';
  await setBankAccount(bench.services, workspace, { ...FACTS, number }, 'operator');
  assert.equal((await instructions(wallet))['iban'], number);
  const row = await only(await imported(fileOf([{ amount: '1.11', text: reference }])));
  assert.equal(row.state, 'credited');
  await setBankAccount(bench.services, workspace, FACTS, 'operator');
  assert.equal((await instructions(wallet))['iban'], IBAN);
  assert.equal(faultOf(FACTS), null);
  assert.notEqual(faultOf({ ...FACTS, number: 'DE89370400440532013001' }), null);
  assert.notEqual(faultOf({ ...FACTS, holder: ' ' }), null);
  assert.equal(faultOf({ ...FACTS, number: '123456789' }), null);
  const none = { ...FACTS, currency: 'CHF' };
  assert.equal(await setBankAccount(bench.services, workspace, none, 'operator'), false);
});

test('days that came in one format are not imported in the other', async () => {
  const columns = csvColumns.parse({ booked: 'date', amount: 'amount', text: ['text'] });
  await setBankAccount(bench.services, workspace, { ...FACTS, columns }, 'operator');
  const csv = (day: string) => Buffer.from(`date,amount,text\n${day},2.22,${reference}\n`);
  await refusedWith('BANK_FILE_OTHER_FORMAT', imported(csv('2026-11-20'), 'EUR'));
  const row = await only(await imported(csv('2026-11-21'), 'EUR'));
  assert.equal(row.state, 'credited');
  await setBankAccount(bench.services, workspace, FACTS, 'operator');
  await bench.proved();
});
