// Answers for pages of a book: so many rows, and where the next page starts. Knows no book.
import type { BookPage } from '../../ports/sandbox-counterparties.ts';

/** `rows`: one more than a page has, where there is one more. */
export function pageOf<R extends object>(
  rows: readonly R[],
  size: number,
  placeOf: (row: R) => string,
): BookPage<R> {
  const entries = rows.slice(0, size);
  const last = entries.at(-1);
  return { entries, next: rows.length > size && last !== undefined ? placeOf(last) : null };
}
