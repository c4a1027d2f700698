// Payout files for rails without pain.001: a CSV (RFC 4180) whose columns a stored mapping names.
// [G-91]
import { z } from 'zod';
import { bankId, bankText, decimal, type FileContent, type FilePayment } from './bytes.ts';

type FieldOf = (payment: FilePayment, content: FileContent) => string;

const NAME_MAX = 70;

/** What a column may show of a payout. */
const FIELDS: Readonly<Record<string, FieldOf>> = {
  end_to_end_id: ({ transferId }) => bankId(transferId),
  amount: ({ amount }, { currency }) => decimal(amount, currency),
  amount_minor: ({ amount }) => String(amount),
  currency: (_, { currency }) => currency,
  holder_name: ({ to }) => bankText(to.holder, NAME_MAX),
  iban: ({ to }) => to.iban,
  bic: ({ to }) => to.bic,
  reference: ({ transferId }) => `Payout ${bankId(transferId)}`,
  execute_on: (_, { terms }) => terms.execute_on,
  debtor_iban: (_, { terms }) => terms.debtor.iban,
  debtor_name: (_, { terms }) => bankText(terms.debtor.name, NAME_MAX),
  file_id: (_, { id }) => bankId(id),
};

const header = z.string().min(1).max(64);

/** The columns of a CSV: each shows a field of the payout, or the same text in each row. */
export const csvMapping = z.strictObject({
  delimiter: z.enum([',', ';', '\t']).default(','),
  columns: z
    .array(
      z.union([
        z.strictObject({ header, field: z.enum(Object.keys(FIELDS)) }),
        z.strictObject({ header, text: z.string().max(255) }),
      ]),
    )
    .min(1)
    .max(50),
});
export type CsvMapping = z.output<typeof csvMapping>;

/** The columns of a CSV where the tenant has stored none: every field under its own name. */
export const PLAIN_MAPPING: CsvMapping = {
  delimiter: ',',
  columns: Object.keys(FIELDS).map((field) => ({ header: field, field })),
};

/** The file's text: a row of headers, then one for each payout. */
export function csvText(content: FileContent, { delimiter, columns }: CsvMapping): string {
  const rows = content.payments.map((payment) =>
    columns.map((column) =>
      'text' in column ? column.text : (FIELDS[column.field]?.(payment, content) ?? ''),
    ),
  );
  return [columns.map((column) => column.header), ...rows]
    .map((row) => `${row.map((text) => cell(text, delimiter)).join(delimiter)}\r\n`)
    .join('');
}

function cell(text: string, delimiter: string): string {
  const plain = !text.includes(delimiter) && !/["\r\n]/.test(text);
  return plain ? text : `"${text.replaceAll('"', '""')}"`;
}
