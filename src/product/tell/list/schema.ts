// The wire form of a list: its query and its page, made from the declaration.
import { z } from 'zod';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { timeFilters, type List, type ListColumn, type ListFilter } from '../../../core/list.ts';
import { LINE_CAP } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  currencyCode,
  numberText,
  optional,
  readInput,
  reference,
  strictObject,
  textThat,
} from '../../../core/schema.ts';
import { REFERENCE_MAX } from '../../../core/text-fields.ts';
import { isDay, isInstant, type Instant } from '../../../core/time.ts';
import { exampleCursor, keyOfCursor } from './cursor.ts';
import type { ListQuestion } from './read.ts';

const LIMIT = 100;
const LIMIT_MAX = 500;
/** Any text of this length passes; a malformed id matches nothing. [G-11] */
const ID_MAX = 64;
const CURSOR_MAX = 255;

const MOMENT = {
  maxLength: 27,
  pattern: String.raw`^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}\.\d{6}Z)?$`,
  description: 'A day such as 2030-01-31, which begins in UTC, or a time.',
  examples: ['2030-01-31'],
};
const moment = (): z.ZodString => {
  const sentence = 'must be a day such as 2030-01-31, or a time such as invoices show it';
  return textThat((value) => isDay(value) || isInstant(value), sentence).meta(MOMENT);
};
const NO_CURSOR = { cursor: 'must be the `next` of a page of this list' };

function filterSchema({ kind, words = [] }: ListFilter): z.ZodType {
  if (kind === 'currency') return currencyCode();
  if (kind === 'state') return z.enum(words);
  if (kind === 'flag') return z.enum(['true', 'false']);
  if (kind === 'amount') return numberText(0, Number(LINE_CAP));
  return reference(kind === 'text' ? REFERENCE_MAX : ID_MAX);
}

function filtersOf(list: List): Record<string, z.ZodType> {
  const own = Object.entries(list.filters).map(([name, one]) => {
    return [name, optional(filterSchema(one))] as const;
  });
  const times = timeFilters(list).map((name) => [name, optional(moment())] as const);
  return Object.fromEntries([...own, ...times]);
}

/** The query of a list. */
export function querySchema(list: List): z.ZodType<Readonly<Record<string, string | undefined>>> {
  return strictObject({
    ...filtersOf(list),
    limit: optional(numberText(1, LIMIT_MAX)),
    cursor: optional(reference(CURSOR_MAX).meta({ examples: [exampleCursor(list)] })),
  }) as unknown as ReturnType<typeof querySchema>;
}

function columnSchema({ kind, words = [], nullable }: ListColumn): z.ZodType {
  const plain =
    kind === 'state' ? z.enum(words)
    : kind === 'flag' ? z.boolean()
    : kind === 'amount' || kind === 'number' ? z.int()
    : z.string();
  return nullable === true ? plain.nullable() : plain;
}

/** A page of a list: its rows, and the cursor of the next page. */
export function pageSchema({ title, columns }: List): z.ZodType {
  const fields = Object.entries(columns).map(([name, one]) => [name, columnSchema(one)]);
  const row = strictObject(Object.fromEntries(fields) as Record<string, z.ZodType>);
  return strictObject({
    rows: z.array(row.meta({ title: `Listed ${title}`.replaceAll(/ (.)/g, (_, a: string) => {
      return a.toUpperCase();
    }) })),
    next: z.string().nullable().meta({
      description: 'The `cursor` of the next page; null where nothing follows. A page may have ' +
        'fewer rows than its limit, or none, and go on.',
    }),
  });
}

const instantOf = (text: string): Instant => (isDay(text) ? `${text}T00:00:00.000000Z` : text);

/**
 * What a query asks of its list. Throws a refusal that names each wrong field, a cursor of another
 * list among them.
 */
export function questionOf(
  list: List,
  query: Readonly<Record<string, string | undefined>>,
): ListQuestion {
  const read = readInput(querySchema(list), query);
  if (!read.ok) throw refuse(inputRefusals[read.codes[0] ?? 'INVALID_FIELD'], read.errors);
  const { limit = String(LIMIT), cursor, ...given } = read.value;
  const { filters } = list;
  const [from, before] = timeFilters(list).map((name) => given[name]);
  if (cursor !== undefined && keyOfCursor(list, cursor) === null) {
    throw refuse(inputRefusals.INVALID_FIELD, NO_CURSOR);
  }
  return {
    filters: Object.fromEntries(
      Object.entries(given).filter(([name, value]) => name in filters && value !== undefined),
    ),
    limit: Number(limit),
    cursor,
    from: from === undefined ? undefined : instantOf(from),
    before: before === undefined ? undefined : instantOf(before),
  };
}
