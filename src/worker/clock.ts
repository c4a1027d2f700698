// Scheduled work: finds rows that are due by their workspace's clock and submits the command for
// each. The rules are in the commands.
import type { Database } from '../db/index.ts';
import type { Services } from '../product/context.ts';
import { entityTable, followPerson, lapseEntity } from '../product/people/business/index.ts';
import { disagreementTable, watchDisagreement } from '../product/money/disagreement/index.ts';
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
import { dueRows, isAway, type Command } from '../engine/index.ts';
import type { UpkeepRow } from './upkeep.ts';

const MOST = 50;

/** Runs `work` on each and returns how many; a failure stops no other and is thrown at the end. */
async function forEach<T>(due: readonly T[], act: (one: T) => Promise<unknown>): Promise<number> {
  const ended = await Promise.allSettled(due.map(act));
  const failed = ended.find((one) => one.status === 'rejected' && !isAway(one.reason));
  if (failed?.status === 'rejected') throw failed.reason;
  return due.length;
}

/** The clock's work. Safe in several processes: the second one finds nothing due. */
export function clockRows(db: Database, services: Services): readonly UpkeepRow[] {
  const { engine, policies, random } = services;
  const row = (name: string, run: UpkeepRow['run']): UpkeepRow => ({ name, everySeconds: 1, run });
  /** A command for each row of a table that is due. */
  const due = <I>(
    name: string,
    table: Parameters<typeof dueRows>[1],
    command: Command<I>,
    inputOf: (id: string) => I,
  ): UpkeepRow =>
    row(name, async () =>
      forEach(await dueRows(db, table, MOST), ({ workspace, id }) =>
        engine.run(command, inputOf(id), { workspace, actor: 'system' }),
      ),
    );
  return [
    due('escrows at their holding limit', escrowTable, endOverdueEscrow,
      (escrowId) => ({ escrowId })),
    due('money at the processor that becomes available', settlementTable, settleDue,
      (id) => ({ id })),
    due('payouts after their review, or a week after they failed', payoutTable, advancePayout,
      (payoutId) => ({ payoutId, transferId: random.uuid() })),
    row('payouts by schedule', () =>
      runSchedules({ db, engine, holdSeconds: policies.payoutHoldSeconds })),
    row('payout files that statements of the bank name', () => settleStatements({ db, engine })),
    due('disagreements whose limit is near or has passed', disagreementTable, watchDisagreement,
      (id) => ({ id })),
    due('disputes whose deadline is near or has passed', disputeTable, watchDispute,
      (id) => ({ id })),
    row('reserves whose days have passed', async () =>
      forEach(await dueRows(db, reserveTable, MOST), async ({ workspace, id }) =>
        engine.run(releaseReserve, await dueOf(db, workspace, id), { workspace, actor: 'system' }),
      )),
    row('card payments that their buyer did not confirm in time', () => wakeOver(db)),
    due('reviews of identity without an answer, and expiring documents', kycTable, advanceIdentity,
      (account) => ({ account })),
    row('opening balances that were confirmed', async () =>
      forEach(await openOpenings(db, MOST), (one) => bookBlock({ db, engine }, one))),
    row('businesses whose people moved', async () =>
      forEach(await movedIdentities(db, MOST), async (moved) => {
        const { workspace, account: person } = moved;
        await engine.run(followPerson, { person }, { workspace, actor: 'system' });
        await forgetMoved(db, moved);
      })),
    due('businesses that did not hand in what is missing', entityTable, lapseEntity,
      (entity) => ({ entity })),
    row('refunds and reversals that wait for funds', () => fundWaiting(db, engine)),
  ];
}
