// A strict reader of comma-separated values (RFC 4180) in pieces: memory holds one row, however
// large the file is. Fields may be quoted, with quotes doubled; anything else is refused.

/** A file that cannot be read. The message has the row's number and nothing of its text. */
export class CsvError extends Error {}

/** Signs of one field; a longer one is a quote that never ended. */
const FIELD_MAX = 1_000_000;

type Place = 'start' | 'plain' | 'quoted' | 'closed';

/** Rows of fields from pieces of text; `separator` is one sign. A last line end is optional. */
export async function* readCsv(
  pieces: AsyncIterable<string> | Iterable<string>,
  separator = ',',
): AsyncGenerator<string[]> {
  const reader = new RowReader(separator);
  for await (const piece of pieces) yield* reader.take(piece);
  yield* reader.end();
}

/** The values of one field that holds several, quoted like a row. */
export function valuesOf(field: string, separator = ';'): string[] {
  const reader = new RowReader(separator);
  const [row = []] = [...reader.take(field), ...reader.end()];
  return row.map((value) => value.trim()).filter(Boolean);
}

class RowReader {
  readonly #separator: string;
  #place: Place = 'start';
  #field = '';
  #row: string[] = [];
  #rows = 1;
  #returned = false;

  constructor(separator: string) {
    this.#separator = separator;
  }

  *take(piece: string): Generator<string[]> {
    for (const sign of piece) {
      if (this.#returned && sign !== '\n') this.#fail('has a carriage return without a line feed');
      if (this.#place === 'quoted') this.#quoted(sign);
      else if (sign === '\n') yield this.#endRow();
      else this.#bare(sign);
      if (this.#field.length > FIELD_MAX) this.#fail('has a field that does not end');
    }
  }

  *end(): Generator<string[]> {
    if (this.#place === 'quoted' || this.#returned) this.#fail('is cut off');
    if (this.#place !== 'start' || this.#row.length > 0) yield this.#endRow();
  }

  #quoted(sign: string): void {
    if (sign === '"') this.#place = 'closed';
    else this.#field += sign;
  }

  #bare(sign: string): void {
    if (sign === '\r') {
      this.#returned = true;
    } else if (sign === this.#separator) {
      this.#endField();
    } else if (sign === '"' && this.#place === 'start') {
      this.#place = 'quoted';
    } else if (sign === '"' && this.#place === 'closed') {
      this.#field += sign;
      this.#place = 'quoted';
    } else if (sign === '"' || this.#place === 'closed') {
      this.#fail('has a quote inside a field');
    } else {
      this.#field += sign;
      this.#place = 'plain';
    }
  }

  #endField(): void {
    this.#row.push(this.#field);
    this.#field = '';
    this.#place = 'start';
  }

  #endRow(): string[] {
    this.#endField();
    const row = this.#row;
    this.#row = [];
    this.#rows += 1;
    this.#returned = false;
    return row;
  }

  #fail(rule: string): never {
    throw new CsvError(`Row ${this.#rows} ${rule}.`);
  }
}
