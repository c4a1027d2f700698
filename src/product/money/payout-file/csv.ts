// Payout files for rails without pain.001: a CSV (RFC 4180) whose columns a stored mapping names.
// [G-91]
import { bankId, bankText, decimal, type FileContent, type FilePayment } from './content.ts';
import type { CsvMapping, FieldName } from './mapping.ts';

type FieldOf = (payment: FilePayment, content: FileContent) => string;

const NAME_MAX = 70;

/** How each field shows. */
const FIELDS: Readonly<Record<FieldName, FieldOf>> = {
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

/** The file's text: a row of headers, then one for each payout. */
export function csvText(content: FileContent, { delimiter, columns }: CsvMapping): string {
  const rows = content.payments.map((payment) =>
    columns.map((column) =>
      'text' in column ? column.text : FIELDS[column.field](payment, content),
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
