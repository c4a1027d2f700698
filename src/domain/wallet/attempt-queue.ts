// How a charge is asked for at the processor and settled: authorise, capture, give back, or only
// look. Answers for never sending blindly what may have been sent before. [M13]
import type { Database } from '../../db/index.ts';
import type { ChargeOutcome, ChargeOrder, Processor } from '../../ports/processor.ts';
import type { AttemptAnswer, ReverseRefused } from './attempt-settle.ts';
import type { ExchangeQueue, Job, Pause } from './exchange-worker.ts';

/** What one exchange tells. */
type Seen = ChargeOutcome | ReverseRefused;

/** Settles one answer through the engine; one function for each purpose. */
export type SettleAttempt = (world: number, answer: AttemptAnswer) => Promise<unknown>;

interface AttemptJob extends Job {
  readonly state: string;
  readonly processor_token: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** The queue of charges. */
export function attemptQueue(
  db: Database,
  processor: Processor,
  settle: Readonly<Record<string, SettleAttempt>>,
): ExchangeQueue<AttemptJob> {
  return {
    jobs: 'attempt_job',
    key: 'attempt_id',
    table: 'attempt',
    columns: 'a.state, a.processor_token, a.currency, a.amount',
    async exchange(job) {
      const outcome = await ask(processor, job);
      const pause = pauseAfter(job, outcome);
      if (pause !== null) return pause;
      const settler = settle[job.purpose];
      if (settler === undefined) throw new Error('an attempt has a purpose that nobody settles');
      await settler(job.world, { attemptId: job.id, outcome });
      return null;
    },
    tidy: (job) => tidy(db, job),
  };
}

function pauseAfter(job: AttemptJob, outcome: Seen): Pause | null {
  if (outcome.state === 'unknown') return outcome.busy === true ? 'busy' : 'unknown';
  return outcome.state === 'pending' && job.state === 'capturing' ? 'pending' : null;
}

/** The order of an attempt, as every question about it carries it. */
export function orderOf(job: Omit<AttemptJob, 'tries' | 'purpose' | 'state'>): ChargeOrder {
  const { world, id: key, processor_token: token, amount, currency } = job;
  return { world, key, token, amount, currency };
}

/** One exchange. After a try whose outcome is unknown the book is read before anything is sent. */
async function ask(processor: Processor, job: AttemptJob): Promise<Seen> {
  const order = orderOf(job);
  if (job.state === 'reversing') return reverse(processor, order);
  // What has ended is asked about only after a notice.
  if (job.state !== 'authorizing' && job.state !== 'capturing') return processor.look(order);
  if (job.tries > 0) {
    const seen = await processor.look(order);
    const pending = job.state === 'authorizing' ? 'absent' : 'authorized';
    if (seen.state !== pending) return seen;
  }
  return job.state === 'authorizing' ? processor.authorize(order) : processor.capture(order);
}

const HOLDS: readonly string[] = ['authorized', 'pending', 'captured'];

/** A key that was declined holds nothing; where the book says that it does, it is a refusal. */
async function reverse(processor: Processor, order: ChargeOrder): Promise<Seen> {
  const answer = await processor.reverse(order);
  if (answer.state !== 'declined') return answer;
  const seen = await processor.look(order);
  return HOLDS.includes(seen.state) ? { ...answer, state: 'reverse_refused' } : seen;
}

/** After an answer: all attempts of the resource are due again, or done. */
async function tidy(db: Database, job: AttemptJob): Promise<void> {
  const values = [job.world, job.id];
  await db.execute({
    name: 'finish_attempts',
    text: `delete from attempt_job j using attempt a, attempt mine
      where mine.world = $1 and mine.id = $2 and a.world = $1
        and a.resource_id = mine.resource_id and j.world = $1 and j.attempt_id = a.id
        and a.state in ('declined', 'reversed', 'parked')`,
    values,
  });
  await db.execute({
    name: 'next_attempts',
    text: `update attempt_job j set tries = 0, lease = null, leased_until = null,
        due = case when a.state in ('authorizing', 'capturing', 'reversing')
          then clock_timestamp() else clock_timestamp() + interval '30 s' end
      from attempt a, attempt mine
      where mine.world = $1 and mine.id = $2 and a.world = $1
        and a.resource_id = mine.resource_id and j.world = $1 and j.attempt_id = a.id
        and (a.id = mine.id or (j.lease is null and a.state <> 'authorizing'))`,
    values,
  });
  await db.execute({
    name: 'captured_attempts',
    text: `delete from attempt_job j using attempt mine
      where mine.world = $1 and mine.id = $2 and j.world = $1
        and j.attempt_id in (select a.id from attempt a where a.world = $1
          and a.resource_id = mine.resource_id)
        and not exists (select from attempt a where a.world = $1
          and a.resource_id = mine.resource_id and a.state not in ('captured'))`,
    values,
  });
}
