// Registers and ends endpoints with their audit entry inside the caller's transaction, for the
// operations of endpoints and for receivers that the sandbox hosts.
import type { Transaction } from '../../../db/index.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { audit, type Act } from '../audit/index.ts';
import { actorOf } from '../../context.ts';
import {
  countEndpoints,
  ENDPOINTS_MAX,
  insertEndpoint,
  lockEndpoint,
  removeEndpoint,
} from './endpoint.ts';
import type { EndpointRequest } from './endpoint.ts';
import type { SealingServices } from './services.ts';
import { webhookRefusals as no } from './refusals.ts';

/** Writes an audit entry about an endpoint. */
export function noted(tx: Transaction, caller: Caller, act: Act, subject: string): Promise<void> {
  return audit(tx, { workspace: caller.workspace, actor: actorOf(caller), act, subject });
}

/** Registers an endpoint. Throws a Refusal where the tenant has too many. */
export async function registerEndpoint(
  tx: Transaction,
  services: SealingServices,
  caller: Caller,
  id: string,
  request: EndpointRequest,
): Promise<void> {
  const { workspace } = caller;
  if ((await countEndpoints(tx, workspace)) >= ENDPOINTS_MAX)
    throw refuse(no.WEBHOOK_ENDPOINT_LIMIT);
  await insertEndpoint(tx, services, workspace, id, request);
  await noted(tx, caller, 'endpoint_created', id);
}

/** Ends an endpoint; false for an unknown one. */
export async function endEndpoint(tx: Transaction, caller: Caller, id: string): Promise<boolean> {
  const { workspace } = caller;
  if (!(await lockEndpoint(tx, workspace, id))) return false;
  await removeEndpoint(tx, workspace, id);
  await noted(tx, caller, 'endpoint_removed', id);
  return true;
}
