// Has the worker retrieve keys from the processor again: those that a webhook or the statement
// names, and rows whose job is missing. Nothing is sent before it was retrieved. [M7, M13]
import { prepared, raw, type Database, type Queryable } from '../../../db/index.ts';
import { listed } from '../../../core/machine.ts';
import { attemptMachine, attemptOpen } from './attempt-machine.ts';
import { transferMachine, transferOpen } from './transfer-machine.ts';

type Executor = Pick<Database, 'execute'>;

interface Queue {
  readonly jobs: string;
  readonly key: string;
  readonly table: string;
  /** States in which an answer is outstanding. */
  readonly open: string;
  /** States in which an answer of the processor can still change something. */
  readonly listening: string;
}

const QUEUES: readonly Queue[] = [
  {
    jobs: 'attempt_job',
    key: 'attempt_id',
    table: 'attempt',
    open: attemptOpen,
    listening: `${attemptOpen}, ${listed(attemptMachine, 'authorized', 'declined')}`,
  },
  {
    jobs: 'transfer_job',
    key: 'transfer_id',
    table: 'transfer',
    open: transferOpen,
    listening: `${transferOpen}, ${listed(transferMachine, 'paid', 'declined')}`,
  },
];

/**
 * SQL that makes jobs of the rows due. `tries` is 1, so that the processor is asked before anything
 * is sent.
 */
function dueText({ jobs, key, table }: Queue, where: string): string {
  return `insert into ${jobs} as j (workspace, ${key}, due, tries)
    select a.workspace, a.id, $now, 1 from workspace w
    join ${table} a on a.workspace = w.workspace where w.ended is null and ${where}
    on conflict (workspace, ${key}) do update
      set due = least(j.due, excluded.due), tries = greatest(j.tries, 1),
        again = j.lease is not null`;
}

/** Makes payment attempts or outbound transfers due, where an answer can still change something. */
export async function lookAgain(
  db: Executor,
  workspace: number,
  ids: readonly string[],
): Promise<void> {
  for (const queue of QUEUES) {
    await db.execute({
      name: `look_again_${queue.table}`,
      text: dueText(
        queue,
        `a.workspace = $1 and a.id = any($2::uuid[]) and a.state in (${queue.listening})`,
      ),
      values: [workspace, ids],
    });
  }
}

/**
 * How many payments, refunds and payouts of a workspace were begun at a provider and have no answer
 * yet.
 */
export async function unanswered(db: Queryable, workspace: number): Promise<number> {
  const rows = await db.query<{ waiting: number }>(prepared('unanswered')`
    select ((select count(*) from attempt_job j
        join attempt a on a.workspace = j.workspace and a.id = j.attempt_id
      where j.workspace = ${workspace} and j.connection_id is not null
      and a.state in (${raw(attemptOpen)}))
    + (select count(*) from transfer t where t.workspace = $1 and t.state in (${raw(transferOpen)})
        and case t.kind when 'refund' then exists (select from attempt a
            where a.workspace = $1 and a.id = t.target::uuid and a.connection_id is not null)
          else exists (select from transfer_job j where j.workspace = $1
            and j.transfer_id = t.id and j.connection_id is not null) end))::int as waiting`);
  return rows[0]?.waiting ?? 0;
}

/** Gives a job to every pending row without one; gives how many there were. [M7] */
export async function sweep(db: Executor): Promise<number> {
  let found = 0;
  for (const queue of QUEUES) {
    const jobless = `a.state in (${queue.open}) and not exists (select from ${queue.jobs} k
      where k.workspace = a.workspace and k.${queue.key} = a.id)`;
    const name = `sweep_${queue.table}`;
    found += await db.execute({ name, text: dueText(queue, jobless) });
  }
  return found;
}
