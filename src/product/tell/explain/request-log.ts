// The log of requests of a tenant, newest first, from their notes: codes, ids and times. Bodies,
// addresses and headers are not in it, because nobody stores them.
import type { Queryable } from '../../../db/index.ts';
import type { CallerKind } from '../../../core/operation.ts';
import type { Instant } from '../../../core/time.ts';

/** Which requests; null: all. */
export interface RequestFilter {
  /** The first digit of the status, such as 4. */
  readonly statusClass: number | null;
  readonly clientId: string | null;
  readonly requestId: string | null;
  /** Only those that came in before this moment. */
  readonly before: Instant | null;
}

/** One request. Times are real. */
export interface LoggedRequest {
  readonly id: string;
  readonly at: Instant;
  readonly operation: string;
  readonly caller: CallerKind;
  readonly client_id: string;
  /** Of the person whose token it had. */
  readonly account_id: string | null;
  readonly status: number;
  readonly took_ms: number;
  /** The code of the refusal; null without one. */
  readonly refused: string | null;
}

/** The newest notes that a filter looks at; a request has one for each id that it named. */
export const NOTES_SEEN = 20_000;

/** The newest requests that a filter lets through, at most `limit`. */
export function readRequests(
  db: Queryable,
  workspace: number,
  { statusClass, clientId, requestId, before }: RequestFilter,
  limit: number,
): Promise<LoggedRequest[]> {
  return db.query<LoggedRequest>({
    text: `select distinct on (at, id) id, at, operation, caller, client_id, account_id, status,
        took_ms, refusal::json ->> 'code' as refused
      from (select * from request_note where workspace = $1 and at > '-infinity'
          and ($2::timestamptz is null or at < $2)
        order by at desc, id desc limit ${NOTES_SEEN}) n
      where ($3::int is null or status / 100 = $3) and ($4::text is null or client_id = $4)
        and ($5::uuid is null or id = $5)
      order by at desc, id desc limit $6`,
    values: [workspace, before, statusClass, clientId, requestId, limit],
  });
}
