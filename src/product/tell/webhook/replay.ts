// Sends events again: one, a range, or every dead letter of an endpoint. A replay restarts the
// schedule and keeps the history of earlier attempts.
import type { Transaction } from '../../../db/index.ts';

/** The most events of one replay. */
export const REPLAY_MAX = 10_000;

/** What to send again. Events of a range that were never queued for the endpoint are queued now. */
export type ReplayRequest =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'failed' };

// A row under a lease is being sent right now, so it is left alone.
const RANGE = `
  insert into delivery (workspace, endpoint_id, sequence, resource_id)
  select v.workspace, e.id, v.sequence, v.resource_id
  from webhook_endpoint e join event v on v.workspace = e.workspace
  where e.workspace = $1 and e.id = $2 and v.workspace = $1 and v.sequence between $3 and $4
    and (e.events = '{}' or v.name = any (e.events))
  order by v.sequence
  on conflict (workspace, endpoint_id, sequence) do update
    set state = 'pending', tries = 0, due = $now
    where delivery.lease is null`;

const FAILED = `
  update delivery d set state = 'pending', tries = 0, due = $now
  from (select f.sequence from delivery f
    where f.workspace = $1 and f.endpoint_id = $2 and f.state = 'dead'
    order by f.sequence limit $3 for no key update) f
  where d.workspace = $1 and d.endpoint_id = $2 and d.sequence = f.sequence`;

/** Queues the replay for a locked, enabled endpoint; gives how many rows are now pending. */
export async function replay(
  tx: Transaction,
  workspace: number,
  endpointId: string,
  request: ReplayRequest,
): Promise<number> {
  if (request.kind === 'failed') {
    return tx.execute({ text: FAILED, values: [workspace, endpointId, REPLAY_MAX] });
  }
  return tx.execute({ text: RANGE, values: [workspace, endpointId, request.from, request.to] });
}
