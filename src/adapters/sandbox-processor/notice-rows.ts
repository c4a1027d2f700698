// Answers for how the book notes that the merchant is to be told of a change: in the statement that
// makes the change, so that it costs no journey of its own. Knows nothing of how notices are sent.
import type { Book } from '../sandbox-book/access.ts';
import type { Exchange } from './exchanges.ts';
import { NOTICES, USUAL_NOTICE } from './exchanges.ts';

/**
 * How a change is told of, as parameters $3 to $5 of the statement that makes it: how many times,
 * how many milliseconds later, and whether an answer tells the same.
 */
export type NoticeWish = readonly [times: number, afterMs: number, ordinary: boolean];

/** For a change that no answer tells of. */
export const OUTSIDE_NOTICE: NoticeWish = [1, 0, false];

/** For the effect of an exchange; `final`: something ended by it. */
export function noticeWishOf(exchange: Exchange, final: boolean): NoticeWish {
  const { notice, reply } = exchange;
  const ordinary = reply === 'truth' && notice === undefined;
  const { times, afterMs } = notice === undefined ? USUAL_NOTICE : NOTICES[notice];
  return [ordinary && !final ? 0 : times, afterMs, ordinary];
}

/** The part of a statement that notes a notice for each row (world, key) of another part. */
export function told(rows: string, about: 'charge' | 'remittance' | 'statement'): string {
  return noted('processor', rows, `, '${about}'`, ', about');
}

/** The same for the book of any system; `own`: values of the columns that only it has. */
export function noted(book: Book, rows: string, own = '', ownColumns = ''): string {
  return `told as (
        insert into ${book}_notice (world, key, remaining, due, ordinary${ownColumns})
        select world, key, $3::smallint,
          clock_timestamp() + $4::int * interval '1 millisecond', $5::boolean${own}
        from ${rows} where $3::smallint > 0
      )`;
}
