// Takes provider webhooks: authenticated, each once, and never believed. The key that one names is
// retrieved from the processor, so a forged, old, repeated or reordered webhook changes nothing.
// [EV6]
import type { Database } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Notice } from '../../../providers/processor/port.ts';
import { wakePayee } from '../payee/index.ts';
import { lookAgain } from '../wallet/index.ts';
import { wakeStatements } from './statement.ts';

/** Days that a webhook's id is remembered; its signature expires long before. */
const KEPT_DAYS = 30;
const BATCH = 5_000;

/** Stores an authenticated webhook and has its key retrieved; a repetition does nothing. */
export function takeNotice(db: Database, notice: Notice): Promise<void> {
  const { workspace, id, key, about } = notice;
  return db.transaction(async (tx) => {
    const fresh = await tx.execute({
      name: 'take_notice',
      text: `insert into processor_notice_seen (workspace, notice_id) values ($1, $2)
        on conflict do nothing`,
      values: [workspace, id],
    });
    if (fresh === 0) return;
    if (about === 'statement') await wakeStatements(tx, [workspace], 0);
    else if (about === 'payee') await wakePayee(tx, workspace, key);
    else if (isUuid(key)) await lookAgain(tx, workspace, [key]);
  });
}

/** Deletes ids of old webhooks, five thousand at most; gives how many. Run it until it gives 0. */
export function forgetNotices(db: Pick<Database, 'execute'>): Promise<number> {
  return db.execute(
    `delete from processor_notice_seen where (workspace, notice_id) in (
      select workspace, notice_id from processor_notice_seen
      where seen < $now - interval '${KEPT_DAYS} days' limit ${BATCH})`,
  );
}
