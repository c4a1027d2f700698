// Statement files at the console: what was taken, matched and left is shown; a file that comes
// twice, is cut off, does not add up or is of another account changes nothing, in words. [G-91]
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { csvColumns, setBankAccount } from '../../src/product/money/bank/index.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { systemRandom } from '../../src/core/random.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { camtFile, type TestStatement } from '../kit/bank.ts';
import { proved } from '../kit/books.ts';
import { signedIn, type Browser, type Page } from './kit.ts';

const NUMBER = 'DE89370400440532013000';
let platform: Platform;
let vic: Browser;
let ruth: Browser;
let sven: Browser;
let workspace = 0;
let reference = '';

async function operator(username: string, roles: readonly Role[]): Promise<Browser> {
  const { db, keys } = platform;
  const services = { db, keys, random: systemRandom, env: 'staging' } as const;
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  const access = await createOperator(services, wish, 'operator');
  return signedIn((platform.ready.urls as Record<string, string>)['console'] ?? '', access);
}

async function account(currency: string, number: string, columns: object | null): Promise<void> {
  const facts = { currency, number, bic: '', holder: 'Shop GmbH', bankName: 'Test Bank' };
  const mapping = columns === null ? null : csvColumns.parse(columns);
  const { db } = platform;
  const wish = { ...facts, columns: mapping };
  assert.ok(await setBankAccount({ db, random: systemRandom }, workspace, wish, 'operator'));
}

before(async () => {
  platform = await startPlatform();
  const { db, api, ready } = platform;
  const [row] = await db.query<{ workspace: number }>({
    text: 'select workspace from workspace where integrator = $1 and main',
    values: [(ready as unknown as { integrator: string }).integrator],
  });
  workspace = row?.workspace ?? 0;
  await account('EUR', NUMBER, null);
  const { account_id } = ready.accounts.buyer;
  const [wallet] = await db.query<{ id: string }>({
    text: `select id from wallet where account_id = $1 and currency = 'EUR'`,
    values: [uuidOfWireId('acct', account_id)],
  });
  const told = `/v2/wallet/${wallet?.id}/deposit_instructions`;
  ({ reference } = await api.must<{ reference: string }>(200, 'wallets', 'GET', told));
  vic = await operator('vic', ['viewer']);
  ruth = await operator('ruth', ['reviewer']);
  sven = await operator('sven', ['supervisor']);
});
after(async () => {
  await proved(platform.db);
  await platform.stop();
});

function importing(file: string, format = '', who = ruth): Promise<Page> {
  return who.upload('/statements', { format }, 'statement', file, 'text/xml');
}

async function says(answer: Promise<Page>, status: number, ...words: string[]): Promise<Page> {
  const page = await answer;
  assert.equal(page.status, status, page.text);
  for (const word of words) assert.ok(page.text.includes(word), `${word} is not in ${page.text}`);
  return page;
}

const FIRST: TestStatement = {
  ...{ number: NUMBER, opening: '0.00', closing: '14.50' },
  get entries() {
    return [
      { amount: '12.50', text: `rent ${reference}`, reference: 'B-1', payer: 'Ada Payer' },
      { amount: '3.00', text: 'no idea', reference: 'B-2', payer: 'Ben Payer' },
      { amount: '1.00', sign: 'DBIT', text: 'account fee', reference: 'B-3' },
    ] as const;
  },
};

/** What is answered to a form of so many bytes, before any of them is sent. */
function announced(bytes: number): Promise<number> {
  const type = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': bytes };
  const headers = { ...type, origin: ruth.base, cookie: ruth.cookie };
  return new Promise((resolve, reject) => {
    const sent = request(`${ruth.base}/statements`, { method: 'POST', headers }, (answer) => {
      resolve(answer.statusCode ?? 0);
      sent.destroy();
    });
    sent.on('error', reject).flushHeaders();
  });
}

const entries = async (): Promise<number> =>
  (await platform.db.query('select from bank_entry')).length;

test('a file shows what was taken, what waits for a person and what settles nothing', async () => {
  await says(importing(camtFile(FIRST), '', vic), 403);
  const { location } = await says(importing(camtFile(FIRST)), 303);
  const page = await says(ruth.get(location ?? ''), 200, 'Imported. New rows: 3.', '14.50 EUR');
  const counts = /Matched<\/dt><dd>1<.*To decide<\/dt><dd>1<.*Debits to explain<\/dt><dd>1</s;
  assert.match(page.text, counts);
  assert.match(page.text, /B-2<.*unallocated.*B-1<.*credited.*B-3<.*−1\.00 EUR/s);
  assert.doesNotMatch(page.text, /Payer|no idea/);
  await says(vic.get('/transfers'), 200, location ?? '', 'Test Bank DE89 3704');
  const audited = await platform.db.query({
    text: `select from audit_entry where act = 'bank_statement_imported' and subject = $1`,
    values: [(location ?? '').split('/').at(-1)],
  });
  assert.equal(audited.length, 1);
});

test('a person says what a debit is, which is booked once', async () => {
  const list = await says(vic.get('/transfers'), 200, 'Rows to explain', 'Balance at the bank');
  const at = /\/statements\/rows\/[0-9a-f-]+/.exec(list.text)?.[0] ?? '';
  await says(vic.get(at), 200, '−1.00 EUR', 'nobody said yet');
  await says(vic.post(at, { kind: 'bank_fee' }), 403);
  const masked = await says(ruth.get(at), 200, 'Show text');
  assert.doesNotMatch(masked.text, /account fee/);
  const reason = /<option value="([a-z_]+)"/.exec(masked.text.split('name="reason"')[1] ?? '')?.[1];
  await says(ruth.post(`${at}/text`, {}), 400);
  await says(ruth.post(`${at}/text`, { reason: reason ?? '' }), 200, 'account fee');
  const logged = "select from audit_entry where act = 'bank_payer_opened'";
  assert.equal((await platform.db.query(logged)).length, 1);
  await says(ruth.post(at, { kind: 'gift' }), 400, 'INVALID_FIELD');
  await says(ruth.post(at, { kind: 'bank_fee' }), 303);
  await says(ruth.get(at), 200, 'The row was booked', 'a fee or interest of the bank', 'booked');
  await says(ruth.post(at, { kind: 'own_payment' }), 409, 'BANK_ROW_CHANGED');
  const word = { word: 'confirm', booking: 'none' };
  await says(ruth.post(`${at}/second`, word), 403);
  await says(sven.post(`${at}/second`, word), 409, 'BANK_ROW_CHANGED');
  await says(ruth.get('/statements/rows/nothing'), 404);
  assert.match((await ruth.get('/transfers')).text, /14\.50 EUR.*14\.50 EUR.*explained/s);
});

test('the same file and rows of an overlapping one change nothing', async () => {
  const { location } = await says(importing(camtFile(FIRST)), 303);
  await says(ruth.get(location ?? ''), 200, 'This file was imported before.');
  const more = { amount: '2.00', reference: 'B-4' };
  const next = { ...FIRST, closing: '16.50', entries: [...FIRST.entries, more] };
  const second = await says(importing(camtFile(next)), 303);
  const said = 'Imported. New rows: 1. In earlier files: 3.';
  await says(ruth.get(second.location ?? ''), 200, said);
  assert.equal(await entries(), 4);
});

test('a statement that follows on none says so, until the missing one is there', async () => {
  const day = (opening: string, closing: string, reference: string) =>
    camtFile({ number: NUMBER, opening, closing, entries: [{ amount: '1.00', reference }] });
  const missing = 'one may be missing';
  const { location } = await says(importing(day('17.50', '18.50', 'B-6')), 303);
  await says(ruth.get(location ?? ''), 200, missing);
  const before = await says(importing(day('16.50', '17.50', 'B-5')), 303);
  for (const at of [before.location, location]) {
    assert.ok(!(await ruth.get(at ?? '')).text.includes(missing));
  }
});

test('a file that is not right is refused whole, in the words of the command', async () => {
  const file = camtFile({ ...FIRST, opening: '1.00' });
  const other = camtFile({ ...FIRST, number: 'NL91ABNA0417164300' });
  const dollars = camtFile({ ...FIRST, currency: 'USD' });
  const cases: readonly [string, string, string][] = [
    [camtFile(FIRST).slice(0, 900), '', 'BANK_FILE_UNREADABLE'],
    ['not a statement', '', 'BANK_FILE_UNREADABLE'],
    [file, '', 'Opening balance and entries do not add up to the closing balance'],
    [other, '', 'The statement is of another bank account than the tenant has configured.'],
    [dollars, '', 'The statement is in another currency than its bank account.'],
    [camtFile(FIRST), 'USD', 'BANK_FILE_OTHER_CURRENCY'],
  ];
  for (const [text, format, said] of cases) await says(importing(text, format), 400, said);
  await says(ruth.post('/statements', { format: '' }), 400, 'statement: must be a file');
  assert.equal(await announced(5 * 1_048_576), 413);
  await says(ruth.get('/statements/nothing'), 404);
  assert.equal(await entries(), 6);
});

test('a CSV is read by the columns that are stored with its bank account', async () => {
  await account('GBP', 'GB33BUKB20201555555555', {
    ...{ delimiter: ';', booked: 'Day', amount: 'Amount', text: ['Text'], balance: 'Balance' },
    bank_reference: 'Ref',
  });
  const page = await ruth.get('/transfers');
  assert.match(page.text, /<option value="GBP">CSV of GBP: Test Bank GB33/);
  const rows = 'Day;Text;Ref;Amount;Balance\n2026-11-20;rent;C-1;5.00;5.00\n';
  const { location } = await says(importing(rows, 'GBP'), 303);
  await says(ruth.get(location ?? ''), 200, 'csv', '5.00 GBP', 'C-1');
  const gap = `${rows}2026-11-21;rent;C-2;5.00;11.00\n`;
  await says(importing(gap, 'GBP'), 400, 'BANK_FILE_SUM_WRONG');
});

test('a large row takes two people', async () => {
  const file = camtFile({
    ...{ number: NUMBER, opening: '14.50', closing: '20014.50' },
    entries: [{ amount: '20000.00', text: 'our own', reference: 'B-9', payer: 'Us' }],
  });
  const { location } = await says(importing(file), 303);
  const [row] = await platform.db.query<{ id: string }>(
    "select id from bank_entry where bank_reference = 'B-9'",
  );
  const at = `/statements/rows/${row?.id}`;
  await says(ruth.post(at, { kind: 'own_payment' }), 303);
  await says(ruth.get(at), 200, 'a second person must confirm', 'Another person must');
  const { text } = await says(sven.get(at), 200, 'Confirm: book it');
  const booking = /name="booking" value="([0-9a-f-]+)"/.exec(text)?.[1] ?? '';
  await says(sven.post(`${at}/second`, { word: 'reject', booking }), 303);
  await says(sven.post(`${at}/second`, { word: 'confirm', booking }), 409);
  await says(sven.get(at), 200, 'nobody said yet');
  await says(ruth.get(location ?? ''), 200, 'unallocated');
});
