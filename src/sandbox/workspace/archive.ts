// Archives a sandbox's workspace in one transaction: nothing pending in it is done any more, and
// its clients use its heir, if it has one. Its rows stay.
import { sql, type Transaction } from '../../db/index.ts';
import { endLinksOf, moveAccess } from '../../product/access/oauth/index.ts';
import { followWorkspace } from '../../product/access/operator/index.ts';
import { endWorkspace } from '../../product/tenant/tenant/index.ts';

/** Work in real time; put off to the end of time, where nothing claims it. */
export const WAITING = [
  'attempt_job',
  'transfer_job',
  'dispute_answer_job',
  'identity_job',
  'payee_job',
  'match_job',
  'erasure_job',
  'statement_cursor',
  'processor_due',
  'processor_notice',
  'vendor_due',
  'vendor_notice',
];

const STILL = `with ${WAITING.map(
  (table) => `${table}s as (update ${table} set due = 'infinity' where workspace = $1)`,
).join(', ')},
  deliveries as (update delivery set state = 'dead', lease = null, last_reason = 'workspace_ended'
    where workspace = $1 and state = 'pending')
  update webhook_endpoint set state = 'disabled', disabled_reason = 'request'
    where workspace = $1 and state = 'enabled'`;

/**
 * Archives a live workspace; false where that was done. `heir`: the workspace of its clients,
 * signed-in users and operators from now on; null: its clients are shut out.
 */
export async function closeWorkspace(
  tx: Transaction,
  workspace: number,
  heir: number | null,
): Promise<boolean> {
  const live = await tx.query(sql`
    select from workspace where workspace = ${workspace} and ended is null for no key update`);
  if (live.length === 0) return false;
  await endWorkspace(tx, workspace, heir);
  await tx.execute({ name: 'close_workspace', text: STILL, values: [workspace] });
  await endLinksOf(tx, workspace);
  await moveAccess(tx, workspace, heir);
  if (heir !== null) await followWorkspace(tx, workspace, heir);
  return true;
}
