// Funds what waits for the integrator's money as it comes in: refunds and reversals, the oldest
// first in each currency; the first one blocks those behind it. [G-43]
import { prepared, type Database } from '../../../db/index.ts';
import type { Command, Engine } from '../../../engine/index.ts';
import { foldCredits, systemAccountId } from '../../../ledger/index.ts';
import { fundRefund } from './decide.ts';
import { coverReversal } from './reversal.ts';

const MOST = 100;

interface Queue {
  readonly workspace: number;
  /** The lineage of the workspace. */
  readonly lineage: number;
  readonly currency: string;
}

interface Waiting {
  readonly id: string;
  readonly kind: 'refund' | 'reversal';
}

/**
 * Tries every queue once; gives how many were funded. Safe to run in several processes at once. A
 * queue that fails does not stop the others; its error is thrown at the end.
 */
export async function fundWaiting(db: Database, engine: Engine): Promise<number> {
  const queues = await db.query<Queue>(prepared('funding_queues')`
    select q.workspace, w.lineage, q.currency from (
      select workspace, currency from refund where state = 'REFUND-WAITING-FUNDS'
      union select workspace, currency from reversal where state = 'received') q
    join workspace w on w.workspace = q.workspace and w.ended is null`);
  let funded = 0;
  const errors: unknown[] = [];
  for (const queue of queues) {
    const turn = fundQueue(db, engine, queue);
    funded += await turn.catch((error: unknown) => (errors.push(error), 0));
  }
  if (errors.length > 0) throw errors[0];
  return funded;
}

/** The ledger account that pays refunds and reversals. */
export function shareOf({ lineage, currency }: Pick<Queue, 'lineage' | 'currency'>): string {
  return systemAccountId(lineage, 'integrator_share', currency);
}

async function fundQueue(db: Database, engine: Engine, queue: Queue): Promise<number> {
  const { workspace, currency } = queue;
  await foldCredits(db, workspace, shareOf(queue));
  const waiting = await db.query<Waiting>(prepared('waiting_for_funds')`select id, kind from (
      (select id, 'refund' as kind, created from refund
        where workspace = ${workspace} and currency = ${currency} and state = 'REFUND-WAITING-FUNDS'
        order by created limit ${MOST})
      union all
      (select id, 'reversal', created from reversal
        where workspace = $1 and currency = $2 and state = 'received'
        order by created limit $3)) w
    order by created, id limit $3`);
  const submission = { workspace, actor: 'system' };
  const tried = <I>(command: Command<I>, input: I): Promise<boolean> =>
    engine.run(command, input, submission).then(({ payload }) => payload === true);
  let funded = 0;
  for (const { id, kind } of waiting) {
    const moved =
      kind === 'refund'
        ? await tried(fundRefund, { refundId: id })
        : await tried(coverReversal, { reversalId: id });
    if (!moved) break;
    funded += 1;
  }
  return funded;
}
