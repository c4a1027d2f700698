// Archives a sandbox's workspace in one transaction: nothing pending in it is done any more, and
// its clients use its heir, if it has one. Its rows stay.
import type { Transaction } from '../../db/index.ts';
import { endLinksOf, moveAccess } from '../../product/access/oauth/index.ts';
import { followWorld } from '../../product/access/operator/index.ts';
import { endWorld } from '../../product/tenant/tenant/index.ts';

/** Work in real time; put off to the end of time, where nothing claims it. */
export const WAITING = [
  'attempt_job',
  'remittance_job',
  'identity_job',
  'match_job',
  'erasure_job',
  'statement_cursor',
  'processor_due',
  'processor_notice',
  'vendor_due',
  'vendor_notice',
];

const STILL = `with ${WAITING.map(
  (table) => `${table}s as (update ${table} set due = 'infinity' where world = $1)`,
).join(', ')},
  deliveries as (update delivery set state = 'dead', lease = null, last_reason = 'world_ended'
    where world = $1 and state = 'pending')
  update webhook_endpoint set state = 'disabled', disabled_reason = 'request'
    where world = $1 and state = 'enabled'`;

/**
 * Archives a live workspace; false where that was done. `heir`: the workspace of its clients,
 * signed-in users and operators from now on; null: its clients are shut out.
 */
export async function closeWorld(
  tx: Transaction,
  world: number,
  heir: number | null,
): Promise<boolean> {
  const live = await tx.query({
    text: 'select from world where world = $1 and ended is null for no key update',
    values: [world],
  });
  if (live.length === 0) return false;
  await endWorld(tx, world, heir);
  await tx.execute({ name: 'close_world', text: STILL, values: [world] });
  await endLinksOf(tx, world);
  await moveAccess(tx, world, heir);
  if (heir !== null) await followWorld(tx, world, heir);
  return true;
}
