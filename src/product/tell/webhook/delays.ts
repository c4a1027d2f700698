// How long events took to reach their receivers in the last hours: from the change that an event
// announces to the first answer that accepted it.
import { onceAMinute, raw, sql, type Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';

/** The events of one hour. */
export interface HourOfDelay {
  /** When the hour began, by the clock of the workspace. */
  readonly hour: Instant;
  readonly delivered: number;
  /** Seconds within which 95 of 100 were accepted; null where none was. */
  readonly seconds: number | null;
}

/** The most events that are looked at, the newest first. */
const MOST = 20_000;
const HOURS = 24;

function readDelays(tx: Queryable, workspace: number): Promise<readonly HourOfDelay[]> {
  return tx.query(sql`select h.hour, count(d.seconds)::int4 as delivered,
      percentile_cont(0.95) within group (order by d.seconds) as seconds
    from (select date_trunc('hour', workspace_now(${workspace})) as last) n
    cross join lateral generate_series(n.last - interval '${raw(HOURS - 1)} hours', n.last,
      interval '1 hour') as h (hour)
    left join (
      select date_trunc('hour', v.at) as hour,
        extract(epoch from greatest(min(a.at) - v.at, interval '0'))::float8 as seconds
      from (select sequence, at from event where workspace = $1
        order by sequence desc limit ${raw(MOST)}) v
      cross join webhook_endpoint e
      join delivery_attempt a on a.workspace = $1 and a.endpoint_id = e.id
        and a.sequence = v.sequence and a.status between 200 and 299
      where e.workspace = $1 and v.at >= workspace_now($1) - interval '${raw(HOURS)} hours'
      group by v.sequence, v.at, e.id) d on d.hour = h.hour
    group by h.hour order by h.hour`);
}

/** The last 24 hours, oldest first; null where reading takes too long. */
export const delaysOf = onceAMinute(false, readDelays);
