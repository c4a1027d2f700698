// How far the receivers of webhooks lag behind: the age of the oldest pending event of an endpoint.
import type { Queryable } from '../../../db/index.ts';

/** An endpoint, and how long its oldest pending event waits. */
export interface Lag {
  readonly endpoint: string;
  readonly seconds: number;
}

/** Most endpoints that are looked at, and most deliveries of each. */
const LOOKED_AT = 1_000;
const DELIVERIES = 200;

// Endpoints with pending rows are found by skipping through the index, as when they are claimed.
const LAGS = `with recursive busy(workspace, endpoint_id, place) as (
    (select d.workspace, d.endpoint_id, 1 from delivery d where d.state = 'pending'
      order by d.workspace, d.endpoint_id limit 1)
    union all
    select n.workspace, n.endpoint_id, b.place + 1 from busy b cross join lateral (
      select d.workspace, d.endpoint_id from delivery d
      where d.state = 'pending' and (d.workspace, d.endpoint_id) > (b.workspace, b.endpoint_id)
      order by d.workspace, d.endpoint_id limit 1) n
    where b.place < ${LOOKED_AT}
  )
  select b.endpoint_id::text as endpoint, greatest(0, extract(epoch from
      clock_timestamp() + w.clock_offset - v.at))::float8 as seconds
  from busy b
  join webhook_endpoint e on e.workspace = b.workspace and e.id = b.endpoint_id
    and e.state = 'enabled'
  join workspace w on w.workspace = b.workspace and w.ended is null
  cross join lateral (select min(p.sequence) as sequence from (
    select d.sequence from delivery d where d.workspace = b.workspace
      and d.endpoint_id = b.endpoint_id and d.state = 'pending'
    order by d.due limit ${DELIVERIES}) p) o
  join event v on v.workspace = b.workspace and v.sequence = o.sequence
  order by seconds desc limit $1`;

/** The endpoints that lag most, over all tenants. */
export function endpointLags(db: Queryable, most: number): Promise<readonly Lag[]> {
  return db.query({ name: 'endpoint_lags', text: LAGS, values: [most] });
}
