// A list as a file, made page by page, so that memory stays flat however long the list is: two
// pages at most are held. Rows that come after the beginning are not in it.
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
  const read = (cursor: string | undefined): Promise<ListPage> => {
    const page = readList(db, workspace, list, { ...asked, limit: PAGE, cursor });
    // Nobody waits for it any more where the reader has hung up.
    page.catch(() => {});
    return page;
  };
  let coming: Promise<ListPage> | null = read(asked.cursor);
  while (coming !== null) {
    const { rows, next }: ListPage = await coming;
    // The database reads a page while the one before is written.
    coming = next === null ? null : read(next);
    if (rows.length > 0) yield rows.map(line).join('');
  }
}
