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

export const NO_NOTICE: NoticeRequest = [0, 0, true];

/** For the effect of a call; `final`: it ended something. */
export function noticeRequestOf(exchange: Exchange, final: boolean): NoticeRequest {
  const { notice, reply } = exchange;
  const ordinary = reply === 'truth' && notice === undefined;
  const { times, afterMs } = notice === undefined ? USUAL_NOTICE : NOTICES[notice];
  return [ordinary && !final ? 0 : times, afterMs, ordinary];
}

/** SQL that stores a webhook for each row of `hit`; `about`: what the processor adds. */
export function told(book: Book, about?: 'charge' | 'remittance' | 'statement'): string {
  const [column, value] = about === undefined ? ['', ''] : [', about', `, '${about}'`];
  return `told as (
      insert into ${book}_notice (workspace, key, remaining, due, ordinary${column})
      select workspace, key, $3::smallint,
        $now + $4::int * interval '1 millisecond', $5::boolean${value}
      from hit where $3::smallint > 0
    )`;
}

/** A change of one charge or outbound transfer. SQL; $1 to $5: workspace, key, webhook. */
interface Change {
  readonly table: 'charge' | 'transfer';
  readonly set: string;
  /** About the row `t`. */
  readonly where: string;
  /** Values of `kind, amount, currency` and of `columns`, about the row `hit`; absent: no row. */
  readonly line?: string;
  /** Further columns of the statement row. */
  readonly columns?: string;
  /** Whether there is a statement row. */
  readonly moved?: string;
  /** What the webhook is about; absent: the changed row. */
  readonly about?: 'statement';
  /** A further CTE that uses `hit`. */
  readonly also?: string;
  /** Columns of the changed row to return. */
  readonly shown?: string;
}

/** The change, its statement row and its webhook as one statement: never half written. */
export function changing(change: Change): string {
  const { table, set, where, line, columns = '', moved = 'true', shown = '' } = change;
  const about = change.about ?? (table === 'charge' ? 'charge' : 'remittance');
  const also = change.also === undefined ? '' : `${change.also}, `;
  const row = `line as (
      insert into processor_statement
        (at, workspace, key, reference, kind, amount, currency${columns})
      select workspace_at(workspace, $now), workspace, key, reference, ${line} from hit
      where ${moved}
    ), `;
  return `with hit as (
      update processor_${table} t set ${set}, updated = workspace_at($1, $now)
      where workspace = $1 and key = $2 and ${where} returning *
    ), ${line === undefined ? '' : row}${also}${told('processor', about)}
    select ${shown} from hit`;
}
