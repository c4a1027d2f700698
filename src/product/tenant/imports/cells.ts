// Checks the cells of a row, each against the schema of its column, with the same rules as a body
// over HTTP.
import type { z } from 'zod';
import { readInput, shaped, strictObject } from '../../../core/schema.ts';
import type { RowRefusal } from './row-codes.ts';
import type { TableRow } from './table-file.ts';

/** A schema for each column. A column whose schema takes undefined may be empty or absent. */
export type ColumnSchemas = Readonly<Record<string, z.ZodType>>;

const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:@/+-]*$/;

/** The reference under which the other service knows an account. No formula begins like one. */
export const accountReference = shaped(
  REFERENCE,
  128,
  'must be 1 to 128 letters, digits and . _ : @ / + -, and begin with a letter or digit',
);

/** Everything that is wrong with a row's cells; empty if nothing is. */
export function checkCells(
  schemas: ColumnSchemas,
  { line, cells }: TableRow,
): readonly RowRefusal[] {
  return Object.entries(schemas).flatMap(([column, schema]) => {
    const result = readInput(strictObject({ [column]: schema }), {
      [column]: cells[column] === '' ? undefined : cells[column],
    });
    if (result.ok) return [];
    const [code = 'INVALID_FIELD'] = result.codes;
    return [{ line, column, code, sentence: result.errors[column] ?? 'is invalid' }];
  });
}

/** Which columns a header must name. */
export function columnsOf(schemas: ColumnSchemas): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([column, schema]) => {
      return [column, !schema.safeParse(undefined).success];
    }),
  );
}
