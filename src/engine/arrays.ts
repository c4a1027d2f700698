// Columns of rows as one parameter each. Writes PostgreSQL's array text itself: the driver quotes
// every element with regular expressions, a twentieth of the server's time. JSON documents go as
// one text with a separator that JSON cannot hold unescaped, so nothing of them is quoted.
import type { ColumnType } from './table.ts';

/** Control characters are always escaped inside JSON text. */
const SEPARATOR = '\u001e';
const PLAIN = /^[\w:.+/@=-]+$/;

/** The parameter's text for a column's values. */
export function arrayText(type: ColumnType, values: readonly unknown[]): string {
  if (type === 'json') return values.map((value) => value ?? '').join(SEPARATOR);
  if (type !== 'text' && !values.includes(null)) return `{${values.join(',')}}`;
  let text = '{';
  // A column of a batch mostly says the same in every row: that is written out once.
  let last: unknown;
  let element = 'NULL';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? undefined;
    if (value !== last) {
      last = value;
      element = type === 'text' ? textElement(value) : String(value ?? 'NULL');
    }
    text += at === 0 ? element : `,${element}`;
  }
  return `${text}}`;
}

/** The parameter for one value of a column. */
export function scalarText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** The place in a statement of a parameter that is one value. */
export function scalarSlot(type: ColumnType, parameter: number): string {
  return `$${parameter}::${type === 'json' ? 'text' : type}`;
}

/** The parameter's place in a statement, cast to an array of the column's type. */
export function slotText(type: ColumnType, parameter: number): string {
  if (type === 'json') return `string_to_array($${parameter}::text, chr(30), '')`;
  return `$${parameter}::${type}[]`;
}

function textElement(value: unknown): string {
  if (value === undefined) return 'NULL';
  const text = String(value);
  if (PLAIN.test(text) && (text.length !== 4 || text.toUpperCase() !== 'NULL')) return text;
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
