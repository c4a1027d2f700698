// What time brings about: finds what is due in the time of its world and submits the command that
// acts on it. Answers for the table of such work and its beat; knows no rule of theirs.
import type { Database } from '../db/index.ts';
import type { Services } from '../domain/context.ts';
import { dueEscrows, endOverdueEscrow } from '../domain/escrow/index.ts';
import { dueReviews, lapseReview } from '../domain/identity/index.ts';
import { advancePayout, duePayouts } from '../domain/payout/index.ts';
import { fundWaiting } from '../domain/refund/index.ts';
import type { UpkeepRow } from './upkeep.ts';

const MOST = 50;

/** The rows of the clock. Several processes may do it at once: the second finds nothing to do. */
export function clockRows(db: Database, { engine, entropy }: Services): readonly UpkeepRow[] {
  return [
    {
      name: 'escrows at their holding limit',
      everySeconds: 1,
      async run() {
        const due = await dueEscrows(db, MOST);
        for (const { world, id } of due) {
          await engine.run(endOverdueEscrow, { escrowId: id }, { world, actor: 'system' });
        }
        return due.length;
      },
    },
    {
      name: 'payouts after their review, or a week after they failed',
      everySeconds: 1,
      async run() {
        const due = await duePayouts(db, MOST);
        const acts = due.map(({ world, id: payoutId }) => {
          const input = { payoutId, remittanceId: entropy.uuid() };
          return engine.run(advancePayout, input, { world, actor: 'system' });
        });
        await Promise.all(acts);
        return due.length;
      },
    },
    {
      name: 'reviews of identity without an answer',
      everySeconds: 1,
      async run() {
        const due = await dueReviews(db, MOST);
        for (const { world, id: account } of due) {
          await engine.run(lapseReview, { account }, { world, actor: 'system' });
        }
        return due.length;
      },
    },
    {
      name: 'refunds and reversals that wait for funds',
      everySeconds: 1,
      run: () => fundWaiting(db, engine),
    },
  ];
}
