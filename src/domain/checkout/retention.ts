// Deletes authorized invoices of which nothing was made, 30 days after they expired, as long as
// their links are kept. [G-45]
import type { Database } from '../../db/index.ts';

/** The database refuses to delete earlier. */
const MEMORY_DAYS = 30;
const BATCH = 1_000;

/** Deletes at most a thousand; gives how many. Run it until it gives 0. */
export function forgetUnused(db: Database): Promise<number> {
  return db.execute(`delete from authorized_invoice where (world, id) in (
    select a.world, a.id from authorized_invoice a join world w using (world)
      where latest_invoice_id is null
      and a.expires < clock_timestamp() - interval '${MEMORY_DAYS} days'
      -- By the clock of its world, which a copy of an old snapshot has behind ours.
      and a.expires < clock_timestamp() + w.clock_offset - interval '${MEMORY_DAYS} days'
      limit ${BATCH})
    and latest_invoice_id is null`);
}
