// A list as a file, made page by page, so that memory stays flat however long the list is. Rows
// that come after the beginning are not in it.
import type { List, ListColumn } from '../../../core/list.ts';
import type { Queryable } from '../../../db/index.ts';
import { readList, type ListPage, type ListQuestion, type ListRow } from './read.ts';

/** The formats with their media types. */
export const FORMATS = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
} as const;
export type ExportFormat = keyof typeof FORMATS;

const PAGE = 2_000;
/** A spreadsheet would run what begins so. */
const FORMULA = /^[=+\-@\t\r]/;

/** One field of CSV: a text that a spreadsheet would run gets an apostrophe before it. */
export function csvField({ kind }: Pick<ListColumn, 'kind'>, value: ListRow[string]): string {
  const plain = String(value ?? '');
  const counted = kind === 'amount' || kind === 'number';
  const text = !counted && FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The texts of a file: CSV by RFC 4180 with a line of names, or a JSON object on each line. */
export async function* exportRows(
  db: Queryable,
  workspace: number,
  list: List,
  asked: ListQuestion,
  format: ExportFormat,
): AsyncGenerator<string> {
  const columns = Object.entries(list.columns);
  if (format === 'csv') yield `${columns.map(([name]) => name).join(',')}\r\n`;
  const line = (row: ListRow): string => format === 'jsonl'
    ? `${JSON.stringify(row)}\n`
    : `${columns.map(([name, column]) => csvField(column, row[name] ?? null)).join(',')}\r\n`;
  for (let cursor: string | null | undefined = asked.cursor; cursor !== null;) {
    const page: ListPage = await readList(db, workspace, list, { ...asked, limit: PAGE, cursor });
    if (page.rows.length > 0) yield page.rows.map(line).join('');
    cursor = page.next;
  }
}
