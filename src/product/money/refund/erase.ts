// Empties the notes of a person's refunds.
import type { Database } from '../../../db/index.ts';
import { ofBuyer } from '../../../core/by-account.ts';

/** Deletes what was noted about the refunds of an erased buyer. */
export async function forgetRefundNotes(
  db: Pick<Database, 'execute'>,
  workspace: number,
  account: string,
): Promise<void> {
  await db.execute({
    text: `update refund r set sealed_note = null from invoice i
      where i.workspace = $1 and ${ofBuyer('i', '$2')} and r.workspace = $1
        and r.invoice_id = i.id and r.sealed_note is not null`,
    values: [workspace, account],
  });
}
