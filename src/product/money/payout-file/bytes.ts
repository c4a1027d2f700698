// The bytes of a payout file, made from its rows alone: the same rows give the same bytes, so a
// digest proves which file was confirmed. For rails without pain.001 it is a CSV (RFC 4180) whose
// columns a stored mapping names. [G-91]
import { createHash } from 'node:crypto';
import { painText } from './pain.ts';
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
function csvText(content: FileContent, { delimiter, columns }: CsvMapping): string {
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

/** Makes the file. */
export function fileBytes(content: FileContent): Buffer {
  const { format, terms } = content;
  const { mapping } = terms;
  if (format === 'pain.001') return Buffer.from(painText(content), 'utf8');
  if (mapping === null) throw new Error('a CSV payout file has no mapping');
  return Buffer.from(csvText(content, mapping), 'utf8');
}

/** SHA-256 in hexadecimal. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
