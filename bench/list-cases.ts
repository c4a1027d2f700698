// What is asked of a list when its speed is measured: the newest page, a deep one, days, and each
// filter by values that rows have and by one that none has, for which most rows are looked at.
import { timeFilters, type List, type ListFilter } from '../src/core/list.ts';
import { accountId } from '../src/core/ids.ts';

/** A row as a list gives it. */
export type SeenRow = Readonly<Record<string, string | number | boolean | null>>;

/** One question: what it is for the reader, and its query. */
export interface ListCase {
  readonly what: string;
  readonly query: Readonly<Record<string, string>>;
}

const NOBODY = '0195a1c4-7a30-7c31-9f54-2b8f6d0e4a17';

/** A value that no row has; null where the filter takes none such. */
function unheard({ kind, words = [] }: ListFilter, seen: ReadonlySet<string>): string | null {
  if (kind === 'party') return accountId(NOBODY);
  if (kind === 'id') return NOBODY;
  if (kind === 'amount') return '987654321';
  if (kind === 'currency') return 'JPY';
  if (kind === 'text') return 'nobody';
  if (kind === 'flag') return seen.has('true') ? null : 'true';
  return words.find((word) => !seen.has(word)) ?? null;
}

/** How rows are found by a value. */
const wayOf = ({ by }: ListFilter, value: string): string =>
  by === 'index' || (by !== 'scan' && by.includes(value)) ? 'index' : 'scan';

/**
 * The questions; `rows`: some of the list, `deep`: a cursor in its midst, `days`: one with rows and
 * one without.
 */
export function casesOf(
  list: List,
  rows: readonly SeenRow[],
  deep: string | null,
  days: readonly (readonly [string, string])[],
): readonly ListCase[] {
  const cases: ListCase[] = [{ what: 'newest', query: {} }];
  if (deep !== null) cases.push({ what: 'deep', query: { cursor: deep } });
  const [from, before] = timeFilters(list);
  if (from !== undefined && before !== undefined) {
    for (const [first, next] of days) {
      cases.push({ what: `day ${first}`, query: { [from]: first, [before]: next } });
    }
  }
  for (const [name, filter] of Object.entries(list.filters)) {
    const seen = new Set(rows.map((row) => String(row[name])));
    const known = [...seen].filter((one) => one !== 'null' && one !== 'undefined');
    // And each value that has an index of its own.
    const own = typeof filter.by === 'string' ? [] : filter.by;
    const values = new Set([...known.slice(0, 1), ...own]);
    const none = unheard(filter, seen);
    for (const value of values) {
      cases.push({ what: `${name}, ${wayOf(filter, value)}`, query: { [name]: value } });
    }
    if (none === null || values.has(none)) continue;
    cases.push({ what: `${name} of none, ${wayOf(filter, none)}`, query: { [name]: none } });
  }
  return cases;
}
