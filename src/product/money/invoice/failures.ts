// How many payments of the last days failed, by the code that says why.
import { onceAMinute, raw, sql, type Queryable } from '../../../db/index.ts';

/** Payments that failed with one code. */
export interface FailureCount {
  readonly code: string;
  readonly count: number;
}

/** The most codes; those that come more rarely are left out. */
const MOST = 12;

/** Ids are made in real time, which a sandbox's clock is never behind: they find the rows. */
function readFailures(tx: Queryable, workspace: number): Promise<readonly FailureCount[]> {
  return tx.query(sql`select failure_code as code, count(*)::int4 as count from invoice
    where workspace = ${workspace} and failure_code is not null
      and id >= (rpad(lpad(to_hex(floor(extract(epoch from clock_timestamp()
        - interval '30 days') * 1000)::int8), 12, '0'), 32, '0'))::uuid
      and updated >= workspace_now($1) - interval '30 days'
    group by failure_code order by count desc, code limit ${raw(MOST)}`);
}

/** The failures of the last 30 days, the most frequent first; null where reading takes too long. */
export const failuresOf = onceAMinute(false, readFailures);
