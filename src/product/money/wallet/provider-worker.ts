// The worker that calls the processor: it claims due jobs with a lease, calls outside any
// transaction, and gives each answer to the settle command of its purpose. An unknown outcome stays
// unknown: the next try retrieves the key before it sends anything again. [M13]
import { startLoop } from '../../../concurrency/loop.ts';
import {
  NO_OBSERVER,
  observedCall,
  type Observer,
  type StoredCause,
} from '../../../concurrency/observer.ts';
import { prepared, raw, type Database } from '../../../db/index.ts';
import { dueJobs, isEnded } from '../../../engine/index.ts';

/** A claimed job: the row that it is about, and how many calls brought no answer. */
export interface Job extends StoredCause {
  readonly workspace: number;
  readonly id: string;
  readonly tries: number;
  readonly purpose: string;
}

/** Why a job is not done yet. */
export type Pause = 'unknown' | 'busy' | 'pending' | 'challenged';

/** One kind of provider call: where its jobs are stored, how one is called and settled. */
export interface ExchangeQueue<J extends Job> {
  /** The table of jobs, and its column with the row's id. */
  readonly jobs: string;
  readonly key: string;
  /** The row's table, and the columns that a job carries beside id and purpose. */
  readonly table: string;
  readonly columns: string;
  /** SQL: what taking a job `j` sets beside the lease. */
  readonly taken?: string;
  /** SQL that keeps a job from being taken, such as ` and false`. */
  readonly held?: string;
  /** Calls and settles; says why to call again, or null when there was an answer. */
  exchange(job: J): Promise<Pause | null>;
  /** After an answer: deletes the jobs that are done, makes others due again. */
  tidy(job: J): Promise<void>;
}

export interface ExchangeWorkerOptions {
  readonly db: Database;
  readonly fault: (error: unknown) => void;
  /** Told of each call; absent: nobody is. */
  readonly observer?: Observer;
  readonly newId: () => string;
  readonly chance: () => number;
  /** Seconds that a claim lasts; longer than the processor's time limit. */
  readonly leaseSeconds?: number;
  /** Jobs in progress at the same time. */
  readonly parallel?: number;
  /** Milliseconds between polls for due jobs. */
  readonly beat?: number;
  /** Milliseconds before the first retry of an unknown outcome; doubles up to 15 seconds. */
  readonly firstPause?: number;
}

export interface ExchangeWorker {
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Longest pauses in milliseconds. Several retries of an unknown outcome fit into the minute in
 * which a payment must end once the processor is back; a busy processor is left alone longer [U10];
 * pending transfers and challenges are retrieved now and then in case a webhook was lost.
 */
const LONGEST: Readonly<Record<Pause, number>> = {
  unknown: 15_000,
  busy: 60_000,
  pending: 600_000,
  challenged: 60_000,
};
/** Milliseconds before the second retrieval of a challenged attempt; doubles. */
const CHALLENGE_PAUSE = 5_000;

/** Milliseconds to the next try after `tries` earlier ones; `chance` (0 to 1) is the jitter. */
export function pauseMs(why: Pause, tries: number, chance: number, first = 500): number {
  const doubled = (why === 'challenged' ? CHALLENGE_PAUSE : first) * 2 ** Math.min(tries, 10);
  const longest = why === 'pending' ? LONGEST.pending : Math.min(doubled, LONGEST[why]);
  return longest * (0.75 + chance / 4);
}

/** Starts the worker of one queue. */
export function startExchangeWorker<J extends Job>(
  options: ExchangeWorkerOptions,
  queue: ExchangeQueue<J>,
): ExchangeWorker {
  const parallel = options.parallel ?? 16;
  const open = new Set<Promise<void>>();
  const loop = startLoop({
    everyMs: options.beat ?? 250,
    fault: options.fault,
    async turn() {
      if (open.size >= parallel) return;
      for (const job of await claimJobs(options, queue, parallel - open.size)) {
        const work = finish(options, queue, job)
          .catch(options.fault)
          .finally(() => {
            open.delete(work);
            loop.wake();
          });
        open.add(work);
      }
    },
  });
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop();
      await Promise.allSettled(open);
    },
  };
}

async function claimJobs<J extends Job>(
  options: ExchangeWorkerOptions,
  { jobs, key, table, columns, taken, held = '' }: ExchangeQueue<J>,
  most: number,
): Promise<J[]> {
  const lease = options.newId();
  const unleased = ` and (leased_until is null or leased_until < $now)${held}`;
  const claimed = await options.db.query<{ workspace: number; id: string }>({
    name: `claim_${jobs}`,
    text: `update ${jobs} j set lease = $1, again = false,
        leased_until = $now + make_interval(secs => $2)
        ${taken === undefined ? '' : `, ${taken}`}
      where (j.workspace, j.${key}) in (${dueJobs(jobs, key, '$3', unleased)})
      returning j.workspace, j.${key} as id`,
    values: [lease, options.leaseSeconds ?? 15, most],
  });
  if (claimed.length === 0) return [];
  return options.db.query<J>({
    name: `claimed_${jobs}`,
    text: `select j.workspace, j.${key} as id, j.tries, a.purpose, s.request_id, s.trace_id,
        ${columns}
      from unnest($2::int4[], $3::uuid[]) n (workspace, id)
      join ${jobs} j on j.workspace = n.workspace and j.${key} = n.id
      join ${table} a on a.workspace = n.workspace and a.id = n.id
      left join lateral (select request_id, trace_id from history where workspace = j.workspace
        and resource_id = j.${key} order by version desc limit 1) s on true
      where j.lease = $1`,
    values: [lease, claimed.map(({ workspace }) => workspace), claimed.map(({ id }) => id)],
  });
}

/** Makes the job of an archived workspace never due again; always throws the error. */
async function drop<J extends Job>(
  { db }: ExchangeWorkerOptions,
  { jobs, key }: ExchangeQueue<J>,
  job: J,
  error: unknown,
): Promise<never> {
  if (isEnded(error)) {
    await db.execute(prepared(`drop_${jobs}`)`
      update ${raw(jobs)} set due = 'infinity' where workspace = ${job.workspace}
        and ${raw(key)} = ${job.id}`);
  }
  throw error;
}

async function finish<J extends Job>(
  options: ExchangeWorkerOptions,
  queue: ExchangeQueue<J>,
  job: J,
): Promise<void> {
  const call = () => queue.exchange(job);
  const { observer = NO_OBSERVER } = options;
  const kind = queue.jobs.replace(/_job$/, '');
  const why = await observedCall(observer, kind, job, call, (pause) => pause ?? 'answered').catch(
    (error: unknown) => drop(options, queue, job, error),
  );
  if (why === null) {
    await queue.tidy(job);
    return;
  }
  const pause = pauseMs(why, job.tries, options.chance(), options.firstPause);
  await options.db.execute({
    name: `postpone_${queue.jobs}`,
    text: `update ${queue.jobs} set tries = tries + 1, lease = null, leased_until = null,
        pause = $4, due = $now
          + case when again then interval '0' else make_interval(secs => $3) end
      where workspace = $1 and ${queue.key} = $2`,
    values: [job.workspace, job.id, pause / 1000, why],
  });
}
