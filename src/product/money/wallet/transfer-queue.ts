// How outbound transfers are sent through the processor and settled; one that may have been sent is
// retrieved before anything is sent again. [M12, M13]
import type { Database } from '../../../db/index.ts';
import type {
  Processor,
  TransferOrder,
  TransferOutcome,
} from '../../../providers/processor/port.ts';
import { payoutsStopped, providerStopped } from '../../tenant/stop/index.ts';
import type { ExchangeQueue, Job, Pause } from './provider-worker.ts';
import { transferOpen } from './transfer-machine.ts';
import type { TransferAnswer } from './transfer.ts';

/** Settles an answer through the engine; one function for each purpose. */
export type SettleTransfer = (workspace: number, answer: TransferAnswer) => Promise<unknown>;

interface TransferJob extends Job {
  readonly state: string;
  readonly kind: 'refund' | 'payout';
  readonly target: string;
  readonly charge: string | null;
  /** That the charge of a refund was made at; of a payout, that was asked first. */
  readonly connection: string | null;
  readonly currency: string;
  readonly amount: bigint;
}

/** The queue of outbound transfers. */
export function transferQueue(
  db: Database,
  processor: Processor,
  settle: Readonly<Record<string, SettleTransfer>>,
): ExchangeQueue<TransferJob> {
  return {
    jobs: 'transfer_job',
    key: 'transfer_id',
    table: 'transfer',
    columns: `a.state, a.kind, a.target, a.currency, a.amount,
      case when a.kind = 'refund' then (select p.processor_reference from attempt p
        where p.workspace = a.workspace and p.id = a.target::uuid) end as charge,
      case when a.kind = 'refund' then (select p.connection_id from attempt p
        where p.workspace = a.workspace and p.id = a.target::uuid)
        else j.connection_id end as connection`,
    taken: `connection_id = coalesce(j.connection_id, (select c.id from provider_connection c
      where c.workspace = j.workspace and c.kind = 'processor'))`,
    // A payout that was sent goes on to its end; one that may not have been is not sent now.
    held: ` and not ((${payoutsStopped('w.workspace')}
      or ${providerStopped('processor', 'w.workspace')}) and exists (
      select from transfer t where t.workspace = w.workspace
        and t.id = transfer_job.transfer_id and t.kind = 'payout' and t.state = 'sending'))`,
    async exchange(job) {
      const outcome = await ask(processor, job);
      const pause = pauseAfter(job, outcome);
      if (pause !== null) return pause;
      const settler = settle[job.purpose];
      if (settler === undefined) throw new Error('a transfer has a purpose nobody settles');
      await settler(job.workspace, { transferId: job.id, outcome });
      return null;
    },
    tidy: (job) => tidy(db, job),
  };
}

function pauseAfter(job: TransferJob, outcome: TransferOutcome): Pause | null {
  if (outcome.state === 'unknown') return outcome.busy === true ? 'busy' : 'unknown';
  return outcome.state === 'pending' && job.state === 'pending' ? 'pending' : null;
}

/** One call. After one without an answer, it sends only what the processor has never seen. */
async function ask(processor: Processor, job: TransferJob): Promise<TransferOutcome> {
  const { workspace, id: key, kind, target, charge, connection, amount, currency } = job;
  const of = { workspace, connection, key, kind, target, charge };
  const order: TransferOrder = { ...of, amount, currency };
  if (job.state !== 'sending') return processor.retrieveTransfer(order);
  if (job.tries > 0) {
    const seen = await processor.retrieveTransfer(order);
    if (seen.state !== 'absent') return seen;
  }
  return processor.remit(order);
}

/** After an answer: deletes the job, or makes it due again when the bank may have confirmed. */
async function tidy(db: Database, job: TransferJob): Promise<void> {
  const values = [job.workspace, job.id];
  await db.execute({
    name: 'finish_transfer',
    text: `delete from transfer_job j using transfer a
      where a.workspace = $1 and a.id = $2 and j.workspace = $1 and j.transfer_id = a.id
        and a.state not in (${transferOpen})`,
    values,
  });
  await db.execute({
    name: 'next_transfer',
    text: `update transfer_job set tries = tries + 1, lease = null, leased_until = null,
        pause = null, due = $now + interval '10 s'
      where workspace = $1 and transfer_id = $2`,
    values,
  });
}
