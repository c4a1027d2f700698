// Scheduled work: finds rows that are due by their workspace's clock and submits the command for
// each. The rules are in the commands.
import type { Database } from '../db/index.ts';
import type { Services } from '../product/context.ts';
import { entityTable, followPerson, lapseEntity } from '../product/people/business/index.ts';
import { disputeTable, watchDispute } from '../product/money/dispute/index.ts';
import { endOverdueEscrow, escrowTable } from '../product/money/escrow/index.ts';
import {
  advanceIdentity,
  forgetMoved,
  kycTable,
  movedIdentities,
} from '../product/people/identity/index.ts';
import { advancePayout, payoutTable } from '../product/money/payout/index.ts';
import { runSchedules } from '../product/money/payout-schedule/index.ts';
import { settleStatements } from '../product/money/payout-file/index.ts';
import { dueOf, releaseReserve, reserveTable } from '../product/money/reserve/index.ts';
import { fundWaiting } from '../product/money/refund/index.ts';
import { settleDue, settlementTable } from '../product/money/treasury/index.ts';
import { bookBlock, openOpenings } from '../product/tenant/imports/index.ts';
import { wakeOver } from '../product/money/wallet/index.ts';
import { dueRows, isEnded } from '../engine/index.ts';
import type { UpkeepRow } from './upkeep.ts';

const MOST = 50;

/** Runs `work` on each and returns how many; a failure stops no other and is thrown at the end. */
async function forEach<T>(due: readonly T[], act: (one: T) => Promise<unknown>): Promise<number> {
  const ended = await Promise.allSettled(due.map(act));
  const failed = ended.find((one) => one.status === 'rejected' && !isEnded(one.reason));
  if (failed?.status === 'rejected') throw failed.reason;
  return due.length;
}

/** The clock's work. Safe in several processes: the second one finds nothing due. */
export function clockRows(db: Database, services: Services): readonly UpkeepRow[] {
  const { engine } = services;
  return [
    {
      name: 'escrows at their holding limit',
      everySeconds: 1,
      async run() {
        return forEach(await dueRows(db, escrowTable, MOST), ({ workspace, id }) =>
          engine.run(endOverdueEscrow, { escrowId: id }, { workspace, actor: 'system' }),
        );
      },
    },
    {
      name: 'money at the processor that becomes available',
      everySeconds: 1,
      async run() {
        return forEach(await dueRows(db, settlementTable, MOST), ({ workspace, id }) =>
          engine.run(settleDue, { id }, { workspace, actor: 'system' }),
        );
      },
    },
    ...payoutRows(db, services),
    ...disputeRows(db, services),
    {
      name: 'card payments that their buyer did not confirm in time',
      everySeconds: 1,
      run: () => wakeOver(db),
    },
    {
      name: 'reviews of identity without an answer, and expiring documents',
      everySeconds: 1,
      async run() {
        return forEach(await dueRows(db, kycTable, MOST), ({ workspace, id: account }) =>
          engine.run(advanceIdentity, { account }, { workspace, actor: 'system' }),
        );
      },
    },
    {
      name: 'opening balances that were confirmed',
      everySeconds: 1,
      async run() {
        return forEach(await openOpenings(db, MOST), (one) => bookBlock({ db, engine }, one));
      },
    },
    ...businessRows(db, engine),
    {
      name: 'refunds and reversals that wait for funds',
      everySeconds: 1,
      run: () => fundWaiting(db, engine),
    },
  ];
}

function payoutRows(db: Database, services: Services): readonly UpkeepRow[] {
  const { engine, random, policies } = services;
  return [
    {
      name: 'payouts after their review, or a week after they failed',
      everySeconds: 1,
      async run() {
        return forEach(await dueRows(db, payoutTable, MOST), ({ workspace, id: payoutId }) => {
          const input = { payoutId, transferId: random.uuid() };
          return engine.run(advancePayout, input, { workspace, actor: 'system' });
        });
      },
    },
    {
      name: 'payouts by schedule',
      everySeconds: 1,
      run: () => runSchedules({ db, engine, holdSeconds: policies.payoutHoldSeconds }),
    },
    {
      name: 'payout files that statements of the bank name',
      everySeconds: 1,
      run: () => settleStatements({ db, engine }),
    },
  ];
}

function disputeRows(db: Database, { engine }: Services): readonly UpkeepRow[] {
  return [
    {
      name: 'disputes whose deadline is near or has passed',
      everySeconds: 1,
      async run() {
        return forEach(await dueRows(db, disputeTable, MOST), ({ workspace, id }) =>
          engine.run(watchDispute, { id }, { workspace, actor: 'system' }),
        );
      },
    },
    {
      name: 'reserves whose days have passed',
      everySeconds: 1,
      async run() {
        return forEach(await dueRows(db, reserveTable, MOST), async ({ workspace, id }) => {
          const due = await dueOf(db, workspace, id);
          return engine.run(releaseReserve, due, { workspace, actor: 'system' });
        });
      },
    },
  ];
}

function businessRows(db: Database, engine: Services['engine']): readonly UpkeepRow[] {
  return [
    {
      name: 'businesses whose people moved',
      everySeconds: 1,
      async run() {
        return forEach(await movedIdentities(db, MOST), async (moved) => {
          const { workspace, account: person } = moved;
          await engine.run(followPerson, { person }, { workspace, actor: 'system' });
          await forgetMoved(db, moved);
        });
      },
    },
    {
      name: 'businesses that did not hand in what is missing',
      everySeconds: 1,
      async run() {
        return forEach(await dueRows(db, entityTable, MOST), ({ workspace, id: entity }) =>
          engine.run(lapseEntity, { entity }, { workspace, actor: 'system' }),
        );
      },
    },
  ];
}
