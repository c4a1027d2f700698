// Statement files: what is read of them, and that a file which is not whole, adds up wrongly or is
// of another account or currency is refused whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../../core/refusal.ts';
import { camtFile, type TestStatement } from '../../../../test/kit/bank.ts';
import { readCamt } from './camt.ts';
import { csvColumns, readCsv } from './csv.ts';
import type { ExpectedAccount } from './statement.ts';

const IBAN = 'DE89370400440532013000';
const expected: ExpectedAccount = { number: IBAN, currency: 'EUR', digits: 2 };
const plain: TestStatement = {
  number: IBAN,
  opening: '100.00',
  closing: '142.50',
  entries: [
    { amount: '50.00', reference: 'A1', text: 'for &amp; from', structured: 'RF18', payer: 'Ann' },
    { amount: '7.5', sign: 'DBIT', reference: 'A2', day: '2026-11-19' },
    { amount: '900.00', status: 'PDNG' },
  ],
};

const camt = (more: Partial<TestStatement> = {}) =>
  readCamt(Buffer.from(camtFile({ ...plain, ...more })), expected);

function refusedWith(code: string, work: () => unknown): void {
  assert.throws(work, (error) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.spec.code, code);
    return true;
  });
}

test('booked entries of both versions are read, pending ones are not', () => {
  for (const version of ['02', '08'] as const) {
    const { opening, closing, rows } = camt({ version });
    assert.deepEqual([opening, closing, rows.length], [10_000n, 14_250n, 2]);
    assert.deepEqual(rows[0], {
      direction: 'credit',
      amount: 5_000n,
      booked: '2026-11-20',
      valueDate: '2026-11-20',
      bankReference: 'A1',
      endToEndId: '',
      text: 'RF18 for & from',
      payerName: 'Ann',
      payerNumber: '',
      returned: false,
      charge: false,
    });
    assert.deepEqual([rows[1]?.direction, rows[1]?.amount, rows[1]?.booked],
      ['debit', 750n, '2026-11-19']);
  }
});

test('a batch is split where each payment has its amount, and is one row otherwise', () => {
  const part = (amount: string, ref: string): string =>
    `<TxDtls><Refs><AcctSvcrRef>${ref}</AcctSvcrRef></Refs><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;
  const batch = (details: string) =>
    camt({ closing: '142.50', entries: [{ amount: '42.50', reference: 'B', details }] }).rows;
  const split = batch(part('40', 'B1') + part('2.50', 'B2'));
  assert.deepEqual(split.map((row) => [row.amount, row.bankReference]), [
    [4_000n, 'B1'],
    [250n, 'B2'],
  ]);
  for (const odd of [part('40', 'B1') + part('2', 'B2'), '<TxDtls></TxDtls><TxDtls></TxDtls>']) {
    assert.deepEqual(batch(odd).map((row) => [row.amount, row.bankReference]), [[4_250n, 'B']]);
  }
});

test('one sum for a file of ours names it, also where no transaction does', () => {
  const batch = '<Btch><MsgId>M9</MsgId><PmtInfId>P9</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>';
  for (const details of [batch, `${batch}<TxDtls></TxDtls><TxDtls></TxDtls>`]) {
    const entries = [{ amount: '42.50', sign: 'DBIT', details }] as const;
    const { rows } = camt({ closing: '57.50', entries });
    assert.deepEqual(rows.map((row) => [row.endToEndId, row.returned]), [['P9', false]]);
  }
});

test('returned payments and reversals say so', () => {
  const details = '<TxDtls><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>';
  const { rows } = camt({ entries: [{ amount: '42.50', details }] });
  assert.deepEqual(rows.map((row) => row.returned), [true]);
  const plainly = camtFile({ ...plain, entries: [{ amount: '42.50' }] });
  for (const says of ['true', '1']) {
    const reversed = plainly.replace('<Sts>', `<RvslInd>${says}</RvslInd><Sts>`);
    assert.equal(readCamt(Buffer.from(reversed), expected).rows[0]?.returned, true, says);
  }
});

test('a wrong sum, another account and another currency are refused', () => {
  refusedWith('BANK_FILE_SUM_WRONG', () => camt({ closing: '142.49' }));
  refusedWith('BANK_FILE_SUM_WRONG', () => camt({ entries: plain.entries.slice(1) }));
  refusedWith('BANK_FILE_OTHER_ACCOUNT', () => camt({ number: 'GB82WEST12345698765432' }));
  refusedWith('BANK_FILE_OTHER_CURRENCY', () => camt({ currency: 'USD' }));
  const foreign = [{ amount: '42.50', currency: 'USD' }];
  refusedWith('BANK_FILE_OTHER_CURRENCY', () => camt({ entries: foreign }));
});

test('two statements of a file must follow on each other', () => {
  const file = camtFile(plain);
  const [, second = ''] = /(<Stmt>.*<\/Stmt>)/s.exec(file) ?? [];
  const both = (text: string) =>
    readCamt(Buffer.from(file.replace('</Stmt>', `</Stmt>${text}`)), expected);
  const next = second.replace('>100.00<', '>142.50<').replace('>142.50</Amt><CdtDbtInd>CRDT'
    + '</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>\n<Ntry', '>185.00</Amt><CdtDbtInd>CRDT'
    + '</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>\n<Ntry');
  assert.deepEqual([both(next).opening, both(next).closing], [10_000n, 18_500n]);
  refusedWith('BANK_FILE_SUM_WRONG', () => both(second));
});

test('a file that is cut off anywhere is refused', () => {
  const bytes = Buffer.from(camtFile(plain));
  for (let length = 0; length < bytes.length - 2; length += 7) {
    const cut = bytes.subarray(0, length);
    refusedWith('BANK_FILE_UNREADABLE', () => readCamt(cut, expected));
  }
});

test('what is no plain XML statement is refused', () => {
  const file = camtFile(plain);
  const entity = '<!DOCTYPE Document [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const deep = '<a>'.repeat(60) + '</a>'.repeat(60);
  for (const [name, text] of Object.entries({
    doctype: file.replace('<Document', `${entity}<Document`),
    entity: file.replace('for &amp; from', '&x;'),
    deep: file.replace('<Ustrd>', `${deep}<Ustrd>`),
    other: file.replaceAll('camt.053', 'camt.054'),
    nothing: '<a/>',
    twice: file + file,
    encoding: file.replace('UTF-8', 'UTF-7'),
    'no balance': file.replace('OPBD', 'ITAV'),
    'no sign': file.replace('<CdtDbtInd>DBIT</CdtDbtInd>', ''),
    'no amount': file.replace('<Amt Ccy="EUR">50.00</Amt>', ''),
    'a part of a cent': file.replace('>7.5<', '>7.505<'),
    'negative amount': file.replace('>7.5<', '>-7.5<'),
    'no such day': file.replace('2026-11-19', '2026-02-30'),
  })) {
    assert.notEqual(text, file, name);
    refusedWith('BANK_FILE_UNREADABLE', () => readCamt(Buffer.from(text), expected));
  }
  refusedWith('BANK_FILE_UNREADABLE', () => readCamt(Buffer.from([0xff, 0xfe, 0]), expected));
});

const columns = csvColumns.parse({
  delimiter: ';',
  decimal: ',',
  date: 'DD.MM.YYYY',
  booked: 'Buchung',
  amount: 'Betrag',
  text: ['Zweck', 'Zweck 2'],
  balance: 'Saldo',
  currency: 'W',
  payer_name: 'Name',
});
const HEAD = 'Buchung;Betrag;W;Zweck;Zweck 2;Name;Saldo';
const ROWS = [
  '19.11.2026;-7,50;EUR;out;;Me;92,50',
  '20.11.2026;1.050,00;EUR;"a; b";c;Ann;1.142,50',
];
const csv = (lines: readonly string[] = [HEAD, ...ROWS]) =>
  readCsv(Buffer.from(lines.join('\r\n')), columns, expected);

test('a CSV file is read by its columns, in either order', () => {
  for (const rows of [ROWS, ROWS.toReversed()]) {
    const read = csv([HEAD, ...rows]);
    assert.deepEqual([read.opening, read.closing], [10_000n, 114_250n]);
    const credit = read.rows.find((row) => row.direction === 'credit');
    assert.deepEqual([credit?.amount, credit?.booked, credit?.text, credit?.payerName],
      [105_000n, '2026-11-20', 'a; b c', 'Ann']);
  }
});

test('money in and out may have columns of their own', () => {
  const two = csvColumns.parse({ booked: 'd', credit: 'in', debit: 'out', text: ['t'] });
  const text = 'd,in,out,t\n2026-11-20,5.00,,a\n2026-11-20,,-2.00,b\n2026-11-20,,3.00,c\n';
  const { rows, opening } = readCsv(Buffer.from(text), two, expected);
  assert.equal(opening, null);
  assert.deepEqual(rows.map((row) => [row.direction, row.amount]), [
    ['credit', 500n],
    ['debit', 200n],
    ['debit', 300n],
  ]);
  assert.throws(() => csvColumns.parse({ booked: 'd', amount: 'a', debit: 'b', text: ['t'] }));
});

test('an amount with the other decimal sign is refused, and grouping is none', () => {
  const read = (decimal: '.' | ',', amount: string) => {
    const by = csvColumns.parse({ delimiter: ';', decimal, booked: 'd', amount: 'a', text: ['t'] });
    return readCsv(Buffer.from(`d;a;t\n2026-11-20;${amount};x\n`), by, expected).rows[0]?.amount;
  };
  for (const amount of ['1250.00', '1,250.00', "1'250.00", '1 250', '+1250']) {
    assert.equal(read('.', amount), 125_000n, amount);
  }
  assert.equal(read(',', '1.250,00'), 125_000n);
  const wrong = [['.', '12,50'], ['.', '1.250,00'], [',', '12.50'], [',', '1,250.00']] as const;
  for (const [decimal, amount] of [...wrong, ['.', '12.50-'], ['.', '1,2,50']] as const) {
    refusedWith('BANK_FILE_UNREADABLE', () => read(decimal, amount));
  }
});

test('CSV files that are not whole are refused', () => {
  refusedWith('BANK_FILE_SUM_WRONG', () => csv([HEAD, ...ROWS, '20.11.2026;1,00;EUR;;;;9,00']));
  refusedWith('BANK_FILE_OTHER_CURRENCY', () => csv([HEAD, ...ROWS].map((row) =>
    row.replace('EUR', 'USD'))));
  for (const lines of [
    [HEAD],
    [HEAD, ...ROWS, '20.11.2026;1,0'],
    [HEAD.replace('Saldo', 'Other'), ...ROWS],
    [HEAD, ROWS[0]?.replace('19.11.2026', '31.02.2026') ?? ''],
    [HEAD, ROWS[0]?.replace('-7,50', 'seven') ?? ''],
    [HEAD, ROWS[0]?.replace('-7,50', '0,00') ?? ''],
    [HEAD, '"20.11.2026;1'],
  ]) {
    refusedWith('BANK_FILE_UNREADABLE', () => csv(lines));
  }
});
