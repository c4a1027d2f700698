// Compares one application with the others of its workspace and stores the matches. A person is
// enrolled before their application is compared, so that of two who apply at once, the one stored
// later finds the other. No lock of the engine is held meanwhile. [G-53]
import type { Database } from '../../../db/index.ts';
import { dueJobs } from '../../../engine/index.ts';
import { featuresOf, type Stated } from './features.ts';
import { findMatches, type Found } from './look-up.ts';
import { countWaiting, enrol, type StoreParts, type Whose } from './store.ts';

/** An application that waits to be compared. */
export interface MatchJob extends Whose {
  readonly application: string;
}

/** Opens what an application states; null once it is erased. */
export type OpenStated = (job: MatchJob) => Promise<Stated | null>;

const BATCH = 20;
const RETRY = `interval '1 minute'`;

/** Compares an application unless that was done; safe to run in several processes. */
export async function matchOnce(
  parts: StoreParts,
  job: MatchJob,
  open: OpenStated,
): Promise<void> {
  const { workspace, application } = job;
  const [waiting] = await parts.db.query<{ listed: number }>({
    name: 'match_job_there',
    text: `select coalesce(s.match_listed_from, 0) as listed
      from match_job j left join tenant_setting s on s.workspace = j.workspace
      where j.workspace = $1 and j.application_id = $2`,
    values: [workspace, application],
  });
  if (waiting === undefined) return;
  const stated = await open(job);
  const features = stated === null ? null : featuresOf(stated);
  const there = features !== null && (await enrol(parts, job, { application, features }));
  const found = there ? await findMatches(parts, job, features) : [];
  await keep(parts, job, found.filter((one) => stored(one) >= waiting.listed));
}

/** A score as it is stored: in ten-thousandths. */
function stored({ score }: Found): number {
  return Math.round(score * 10_000);
}

/** Writes matches and ends the job in one transaction; leaves out persons erased meanwhile. */
function keep({ db, random }: StoreParts, job: MatchJob, found: readonly Found[]): Promise<void> {
  const { workspace, account, application } = job;
  return db.transaction(async (tx) => {
    const ended = await tx.execute({
      name: 'match_job_end',
      text: 'delete from match_job where workspace = $1 and application_id = $2',
      values: [workspace, application],
    });
    if (ended === 0 || found.length === 0) return;
    const ids = [account, ...found.map((one) => one.account)];
    const there = await tx.query<{ id: string }>({
      name: 'match_persons_there',
      text: `select id from account_person where workspace = $1 and id = any($2::uuid[])
          and wrapped_key <> 'erased' order by id for share`,
      values: [workspace, ids],
    });
    const alive = new Set(there.map(({ id }) => id));
    if (!alive.has(account)) return;
    const kept = found.filter((one) => alive.has(one.account));
    await tx.execute({
      name: 'match_check_insert',
      text: `insert into match_check (workspace, id, application_id, account_id, matched_account_id,
          matched_application_id, score)
        select $1, f.id, $2, $3, f.account, f.application, f.score
        from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::int[])
          as f (id, account, application, score)`,
      values: [
        ...[workspace, application, account],
        kept.map(() => random.uuid()),
        kept.map((one) => one.account),
        kept.map((one) => one.application),
        kept.map(stored),
      ],
    });
  });
}

/**
 * Compares applications that no check compares, such as tax forms, or whose process died, and
 * counts who is not counted; gives how many. One that fails is retried a minute later.
 */
export async function matchWaiting(parts: StoreParts, open: OpenStated): Promise<number> {
  const jobs = await claim(parts.db);
  for (const job of jobs) await matchOnce(parts, job, open);
  return jobs.length + (await countWaiting(parts));
}

function claim(db: Database): Promise<MatchJob[]> {
  return db.query<MatchJob>({
    name: 'match_jobs_due',
    text: `update match_job set due = $now + ${RETRY}
      where (workspace, application_id) in (
        ${dueJobs('match_job', 'application_id', String(BATCH))})
      returning workspace, account_id as account, application_id as application`,
    values: [],
  });
}
