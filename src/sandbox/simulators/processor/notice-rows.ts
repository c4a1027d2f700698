// Stores a change's webhook in the same statement that makes the change, which saves a round trip.
import type { Book } from '../store/access.ts';
import type { Exchange } from './exchanges.ts';
import { NOTICES, USUAL_NOTICE } from './exchanges.ts';

/**
 * Parameters $3 to $5 of the statement: how many webhooks, how many milliseconds later, and whether
 * an answer says the same.
 */
export type NoticeRequest = readonly [times: number, afterMs: number, ordinary: boolean];

/** For a change that no answer reports. */
export const OUTSIDE_NOTICE: NoticeRequest = [1, 0, false];

/** For the effect of a call; `final`: it ended something. */
export function noticeRequestOf(exchange: Exchange, final: boolean): NoticeRequest {
  const { notice, reply } = exchange;
  const ordinary = reply === 'truth' && notice === undefined;
  const { times, afterMs } = notice === undefined ? USUAL_NOTICE : NOTICES[notice];
  return [ordinary && !final ? 0 : times, afterMs, ordinary];
}

/** SQL that stores a webhook for each row (workspace, key) of another CTE. */
export function told(rows: string, about: 'charge' | 'remittance' | 'statement'): string {
  return noted('processor', rows, `, '${about}'`, ', about');
}

/** The same for any simulator; `own`: values of the columns that only it has. */
export function noted(book: Book, rows: string, own = '', ownColumns = ''): string {
  return `told as (
        insert into ${book}_notice (workspace, key, remaining, due, ordinary${ownColumns})
        select workspace, key, $3::smallint,
          clock_timestamp() + $4::int * interval '1 millisecond', $5::boolean${own}
        from ${rows} where $3::smallint > 0
      )`;
}
