// The end of a sandbox's world: nothing that waits in it is done any more, and whoever spoke to it
// speaks to its heir, if it has one. Answers for one transaction holding all of it; its rows stay.
// Refuses to know why it ends.
import type { Transaction } from '../../db/index.ts';
import { endLinksOf } from '../oauth/index.ts';
import { followWorld } from '../operator/index.ts';
import { endWorld } from '../tenant/index.ts';

/** Work in real time; nobody comes for it at the end of all time. */
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
 * Ends a live world for good; false when it has ended already. `heir`: the world that its clients,
 * its signed-in users and its operators find from now on; null: its clients are shut out.
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
  const values = heir === null ? [world] : [world, heir];
  const run = (text: string): Promise<number> => tx.execute({ text, values });
  await tx.execute({ name: 'close_world', text: STILL, values: [world] });
  await endLinksOf(tx, world);
  if (heir === null) {
    await run('update client set disabled = true where world = $1');
    return true;
  }
  await run('update client set world = $2 where world = $1');
  // Who is signed in stays so, where the copy has the account.
  await run(
    `update refresh_token r set world = $2 where r.world = $1 and r.expires > clock_timestamp()
      and exists (select from account a where a.world = $2 and a.id = r.account_id)`,
  );
  await followWorld(tx, world, heir);
  return true;
}
