// Asks the processor about attempts that wait for an answer: claims due jobs with a lease, asks
// outside any transaction, and hands each answer to the resource's settle command. An outcome that
// is unknown stays unknown: the next try looks the key up before it sends anything again. [M13]
import type { Database } from '../../db/index.ts';
import type { ChargeOutcome, ChargeOrder, Processor } from '../../ports/processor.ts';
import type { AttemptAnswer } from './attempt-settle.ts';

/** Settles one answer through the engine; one function for each purpose. */
export type SettleAttempt = (world: number, answer: AttemptAnswer) => Promise<unknown>;

export interface AttemptWorkerOptions {
  readonly db: Database;
  readonly processor: Processor;
  readonly settle: Readonly<Record<string, SettleAttempt>>;
  readonly fault: (error: unknown) => void;
  readonly newId: () => string;
  readonly chance: () => number;
  /** Seconds that a claim lasts; longer than the processor's time limit. */
  readonly leaseSeconds?: number;
  /** Jobs asked at the same time. */
  readonly parallel?: number;
  /** Milliseconds between looks for due jobs. */
  readonly beat?: number;
  /** Milliseconds before the first repeat of an unknown outcome; doubles up to 15 seconds. */
  readonly firstPause?: number;
}

interface Job {
  readonly world: number;
  readonly attempt_id: string;
  readonly tries: number;
  readonly purpose: string;
  readonly state: string;
  readonly processor_token: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** A running worker. */
export interface AttemptWorker {
  wake(): void;
  stop(): Promise<void>;
}

/** Several in a row fit into the minute in which a payment ends after the processor's return. */
const LONGEST_PAUSE = 15_000;

/** Starts the worker. */
export function startAttemptWorker(options: AttemptWorkerOptions): AttemptWorker {
  const parallel = options.parallel ?? 16;
  let asking = 0;
  let claiming = false;
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  const open = new Set<Promise<void>>();

  async function claim(): Promise<void> {
    if (stopped || claiming || asking >= parallel) return;
    claiming = true;
    try {
      const jobs = await claimJobs(options, parallel - asking);
      for (const job of jobs) {
        asking += 1;
        const work = finish(options, job)
          .catch(options.fault)
          .finally(() => {
            asking -= 1;
            open.delete(work);
            void claim();
          });
        open.add(work);
      }
    } catch (error) {
      options.fault(error);
    } finally {
      claiming = false;
    }
  }

  function beat(): void {
    timer = setTimeout(() => {
      void claim().finally(() => {
        if (!stopped) beat();
      });
    }, options.beat ?? 250);
  }
  beat();
  return {
    wake: () => void claim(),
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await Promise.allSettled(open);
    },
  };
}

async function claimJobs(options: AttemptWorkerOptions, most: number): Promise<Job[]> {
  const lease = options.newId();
  await options.db.execute({
    name: 'claim_attempts',
    text: `update attempt_job j set lease = $1,
        leased_until = clock_timestamp() + make_interval(secs => $2)
      where (j.world, j.attempt_id) in (
        select world, attempt_id from attempt_job
        where due <= clock_timestamp()
          and (leased_until is null or leased_until < clock_timestamp())
        order by due limit $3 for update skip locked)`,
    values: [lease, options.leaseSeconds ?? 15, most],
  });
  return options.db.query<Job>({
    name: 'claimed_attempts',
    text: `select j.world, j.attempt_id, j.tries, a.purpose, a.state, a.processor_token,
        a.currency, a.amount
      from attempt_job j join attempt a on a.world = j.world and a.id = j.attempt_id
      where j.lease = $1`,
    values: [lease],
  });
}

async function finish(options: AttemptWorkerOptions, job: Job): Promise<void> {
  const outcome = await ask(options.processor, job);
  if (outcome === null) {
    await tidy(options, job);
    return;
  }
  if (outcome.state === 'unknown') {
    await postpone(options, job);
    return;
  }
  const settle = options.settle[job.purpose];
  if (settle === undefined) throw new Error('an attempt has a purpose that nobody settles');
  await settle(job.world, { attemptId: job.attempt_id, outcome });
  await tidy(options, job);
}

/** One exchange. After a try whose outcome is unknown the book is read before anything is sent. */
async function ask(processor: Processor, job: Job): Promise<ChargeOutcome | null> {
  const order: ChargeOrder = {
    world: job.world,
    key: job.attempt_id,
    token: job.processor_token,
    amount: job.amount,
    currency: job.currency,
  };
  if (job.state === 'reversing') return processor.reverse(order);
  if (job.state !== 'authorizing' && job.state !== 'capturing') return null;
  if (job.tries > 0) {
    const seen = await processor.look(order);
    const pending = job.state === 'authorizing' ? 'absent' : 'authorized';
    if (seen.state !== pending) return seen;
  }
  return job.state === 'authorizing' ? processor.authorize(order) : processor.capture(order);
}

async function postpone(options: AttemptWorkerOptions, job: Job): Promise<void> {
  const doubled = (options.firstPause ?? 500) * 2 ** Math.min(job.tries, 10);
  const pause = Math.min(doubled, LONGEST_PAUSE) * (0.75 + options.chance() / 4);
  await options.db.execute({
    name: 'postpone_attempt',
    text: `update attempt_job set tries = tries + 1, lease = null, leased_until = null,
        due = clock_timestamp() + make_interval(secs => $3)
      where world = $1 and attempt_id = $2`,
    values: [job.world, job.attempt_id, pause / 1000],
  });
}

/** After an answer: all attempts of the resource are due again, or done. */
async function tidy(options: AttemptWorkerOptions, job: Job): Promise<void> {
  const values = [job.world, job.attempt_id];
  await options.db.execute({
    name: 'finish_attempts',
    text: `delete from attempt_job j using attempt a, attempt mine
      where mine.world = $1 and mine.id = $2 and a.world = $1
        and a.resource_id = mine.resource_id and j.world = $1 and j.attempt_id = a.id
        and a.state in ('declined', 'reversed', 'parked')`,
    values,
  });
  await options.db.execute({
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
  await options.db.execute({
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
