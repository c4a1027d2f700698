// Reads a CSV file row by row: UTF-8, commas, quotes as in RFC 4180, a header that names each
// column once. Memory does not grow with the file. Nothing that a cell says is in an error.
import { CsvError, parse } from 'csv-parse';
import { rowRefusal, type RowCode, type RowRefusal } from './row-codes.ts';

/** Longest row, in characters: an account with each field at its limit has some 6,000. */
const ROW_MAX = 65_536;

/** The header does not fit: nothing was read. The message is one sentence for the operator. */
export class HeaderRefused extends Error {}

/** A row with its cells by column. Absent columns are ''. */
export interface TableRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** The columns of a table, each with whether the header must name it. */
export type TableColumns = Readonly<Record<string, boolean>>;

/** Yields each row, or why it is refused. Ends after a row behind which nothing can be trusted. */
export async function* readTable(
  bytes: AsyncIterable<Uint8Array>,
  columns: TableColumns,
): AsyncGenerator<TableRow | RowRefusal> {
  let header: readonly string[] | null = null;
  let line = 0;
  try {
    for await (const { record, empty } of recordsOf(bytes)) {
      line += 1 + record.join('').split('\n').length - 1;
      if (header === null) header = headerOf(record, columns);
      else yield rowOf(line + empty, header, record, columns);
    }
  } catch (error) {
    const code = brokenBy(error);
    if (code === null) throw error;
    if (header === null) throw new HeaderRefused('The header of the file cannot be read.');
    yield rowRefusal(line + 1, code);
  }
  if (header === null) throw new HeaderRefused('The file is empty.');
}

interface Parsed {
  readonly record: readonly string[];
  /** Empty lines of the file so far. */
  readonly empty: number;
}

/** Collected as the parser finds them: what its stream still holds at an error would be lost. */
async function* recordsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed> {
  let found: Parsed[] = [];
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_MAX,
    on_record(record: string[], { empty_lines: empty }) {
      found.push({ record, empty });
      return null;
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('error', reject).on('end', resolve).resume();
  });
  ended.catch(() => {});
  for await (const text of textOf(bytes)) {
    const written = new Promise((done) => void parser.write(text, done));
    const broken = await written;
    yield* found;
    found = [];
    if (broken) throw broken;
  }
  parser.end();
  await ended;
  yield* found;
}

async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function headerOf(names: readonly string[], columns: TableColumns): readonly string[] {
  const known = Object.keys(columns);
  if (names.some((name) => !known.includes(name))) {
    throw new HeaderRefused(`The header names an unknown column; there are ${known.join(', ')}.`);
  }
  if (new Set(names).size < names.length) {
    throw new HeaderRefused('The header names a column twice.');
  }
  const missing = known.filter((name) => columns[name] === true && !names.includes(name));
  if (missing.length > 0) {
    throw new HeaderRefused(`The header must name the columns ${missing.join(', ')}.`);
  }
  return names;
}

function rowOf(
  line: number,
  header: readonly string[],
  record: readonly string[],
  columns: TableColumns,
): TableRow | RowRefusal {
  if (record.length !== header.length) return rowRefusal(line, 'ROW_COLUMNS');
  if (record.some((cell) => cell.includes('\u0000'))) return rowRefusal(line, 'ROW_NUL');
  const cells = Object.fromEntries(Object.keys(columns).map((name) => [name, '']));
  for (const [at, name] of header.entries()) cells[name] = record[at] ?? '';
  return { line, cells };
}

/** Which code an error of the reading stands for; null for one of ours. */
function brokenBy(error: unknown): RowCode | null {
  if (error instanceof CsvError) {
    return error.code === 'CSV_MAX_RECORD_SIZE' ? 'ROW_TOO_LONG' : 'QUOTES_INVALID';
  }
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'FILE_UNREADABLE' : null;
}
