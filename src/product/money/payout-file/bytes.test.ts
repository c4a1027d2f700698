// The bytes of payout files: the order and form of a pain.001, names that every bank takes, a CSV
// that no spreadsheet runs, and the same rows giving the same bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf, fileBytes } from './bytes.ts';
import { bankId, bankText, decimal, uuidOfBankId, type FileContent } from './content.ts';
import { csvMapping, PLAIN_MAPPING } from './mapping.ts';

const DEBTOR = { name: 'Shop & Söhne GmbH', iban: 'DE89370400440532013000', bic: '' };
const idOf = (n: number): string => `01a20518-0ccc-715e-a712-58e8d352${1000 + n}`;

function content(more: Partial<FileContent> = {}): FileContent {
  const to = { holder: 'Zoë <Ångström>', iban: 'NL91ABNA0417164300', bic: '' };
  return {
    id: idOf(0),
    format: 'pain.001',
    currency: 'EUR',
    drafted: '2026-11-22T21:02:22.123456Z',
    terms: { debtor: DEBTOR, execute_on: '2026-11-23', mapping: null },
    payments: [
      { transferId: idOf(1), amount: 1_234n, to },
      { transferId: idOf(2), amount: 5n, to: { ...to, holder: "O'Neil & Co", bic: 'ABNANL2A' } },
    ],
    ...more,
  };
}

/** Elements in document order as `path=text`; fails on anything but what such a file may hold. */
function elements(text: string): string[] {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  assert.ok(text.startsWith(head));
  const open: string[] = [];
  const found: string[] = [];
  let rest = text.slice(head.length);
  while (rest !== '') {
    const [all, close, name = '', attribute = ''] =
      /^\s*<(\/?)([A-Za-z]+)((?: [a-z]+="[^"<&]*"| Ccy="[A-Z]{3}")?)>/.exec(rest) ?? [];
    assert.ok(all, `no element at ${rest.slice(0, 40)}`);
    rest = rest.slice(all.length);
    if (close === '/') {
      assert.equal(open.pop(), name);
      rest = rest.replace(/^\n/, '');
      continue;
    }
    open.push(name);
    const value = /^[^<]*/.exec(rest)?.[0] ?? '';
    assert.doesNotMatch(value, /&(?!amp;|lt;|gt;)/);
    if (value.trim() === '') continue;
    rest = rest.slice(value.length);
    found.push(`${open.slice(2).join('/')}${attribute}=${value}`);
  }
  assert.deepEqual(open, []);
  return found;
}

/** What the schema wants, in its order, of two payments in euros. */
const EXPECTED = `GrpHdr/MsgId=${bankId(idOf(0))}
GrpHdr/CreDtTm=2026-11-22T21:02:22Z
GrpHdr/NbOfTxs=2
GrpHdr/CtrlSum=12.39
GrpHdr/InitgPty/Nm=Shop Sohne GmbH
PmtInf/PmtInfId=${bankId(idOf(0))}
PmtInf/PmtMtd=TRF
PmtInf/BtchBookg=true
PmtInf/NbOfTxs=2
PmtInf/CtrlSum=12.39
PmtInf/PmtTpInf/SvcLvl/Cd=SEPA
PmtInf/ReqdExctnDt/Dt=2026-11-23
PmtInf/Dbtr/Nm=Shop Sohne GmbH
PmtInf/DbtrAcct/Id/IBAN=DE89370400440532013000
PmtInf/DbtrAcct/Ccy=EUR
PmtInf/DbtrAgt/FinInstnId/Othr/Id=NOTPROVIDED
PmtInf/ChrgBr=SLEV
PmtInf/CdtTrfTxInf/PmtId/InstrId=${bankId(idOf(1))}
PmtInf/CdtTrfTxInf/PmtId/EndToEndId=${bankId(idOf(1))}
PmtInf/CdtTrfTxInf/Amt/InstdAmt Ccy="EUR"=12.34
PmtInf/CdtTrfTxInf/Cdtr/Nm=Zoe Angstrom
PmtInf/CdtTrfTxInf/CdtrAcct/Id/IBAN=NL91ABNA0417164300
PmtInf/CdtTrfTxInf/RmtInf/Ustrd=Payout ${bankId(idOf(1))}
PmtInf/CdtTrfTxInf/PmtId/InstrId=${bankId(idOf(2))}
PmtInf/CdtTrfTxInf/PmtId/EndToEndId=${bankId(idOf(2))}
PmtInf/CdtTrfTxInf/Amt/InstdAmt Ccy="EUR"=0.05
PmtInf/CdtTrfTxInf/CdtrAgt/FinInstnId/BICFI=ABNANL2A
PmtInf/CdtTrfTxInf/Cdtr/Nm=O'Neil Co
PmtInf/CdtTrfTxInf/CdtrAcct/Id/IBAN=NL91ABNA0417164300
PmtInf/CdtTrfTxInf/RmtInf/Ustrd=Payout ${bankId(idOf(2))}`;

test('a pain.001 has the elements of its schema, in their order', () => {
  assert.deepEqual(elements(fileBytes(content()).toString()), EXPECTED.split('\n'));
});

test('outside the euro there is no SEPA, and the sender pays its own charges only', () => {
  const found = elements(fileBytes(content({ currency: 'JPY' })).toString());
  assert.ok(found.includes('PmtInf/ChrgBr=SHAR'));
  assert.ok(found.includes('PmtInf/CdtTrfTxInf/Amt/InstdAmt Ccy="JPY"=1234'));
  assert.deepEqual(found.filter((one) => one.includes('SEPA')), []);
});

test('the same rows give the same bytes, and any other row gives others', () => {
  const digest = (more: Partial<FileContent> = {}): string => digestOf(fileBytes(content(more)));
  assert.equal(digest(), digest());
  const { payments, terms } = content();
  const changed: readonly Partial<FileContent>[] = [
    { id: idOf(9) },
    { drafted: '2026-11-22T21:02:23.123456Z' },
    { payments: payments.toReversed() },
    { payments: payments.slice(1) },
    { terms: { ...terms, execute_on: '2026-11-24' } },
    { terms: { ...terms, debtor: { ...DEBTOR, bic: 'COBADEFF' } } },
  ];
  const all = changed.map((more) => digest(more));
  assert.equal(new Set([digest(), ...all]).size, changed.length + 1);
});

test('names are written in characters that every bank takes, and begin plainly', () => {
  for (const [name, shown] of [
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Иван Петров', 'Ivan Petrov'],
    ['=cmd|" /c calc"!A1', 'cmd /c calc A1'],
    ["+49 -/:'", "49 -/:'"],
    ['  two \t spaces ', 'two spaces'],
    ['***', 'NOTPROVIDED'],
  ] as const) {
    assert.equal(bankText(name, 70), shown);
  }
  assert.equal(bankText('ä'.repeat(90), 70).length, 70);
});

test('an id goes to the bank and back', () => {
  assert.equal(bankId(idOf(1)).length, 32);
  assert.equal(uuidOfBankId(bankId(idOf(1)).toUpperCase()), idOf(1));
  for (const text of ['', 'x', idOf(1), `${bankId(idOf(1))}0`]) {
    assert.equal(uuidOfBankId(text), null);
  }
  const shown = ['EUR', 'JPY', 'BHD'].map((currency) => decimal(5n, currency));
  assert.deepEqual(shown, ['0.05', '5', '0.005']);
});

test('a CSV has the columns of its mapping and quotes what it must', () => {
  const columns = [
    { header: 'Name; full', field: 'holder_name' },
    { header: 'amount', field: 'amount' },
    { header: 'type', text: 'SAL"ARY' },
  ];
  const mapping = csvMapping.parse({ delimiter: ';', columns });
  const { terms } = content();
  const csv = fileBytes(content({ format: 'csv', terms: { ...terms, mapping } })).toString();
  assert.equal(
    csv,
    '"Name; full";amount;type\r\n' +
      'Zoe Angstrom;12.34;"SAL""ARY"\r\n' +
      "O'Neil Co;0.05;\"SAL\"\"ARY\"\r\n",
  );
  const plain = content({ format: 'csv', terms: { ...terms, mapping: PLAIN_MAPPING } });
  const [head, first] = fileBytes(plain).toString().split('\r\n');
  assert.equal(head?.split(',').length, first?.split(',').length);
  for (const wrong of [{ columns: [] }, { columns: [{ header: 'x', field: 'secret' }] }, {}]) {
    assert.equal(csvMapping.safeParse(wrong).success, false);
  }
});
