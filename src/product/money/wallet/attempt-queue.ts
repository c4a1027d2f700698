// How payment attempts are worked on at the processor: authorise, capture, give back, or retrieve
// only. What may have been sent before is retrieved, never sent again blindly [M13]; a challenge
// that the buyer never confirms runs out.
import { prepared, raw, type Database } from '../../../db/index.ts';
import type { ChargeOutcome, ChargeOrder, Processor } from '../../../providers/processor/port.ts';
import { CHALLENGE_SECONDS, type AttemptAnswer, type ReverseRefused } from './attempt-settle.ts';
import type { ExchangeQueue, Job, Pause } from './provider-worker.ts';

/** The result of one call to the processor. */
type Seen = ChargeOutcome | ReverseRefused;

/** Settles an answer through the engine; one function for each purpose. */
export type SettleAttempt = (workspace: number, answer: AttemptAnswer) => Promise<unknown>;

interface AttemptJob extends Job {
  readonly state: string;
  readonly processor_token: string;
  readonly processor_reference: string | null;
  /** The connection that it is made at; null: a simulator. */
  readonly connection_id: string | null;
  readonly currency: string;
  readonly amount: bigint;
  /** True where the buyer did not confirm in time. */
  readonly over: boolean;
  readonly given_up: boolean;
}

/** Attempt `a` in workspace `w`: the buyer did not confirm in time, by the workspace's clock. */
const over = (now: string): string => `a.state = 'challenged'
  and a.updated <= ${now} + w.clock_offset - interval '${CHALLENGE_SECONDS} s'`;
/** Seconds until the processor is first asked whether the buyer has confirmed. */
const FIRST_LOOK_SECONDS = 5;

/** The queue of payment attempts. */
export function attemptQueue(
  db: Database,
  processor: Processor,
  settle: Readonly<Record<string, SettleAttempt>>,
): ExchangeQueue<AttemptJob> {
  return {
    jobs: 'attempt_job',
    key: 'attempt_id',
    table: 'attempt',
    columns: `a.state, a.processor_token, a.processor_reference, a.currency, a.amount, j.given_up,
      j.connection_id,
      exists (select from workspace w where w.workspace = a.workspace
        and ${over('clock_timestamp()')}) as over`,
    taken: `connection_id = coalesce(j.connection_id,
      (select a.connection_id from attempt a
        where a.workspace = j.workspace and a.id = j.attempt_id),
      (select c.id from provider_connection c
        where c.workspace = j.workspace and c.kind = 'processor'))`,
    async exchange(job) {
      const seen = await ask(processor, job);
      const pause = pauseAfter(job, seen);
      const ends = job.over || (job.given_up && job.state === 'challenged');
      if (pause !== null && !ends) return pause;
      const end = job.given_up ? 'given_up' : 'challenge_over';
      const outcome = pause === null ? seen : ({ state: end } as const);
      const settler = settle[job.purpose];
      if (settler === undefined) throw new Error('an attempt has a purpose that nobody settles');
      const { connection_id: connection } = job;
      await settler(job.workspace, { attemptId: job.id, outcome, connection });
      return null;
    },
    tidy: (job) => tidy(db, job),
  };
}

/** Why the processor must be asked again; null where its answer settles something. */
function pauseAfter(job: AttemptJob, seen: Seen): Pause | null {
  if (seen.state === 'unknown') return seen.busy === true ? 'busy' : 'unknown';
  switch (`${job.state} ${seen.state}`) {
    case 'challenged challenged':
    case 'challenged absent':
      return 'challenged';
    case 'capturing challenged':
    case 'reversing challenged':
      return 'unknown';
    case 'capturing pending':
      return 'pending';
    default:
      return null;
  }
}

/** Makes every challenge whose time has run out due now; gives how many. */
export function wakeOver(db: Pick<Database, 'execute'>): Promise<number> {
  return db.execute(prepared('wake_over')`update attempt_job j set due = $now
    from workspace w, attempt a
    where w.ended is null and a.workspace = w.workspace and ${raw(over('$now'))}
      and j.workspace = a.workspace and j.attempt_id = a.id and j.due > $now`);
}

/**
 * Ends the payments of a resource that wait for their buyer, unless the buyer has just paid; false
 * where none waits.
 */
export async function giveUp(
  db: Pick<Database, 'execute'>,
  workspace: number,
  resourceId: string,
): Promise<boolean> {
  const ended = await db.execute(prepared('give_up_attempts')`
    insert into attempt_job as j (workspace, attempt_id, due, tries, given_up)
    select a.workspace, a.id, $now, 1, true from attempt a
    where a.workspace = ${workspace} and a.resource_id = ${resourceId} and a.state = 'challenged'
    on conflict (workspace, attempt_id) do update
      set due = excluded.due, given_up = true, again = j.lease is not null`);
  return ended > 0;
}

/** The identity of the attempt that every call to the processor carries. */
export function orderOf(
  job: Omit<AttemptJob, 'tries' | 'purpose' | 'state' | 'over' | 'given_up'>,
): ChargeOrder {
  const { workspace, id: key, processor_token: token, amount, currency } = job;
  const { processor_reference: reference, connection_id: connection } = job;
  return { workspace, key, token, amount, currency, reference, connection };
}

/** One call to the processor. After a call without a known outcome it retrieves before it sends. */
async function ask(processor: Processor, job: AttemptJob): Promise<Seen> {
  const order = orderOf(job);
  if (job.state === 'reversing') return reverse(processor, order);
  // An ended attempt is only retrieved after a webhook, a challenged one now and then.
  if (job.state !== 'authorizing' && job.state !== 'capturing') return processor.retrieve(order);
  if (job.tries > 0) {
    const seen = await processor.retrieve(order);
    const pending = job.state === 'authorizing' ? 'absent' : 'authorized';
    if (seen.state !== pending) return seen;
  }
  return job.state === 'authorizing' ? processor.authorize(order) : processor.capture(order);
}

const HOLDS: readonly string[] = ['authorized', 'pending', 'captured'];

/**
 * `declined`: the key holds nothing. If the processor still shows money, it refused to give back.
 */
async function reverse(processor: Processor, order: ChargeOrder): Promise<Seen> {
  const answer = await processor.reverse(order);
  if (answer.state !== 'declined') return answer;
  const seen = await processor.retrieve(order);
  return HOLDS.includes(seen.state) ? { ...answer, state: 'reverse_refused' } : seen;
}

/** After an answer: the jobs of all attempts of the resource are due again, or deleted. */
async function tidy(db: Database, job: AttemptJob): Promise<void> {
  const values = [job.workspace, job.id];
  await db.execute({
    name: 'finish_attempts',
    text: `delete from attempt_job j using attempt a, attempt mine
      where mine.workspace = $1 and mine.id = $2 and a.workspace = $1
        and a.resource_id = mine.resource_id and j.workspace = $1 and j.attempt_id = a.id
        and a.state in ('declined', 'reversed', 'parked')`,
    values,
  });
  await db.execute({
    name: 'next_attempts',
    text: `update attempt_job j set tries = 0, lease = null, leased_until = null,
        pause = null, due = $now + case
          when a.state in ('authorizing', 'capturing', 'reversing') then interval '0'
          when a.state = 'challenged' then interval '${FIRST_LOOK_SECONDS} s'
          else interval '30 s' end
      from attempt a, attempt mine
      where mine.workspace = $1 and mine.id = $2 and a.workspace = $1
        and a.resource_id = mine.resource_id and j.workspace = $1 and j.attempt_id = a.id
        and (a.id = mine.id or (j.lease is null and a.state <> 'authorizing'))`,
    values,
  });
  await db.execute({
    name: 'captured_attempts',
    text: `delete from attempt_job j using attempt mine
      where mine.workspace = $1 and mine.id = $2 and j.workspace = $1
        and j.attempt_id in (select a.id from attempt a where a.workspace = $1
          and a.resource_id = mine.resource_id)
        and not exists (select from attempt a where a.workspace = $1
          and a.resource_id = mine.resource_id and a.state not in ('captured'))`,
    values,
  });
}
