// Reads a bank statement in CSV: which column says what is stored with the bank account. With a
// column of balances every row is checked against the one before. [G-91]
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { refuse } from '../../../core/refusal.ts';
import { refusals as no } from './refusals.ts';
import {
  dayOf,
  minorUnits,
  signed,
  unreadable,
  type ExpectedAccount,
  type Statement,
  type StatementRow,
} from './statement.ts';

const column = z.string().min(1).max(100);

/** Which column of a CSV file says what. Columns go by the names in its first line. */
export const csvColumns = z.strictObject({
  delimiter: z.string().length(1).default(','),
  decimal: z.enum(['.', ',']).default('.'),
  /** The order of day, month and year, with what is between them. */
  date: z.enum(['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY']).default('YYYY-MM-DD'),
  encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
  booked: column,
  value_date: column.optional(),
  /** Signed; or the two columns of money in and money out. */
  amount: column.optional(),
  credit: column.optional(),
  debit: column.optional(),
  text: z.array(column).min(1),
  /** The balance after the row. */
  balance: column.optional(),
  currency: column.optional(),
  account: column.optional(),
  bank_reference: column.optional(),
  end_to_end_id: column.optional(),
  payer_name: column.optional(),
  payer_number: column.optional(),
}).refine(({ amount, credit, debit }) =>
  amount === undefined
    ? credit !== undefined && debit !== undefined
    : credit === undefined && debit === undefined,
  'Name either `amount`, or `credit` and `debit`.');
export type CsvColumns = z.output<typeof csvColumns>;

type Row = Readonly<Record<string, string>>;
interface Read {
  readonly row: StatementRow;
  readonly balance: bigint | null;
}

/** The statement of the file. Throws a Refusal for one that is not whole, or not as expected. */
export function readCsv(
  bytes: Uint8Array,
  columns: CsvColumns,
  expected: ExpectedAccount,
): Statement {
  const records = parsed(bytes, columns);
  const missing = [...namesOf(columns)].find((name) => !(name in (records[0] ?? {})));
  if (missing !== undefined) throw unreadable('a column of the mapping is missing, or every row');
  const read = records.map((record, at) => readRow(record, at, columns, expected));
  const balances = balancesOf(read);
  return { format: 'csv', ...balances, rows: read.map(({ row }) => row) };
}

function parsed(bytes: Uint8Array, { delimiter, encoding }: CsvColumns): Row[] {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return parse(text, { delimiter, bom: true, columns: true, trim: true, skip_empty_lines: true });
  } catch {
    throw unreadable('not a whole CSV file');
  }
}

function namesOf(columns: CsvColumns): Set<string> {
  const { delimiter: _d, decimal: _p, date: _o, encoding: _e, text, ...single } = columns;
  return new Set([...text, ...Object.values(single).filter((name) => name !== undefined)]);
}

function readRow(
  record: Row,
  at: number,
  columns: CsvColumns,
  expected: ExpectedAccount,
): Read {
  const place = `row ${at + 1}`;
  const cell = (name: string | undefined): string => (name === undefined ? '' : record[name] ?? '');
  const account = cell(columns.account).replaceAll(' ', '');
  if (account !== '' && account !== expected.number) throw refuse(no.BANK_FILE_OTHER_ACCOUNT);
  const currency = cell(columns.currency);
  if (currency !== '' && currency !== expected.currency) throw refuse(no.BANK_FILE_OTHER_CURRENCY);
  const units = (text: string): bigint =>
    minorUnits(plain(text, columns.decimal, place), expected.digits, place);
  const inward = cell(columns.amount ?? columns.credit);
  const outward = cell(columns.debit);
  const amount = (inward === '' ? 0n : units(inward)) - absolute(outward && units(outward));
  if (amount === 0n) throw unreadable(`${place}: there is no amount`);
  const booked = dayIn(cell(columns.booked), columns.date, place);
  const valued = cell(columns.value_date);
  const row: StatementRow = {
    direction: amount > 0n ? 'credit' : 'debit',
    amount: amount > 0n ? amount : -amount,
    booked,
    valueDate: valued === '' ? booked : dayIn(valued, columns.date, place),
    bankReference: cell(columns.bank_reference),
    endToEndId: cell(columns.end_to_end_id),
    text: columns.text.map(cell).filter((one) => one !== '').join(' '),
    payerName: cell(columns.payer_name),
    payerNumber: cell(columns.payer_number),
    returned: false,
    charge: false,
  };
  const balance = columns.balance === undefined ? null : units(cell(columns.balance));
  return { row, balance };
}

/** Money out is written with or without its sign. */
function absolute(units: bigint | ''): bigint {
  if (units === '') return 0n;
  return units < 0n ? -units : units;
}

/** Amounts by their decimal sign, with or without grouping. */
const AMOUNTS = {
  '.': /^[+-]?\s?(?:\d+|\d{1,3}(?:[,\s'’]\d{3})+)(?:\.\d+)?$/,
  ',': /^[+-]?\s?(?:\d+|\d{1,3}(?:[.\s'’]\d{3})+)(?:,\d+)?$/,
};

/** Without grouping, and with a point. The other decimal sign would make 12.50 of it 1,250. */
function plain(text: string, decimal: CsvColumns['decimal'], place: string): string {
  if (!AMOUNTS[decimal].test(text)) throw unreadable(`${place}: not an amount with '${decimal}'`);
  const [whole = '', part = '0'] = text.split(decimal);
  return `${whole.replaceAll(/[^\d+-]/g, '')}.${part}`;
}

function dayIn(text: string, order: CsvColumns['date'], place: string): string {
  if (order === 'YYYY-MM-DD') return dayOf(text, place);
  const [first = '', second = '', year = ''] = text.split(order.includes('.') ? '.' : '/');
  const [day, month] = order.startsWith('DD') ? [first, second] : [second, first];
  return dayOf(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, place);
}

/** Opening and closing balance. The rows are in either order; a gap between two is a wrong sum. */
function balancesOf(read: readonly Read[]): Pick<Statement, 'opening' | 'closing'> {
  const withBalance = read.flatMap(({ row, balance }) =>
    balance === null ? [] : [{ balance, before: balance - signed(row) }],
  );
  if (withBalance.length < read.length) return { opening: null, closing: null };
  for (const rows of [withBalance, withBalance.toReversed()]) {
    const joined = rows.every(({ before }, at) => at === 0 || rows[at - 1]?.balance === before);
    if (!joined) continue;
    return { opening: rows[0]?.before ?? null, closing: rows.at(-1)?.balance ?? null };
  }
  throw refuse(no.BANK_FILE_SUM_WRONG);
}
