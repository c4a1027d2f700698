// How an answer is handed to the processor and settled: after a call without an answer the key is
// retrieved before anything is sent again. [G-93, M13]
import { prepared, type Database } from '../../../db/index.ts';
import type { Random } from '../../../core/random.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { AnswerOrder, AnswerOutcome, Processor } from '../../../providers/processor/port.ts';
import { sealerOf } from '../../people/account/index.ts';
import type { ExchangeQueue, Job } from '../wallet/index.ts';
import { openEvidence } from '../evidence/index.ts';
import type { AnswerSaid } from './evidence.ts';

interface AnswerJob extends Job {
  readonly state: string;
  readonly dispute_id: string;
}

export interface AnswerQueueParts {
  readonly db: Database;
  readonly keys: Keys;
  readonly random: Random;
  readonly processor: Processor;
  /** Settles an answer through the engine. */
  settle(workspace: number, said: AnswerSaid): Promise<unknown>;
}

/** The queue of answers to disputes. */
export function answerQueue(parts: AnswerQueueParts): ExchangeQueue<AnswerJob> {
  return {
    jobs: 'dispute_answer_job',
    key: 'answer_id',
    table: 'dispute_answer',
    columns: 'a.state, a.dispute_id',
    async exchange(job) {
      if (job.state !== 'sending') return null;
      const outcome = await ask(parts, job);
      if (outcome.state === 'unknown') return outcome.busy === true ? 'busy' : 'unknown';
      await parts.settle(job.workspace, { answerId: job.id, outcome });
      return null;
    },
    tidy: ({ workspace, id }) => tidy(parts.db, workspace, id),
  };
}

/** What was erased cannot be sent any more. [PD3] */
const NOTHING_LEFT: AnswerOutcome = {
  state: 'declined',
  reference: '',
  code: 'generic_error',
};

async function ask(parts: AnswerQueueParts, job: AnswerJob): Promise<AnswerOutcome> {
  const { processor } = parts;
  const disputed = await disputedBy(parts.db, job);
  if (job.tries > 0) {
    const { workspace, id: key } = job;
    const { reference } = disputed;
    const seen = await processor.retrieveAnswer({ workspace, key, reference });
    if (seen.state !== 'absent') return seen;
  }
  const order = await orderOf(parts, job, disputed);
  return order === null ? NOTHING_LEFT : processor.answerDispute(order);
}

interface Disputed {
  readonly account_id: string;
  readonly reference: string;
  readonly charge: string;
}

async function disputedBy(
  db: Database,
  { workspace, dispute_id }: AnswerJob,
): Promise<Disputed> {
  const [row] = await db.query<Disputed>(prepared('disputed_charge')`
    select d.account_id, d.reference, v.attempt_id as charge from dispute d
    join reversal v on v.workspace = d.workspace and v.id = d.reversal_id
    where d.workspace = ${workspace} and d.id = ${dispute_id}`);
  if (row === undefined) throw new Error('an answer names no dispute of a charge');
  return row;
}

async function orderOf(
  parts: AnswerQueueParts,
  { workspace, id: key, dispute_id }: AnswerJob,
  { account_id, reference, charge }: Disputed,
): Promise<AnswerOrder | null> {
  const sealer = await sealerOf(parts, workspace, account_id);
  if (sealer === null) return null;
  const pieces = await openEvidence(parts.db, sealer, workspace, dispute_id);
  if (pieces.length === 0) return null;
  return {
    ...{ workspace, key, reference, charge },
    texts: pieces.flatMap(({ kind, mime, bytes }) =>
      mime === null ? [{ kind, text: bytes.toString('utf8') }] : [],
    ),
    files: pieces.flatMap(({ kind, mime, bytes }) => {
      return mime === null ? [] : [{ kind, mime, bytes }];
    }),
  };
}

/** After an outcome: deletes the job, unless the answer is still being sent. */
async function tidy(db: Database, workspace: number, id: string): Promise<void> {
  await db.execute(prepared('finish_dispute_answer')`
    delete from dispute_answer_job j using dispute_answer a
    where a.workspace = ${workspace} and a.id = ${id} and a.state <> 'sending'
      and j.workspace = $1 and j.answer_id = $2`);
}
