// Sends events again: one, a range, or every dead letter of an endpoint. A replay restarts the
// schedule and keeps the history of earlier attempts.
import type { Database, Transaction } from '../../../db/index.ts';
import type { IdempotencyClaim } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { once } from '../../idempotent/index.ts';
import { audit } from '../audit/index.ts';
import { findEndpoint, lockEndpoint, type EndpointRow } from './endpoint.ts';
import { webhookRefusals } from './refusals.ts';
import { deliveryShown } from './retention.ts';

/** The most events of one replay. */
export const REPLAY_MAX = 10_000;

/** What to send again. Events of a range that were never queued for the endpoint are queued now. */
export type ReplayRequest =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'failed' };

// Events of a range that the endpoint subscribed to.
const RANGE = `webhook_endpoint e join event v on v.workspace = e.workspace
    and v.sequence between $3 and $4 and (e.events = '{}' or v.name = any (e.events))`;

// A row under a lease is being sent right now, so it is left alone. One of the past has no conflict
// with a new row, so known rows come first; no generation turns before the transaction has ended.
const KNOWN = `
  update delivery d set state = 'pending', tries = 0, due = $now
  from (select k.sequence from ${RANGE}
    join delivery k on k.workspace = e.workspace and k.endpoint_id = e.id
      and k.sequence = v.sequence and k.lease is null
    where e.workspace = $1 and e.id = $2 order by k.sequence for no key update of k) k
  where d.workspace = $1 and d.endpoint_id = $2 and d.sequence = k.sequence`;

const UNKNOWN = `
  insert into delivery (workspace, endpoint_id, sequence, resource_id)
  select v.workspace, e.id, v.sequence, v.resource_id from ${RANGE}
  where e.workspace = $1 and e.id = $2 and not exists (select from delivery d
    where d.workspace = e.workspace and d.endpoint_id = e.id and d.sequence = v.sequence)
  order by v.sequence
  on conflict do nothing`;

const FAILED = `
  update delivery d set state = 'pending', tries = 0, due = $now
  from (select d.sequence from delivery d
    join event v on v.workspace = d.workspace and v.sequence = d.sequence
    where d.workspace = $1 and d.endpoint_id = $2 and d.state = 'dead' and ${deliveryShown()}
    order by d.sequence limit $3 for no key update of d) f
  where d.workspace = $1 and d.endpoint_id = $2 and d.sequence = f.sequence`;

/** A range of sequence numbers. Throws a Refusal for one that descends or is too long. */
export function rangeOf(from: number, to: number): ReplayRequest {
  if (from > to) throw refuse(webhookRefusals.REPLAY_AMBIGUOUS);
  if (to - from >= REPLAY_MAX) throw refuse(webhookRefusals.REPLAY_RANGE_TOO_LARGE);
  return { kind: 'range', from, to };
}

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
  const values = [workspace, endpointId, request.from, request.to];
  const again = await tx.execute({ text: KNOWN, values });
  return again + (await tx.execute({ text: UNKNOWN, values }));
}

/** The locked endpoint. Refuses an unknown or deleted one, and one that is disabled. */
export async function enabledEndpoint(
  tx: Transaction,
  workspace: number,
  id: string,
): Promise<EndpointRow> {
  const row = (await lockEndpoint(tx, workspace, id)) && (await findEndpoint(tx, workspace, id));
  if (!row) throw refuse(webhookRefusals.WEBHOOK_ENDPOINT_NOT_FOUND);
  if (row.state !== 'enabled') throw refuse(webhookRefusals.WEBHOOK_ENDPOINT_DISABLED);
  return row;
}

/**
 * Sends again for an operator, once for each claim, with an entry in the audit; gives how many
 * deliveries became pending. Refuses as `enabledEndpoint` does.
 */
export async function sendAgain(
  db: Database,
  { workspace, id }: { readonly workspace: number; readonly id: string },
  requests: readonly ReplayRequest[],
  { actor, claim }: { readonly actor: string; readonly claim: IdempotencyClaim },
): Promise<number> {
  const { payload } = await once(db, workspace, claim, async (tx) => {
    await enabledEndpoint(tx, workspace, id);
    let queued = 0;
    for (const request of requests) queued += await replay(tx, workspace, id, request);
    const detail = { endpoint: id, queued };
    await audit(tx, { workspace, actor, act: 'deliveries_repeated', subject: id, detail });
    return { status: 200, payload: { queued } };
  });
  return (payload as { queued: number }).queued;
}
