// Keeps authorized invoices until they expire, and deletes those of which nothing was made 30 days
// later, as long as their links are kept. [G-45]
import { prepared, type Database, type Transaction } from '../../../db/index.ts';

/** The database refuses to delete earlier. */
const MEMORY_DAYS = 30;
const BATCH = 1_000;

/** Stores the sale of an authorized invoice for `seconds`, by the workspace's clock. */
export async function keepAuthorized(
  tx: Transaction,
  workspace: number,
  request: { readonly id: string; readonly account: string; readonly isEscrow: boolean },
  sale: object,
  seconds: number,
): Promise<void> {
  await tx.execute(prepared('authorized_invoice_insert')`
    insert into authorized_invoice (workspace, id, account_id, is_escrow, document, expires)
    values (${workspace}, ${request.id}, ${request.account}, ${request.isEscrow},
      ${JSON.stringify(sale)}, workspace_now($1) + make_interval(secs => ${seconds}))`);
}

/** Deletes at most a thousand; gives how many. Run it until it gives 0. */
export function forgetUnused(db: Database): Promise<number> {
  return db.execute(`delete from authorized_invoice where (workspace, id) in (
    select a.workspace, a.id from authorized_invoice a join workspace w using (workspace)
      where latest_invoice_id is null
      and a.expires < $now - interval '${MEMORY_DAYS} days'
      -- By the clock of its workspace, which a copy of an old snapshot has behind ours.
      and a.expires < $now + w.clock_offset - interval '${MEMORY_DAYS} days'
      limit ${BATCH})
    and latest_invoice_id is null`);
}
