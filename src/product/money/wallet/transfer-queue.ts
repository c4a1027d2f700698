// How outbound transfers are sent through the processor and settled; one that may have been sent is
// retrieved before anything is sent again. [M12, M13]
import type { Database } from '../../../db/index.ts';
import type {
  Processor,
  RemittanceOrder,
  RemittanceOutcome,
} from '../../../providers/processor/port.ts';
import type { ExchangeQueue, Job, Pause } from './provider-worker.ts';
import type { RemittanceAnswer } from './transfer.ts';

/** Settles an answer through the engine; one function for each purpose. */
export type SettleRemittance = (world: number, answer: RemittanceAnswer) => Promise<unknown>;

interface RemittanceJob extends Job {
  readonly state: string;
  readonly kind: 'refund' | 'payout';
  readonly target: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** The queue of outbound transfers. */
export function remittanceQueue(
  db: Database,
  processor: Processor,
  settle: Readonly<Record<string, SettleRemittance>>,
): ExchangeQueue<RemittanceJob> {
  return {
    jobs: 'remittance_job',
    key: 'remittance_id',
    table: 'remittance',
    columns: 'a.state, a.kind, a.target, a.currency, a.amount',
    async exchange(job) {
      const outcome = await ask(processor, job);
      const pause = pauseAfter(job, outcome);
      if (pause !== null) return pause;
      const settler = settle[job.purpose];
      if (settler === undefined) throw new Error('a remittance has a purpose nobody settles');
      await settler(job.world, { remittanceId: job.id, outcome });
      return null;
    },
    tidy: (job) => tidy(db, job),
  };
}

function pauseAfter(job: RemittanceJob, outcome: RemittanceOutcome): Pause | null {
  if (outcome.state === 'unknown') return outcome.busy === true ? 'busy' : 'unknown';
  return outcome.state === 'pending' && job.state === 'pending' ? 'pending' : null;
}

/** One call. After one without an answer, it sends only what the processor has never seen. */
async function ask(processor: Processor, job: RemittanceJob): Promise<RemittanceOutcome> {
  const { world, id: key, kind, target, amount, currency } = job;
  const order: RemittanceOrder = { world, key, kind, target, amount, currency };
  if (job.state !== 'sending') return processor.lookRemittance(order);
  if (job.tries > 0) {
    const seen = await processor.lookRemittance(order);
    if (seen.state !== 'absent') return seen;
  }
  return processor.remit(order);
}

/** After an answer: deletes the job, or makes it due again when the bank may have confirmed. */
async function tidy(db: Database, job: RemittanceJob): Promise<void> {
  const values = [job.world, job.id];
  await db.execute({
    name: 'finish_remittance',
    text: `delete from remittance_job j using remittance a
      where a.world = $1 and a.id = $2 and j.world = $1 and j.remittance_id = a.id
        and a.state not in ('sending', 'pending')`,
    values,
  });
  await db.execute({
    name: 'next_remittance',
    text: `update remittance_job set tries = tries + 1, lease = null, leased_until = null,
        pause = null, due = clock_timestamp() + interval '10 s'
      where world = $1 and remittance_id = $2`,
    values,
  });
}
