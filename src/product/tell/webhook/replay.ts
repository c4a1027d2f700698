// Sends events again: one, a range, or every dead letter of an endpoint. A replay restarts the
// schedule and keeps the history of earlier attempts.
import type { Transaction } from '../../../db/index.ts';

/** The most events of one replay. */
export const REPLAY_MAX = 10_000;

/** What to send again. Events of a range that were never queued for the endpoint are queued now. */
export type ReplayWish =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'failed' };

// A row under a lease is being sent right now, so it is left alone.
const RANGE = `
  insert into delivery (world, endpoint_id, sequence, resource_id)
  select v.world, e.id, v.sequence, v.resource_id
  from webhook_endpoint e join event v on v.world = e.world
  where e.world = $1 and e.id = $2 and v.world = $1 and v.sequence between $3 and $4
    and (e.events = '{}' or v.name = any (e.events))
  order by v.sequence
  on conflict (world, endpoint_id, sequence) do update
    set state = 'pending', tries = 0, due = clock_timestamp()
    where delivery.lease is null`;

const FAILED = `
  update delivery d set state = 'pending', tries = 0, due = clock_timestamp()
  from (select f.sequence from delivery f
    where f.world = $1 and f.endpoint_id = $2 and f.state = 'dead'
    order by f.sequence limit $3 for no key update) f
  where d.world = $1 and d.endpoint_id = $2 and d.sequence = f.sequence`;

/** Queues the replay for a locked, enabled endpoint; gives how many rows are now pending. */
export async function replay(
  tx: Transaction,
  world: number,
  endpointId: string,
  wish: ReplayWish,
): Promise<number> {
  if (wish.kind === 'failed') {
    return tx.execute({ text: FAILED, values: [world, endpointId, REPLAY_MAX] });
  }
  return tx.execute({ text: RANGE, values: [world, endpointId, wish.from, wish.to] });
}
