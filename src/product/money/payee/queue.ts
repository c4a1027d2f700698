// How the processor is asked about sellers' accounts: at once after a webhook, and else in pauses
// that grow to a day, in case a webhook was lost. [M13]
import { prepared, type Database } from '../../../db/index.ts';
import type { PayeeOutcome, Payees } from '../../../providers/payees/port.ts';
import { verifiedByProcessor } from '../../tenant/settings/index.ts';
import type { WorkspaceDirectory } from '../../context.ts';
import { shownCurrency, type ExchangeQueue, type Job } from '../wallet/index.ts';
import type { PayeeSaid } from './decide.ts';
import type { KnownPayee } from './read.ts';

type Asked = Pick<KnownPayee, 'workspace' | 'id' | 'state' | 'country' | 'reference'>;

/** Asks the processor about an account, or opens it. */
export async function askAbout(payees: Payees, asked: Asked): Promise<PayeeOutcome> {
  const { workspace, id: key, state, country, reference } = asked;
  if (state === 'closed') return { state: 'closed' };
  if (state === 'opening') return payees.open({ workspace, key, country });
  // Of an erased seller nothing is known any more.
  return reference === '' ? { state: 'closed' } : payees.retrieve(workspace, reference);
}

export interface PayeeQueueParts {
  readonly db: Database;
  readonly payees: Payees;
  readonly workspaces: Pick<WorkspaceDirectory, 'currencies'>;
  /** Settles through the engine. */
  settle(workspace: number, said: PayeeSaid): Promise<unknown>;
}

/** Settles what the processor said of an account. */
export async function settleSaid(
  { db, workspaces, settle }: Omit<PayeeQueueParts, 'payees'>,
  { workspace, id: payeeId }: Pick<Asked, 'workspace' | 'id'>,
  outcome: PayeeOutcome,
  wanted: boolean,
): Promise<void> {
  const verifies = await verifiedByProcessor(db, workspace);
  const currency = shownCurrency(await workspaces.currencies(workspace));
  await settle(workspace, { payeeId, outcome, verifies, wanted, currency });
}

/** The queue of questions about accounts. */
export function payeeQueue(parts: PayeeQueueParts): ExchangeQueue<Job & Asked> {
  return {
    jobs: 'payee_job',
    key: 'payee_id',
    table: 'payee',
    columns: `a.state, a.country, coalesce((select m.processor_token from payment_method m
      where m.workspace = a.workspace and m.id = a.payment_method_id), '') as reference`,
    async exchange(job) {
      const outcome = await askAbout(parts.payees, job);
      if (outcome.state === 'unknown') return outcome.busy === true ? 'busy' : 'pending';
      await settleSaid(parts, job, outcome, false);
      return null;
    },
    tidy: ({ workspace, id }) => tidy(parts.db, workspace, id),
  };
}

/** After an answer: deletes the job of a closed account, makes another due again. */
async function tidy(db: Database, workspace: number, id: string): Promise<void> {
  await db.execute(prepared('finish_payee')`
    delete from payee_job j using payee p where p.workspace = ${workspace} and p.id = ${id}
    and p.state = 'closed' and j.workspace = $1 and j.payee_id = $2`);
  await db.execute(prepared('next_payee')`
    update payee_job set tries = 0, lease = null, leased_until = null, pause = null,
      due = $now + case when again then interval '0' else least(interval '1 day',
        greatest(interval '1 minute', ($now - quiet_since) / 4)) end
    where workspace = ${workspace} and payee_id = ${id}`);
}
