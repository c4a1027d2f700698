// What of deliveries ends by itself, by the workspace's clock. The database refuses to delete any
// of it earlier. [PD6]

const BATCH = 1_000;
const NOW = '($now + w.clock_offset)';

/** SQL: deletes up to a thousand delivery attempts older than `keeps`, an interval. */
export function oldAttempts(keeps: string): string {
  return `delete from delivery_attempt
  where (workspace, endpoint_id, sequence, number) in (
    select a.workspace, a.endpoint_id, a.sequence, a.number from workspace w
    join delivery_attempt a on a.workspace = w.workspace and a.at < ${NOW} - interval '${keeps}'
    where w.ended is null limit ${BATCH})`;
}

/** SQL: deletes up to a thousand ended deliveries of events older than `keeps`, an interval. */
export function oldDeliveries(keeps: string): string {
  return `delete from delivery
  where (workspace, endpoint_id, sequence) in (
    select d.workspace, d.endpoint_id, d.sequence from workspace w
    join event e on e.workspace = w.workspace and e.at < ${NOW} - interval '${keeps}'
    join delivery d on d.workspace = e.workspace and d.sequence = e.sequence
    and d.state <> 'pending'
    where w.ended is null limit ${BATCH})`;
}
