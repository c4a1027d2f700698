// Cuts rows into pages with a cursor.
import type { BookPage } from '../../ports/counterparties.ts';

/** `rows`: one more than the page size, if there are more. */
export function pageOf<R extends object>(
  rows: readonly R[],
  size: number,
  placeOf: (row: R) => string,
): BookPage<R> {
  const entries = rows.slice(0, size);
  const last = entries.at(-1);
  return { entries, next: rows.length > size && last !== undefined ? placeOf(last) : null };
}
