// How a check is requested at the vendor and settled. The application is compared with others
// first, a check that may exist is retrieved before one is begun, and personal data is opened only
// for that one call. Without a vendor the check ends in a manual review, and so does one that the
// vendor does not decide in time: nobody waits for ever. [R6, G-52, G-53, G-92]
import { hash } from 'node:crypto';
import { prepared, raw, type Database } from '../../../db/index.ts';
import { canonicalJson } from '../../../core/json.ts';
import { lineagePurpose } from '../../../core/labels.ts';
import type { Random } from '../../../core/random.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type {
  CheckDecision,
  CheckOrder,
  CheckOutcome,
  IdentityVendor,
} from '../../../providers/identity/port.ts';
import type { ExchangeQueue, Job, Pause } from '../../money/wallet/index.ts';
import { providerStopped } from '../../tenant/stop/index.ts';
import { checkedPerson } from './applicant.ts';
import { openDocuments, type DocumentIds } from './documents.ts';
import { checkEnds, checkOpen } from './machine.ts';
import { matchApplication, openApplication } from './match.ts';
import { screenApplication } from './screen.ts';
import type { CheckAnswer } from './settle.ts';
import { comparedWith } from './verified.ts';

interface CheckJob extends Job {
  readonly state: string;
  readonly application_id: string;
  readonly account_id: string;
  readonly vendor_reference: string;
  /** True once an open check is given up. */
  readonly lapsed: boolean;
}

export interface CheckQueueParts {
  readonly db: Database;
  readonly keys: Keys;
  readonly random: Random;
  readonly vendor: IdentityVendor;
  /** False where a workspace has no vendor: it is not called, and operators review. [G-92] */
  hasVendor(workspace: number): Promise<boolean>;
  /** Settles an answer through the engine. */
  settle(workspace: number, answer: CheckAnswer): Promise<unknown>;
}

/** Without a vendor an operator decides, also what an earlier vendor left open. [G-92] */
const LEFT_TO_OPERATORS: CheckDecision = { state: 'review', reference: '', reasons: [], rules: [] };

/** The queue of checks. */
export function checkQueue(parts: CheckQueueParts): ExchangeQueue<CheckJob> {
  return {
    jobs: 'identity_job',
    key: 'check_id',
    table: 'identity_check',
    columns: `a.state, a.application_id, a.account_id, a.vendor_reference,
      a.outcome is null and ${checkEnds('a')} <= workspace_now(a.workspace) as lapsed`,
    // What the vendor may not know is not begun there; what it has in hand goes on, or lapses.
    held: ` and not (${providerStopped('identity', 'w.workspace')} and exists (
      select from identity_check c where c.workspace = w.workspace
        and c.id = identity_job.check_id and c.state = 'asking'
        and ${checkEnds('c')} > workspace_at(c.workspace, $now)))`,
    async exchange(job) {
      // Compared first, so that the decision knows the matches, whatever the vendor answers.
      await matchApplication(parts, job.workspace, job.account_id, job.application_id);
      const outcome = await (job.lapsed ? giveUp(parts, job) : ask(parts, job));
      const pause = pauseAfter(job, outcome);
      if (pause !== null) return pause;
      const { workspace, account_id, application_id } = job;
      const hits = await screenApplication(parts, workspace, account_id, application_id);
      const compared = await compare(parts, job, outcome);
      await parts.settle(workspace, { checkId: job.id, outcome, hits, compared });
      return null;
    },
    tidy: (job) => tidy(parts.db, job),
  };
}

function pauseAfter(job: CheckJob, outcome: CheckOutcome): Pause | null {
  if (outcome.state === 'unknown') return 'unknown';
  const waits = outcome.state === 'pending' || outcome.state === 'waiting';
  return waits && outcome.state === job.state ? 'pending' : null;
}

/** Ends a check at the vendor; where that decides nothing, operators decide. [G-51] */
async function giveUp(parts: CheckQueueParts, job: CheckJob): Promise<CheckOutcome> {
  const { workspace, id: key, vendor_reference: known } = job;
  if (!(await parts.hasVendor(workspace))) return LEFT_TO_OPERATORS;
  const ended = await parts.vendor.abandon(workspace, key);
  if ('reasons' in ended) return ended;
  // Never without a reference: the vendor may have the person, whose erasure must reach it. [PD3]
  const reference = 'reference' in ended ? ended.reference : known;
  return { ...LEFT_TO_OPERATORS, reference: reference === '' ? key : reference };
}

/** Compares whom the vendor accepted with what was stated; nothing where it has done so itself. */
async function compare(
  parts: CheckQueueParts,
  { workspace, account_id, application_id }: CheckJob,
  outcome: CheckOutcome,
): Promise<readonly string[]> {
  if (outcome.state !== 'accepted' || outcome.verified === undefined) return [];
  const opened = await openApplication(parts, workspace, account_id, application_id);
  return opened === null ? [] : comparedWith(opened.applicant, outcome.verified);
}

/** One call. After one without an answer, it begins only what the vendor has never seen. */
async function ask(parts: CheckQueueParts, job: CheckJob): Promise<CheckOutcome> {
  const { vendor } = parts;
  const { workspace, id: key } = job;
  if (!(await parts.hasVendor(workspace))) return LEFT_TO_OPERATORS;
  if (job.tries > 0 || job.state !== 'asking') {
    const seen = await vendor.retrieve(workspace, key);
    const open = ['asking', 'waiting', 'pending'].includes(job.state);
    if (seen.state !== 'absent' || !open) return seen;
  }
  const opened = await openSubmission(parts, job);
  // Erased before the vendor had it: there is nothing to check. [PD3]
  if (opened === null) return { state: 'incomplete', reference: '', reasons: [], rules: [] };
  const digest = digestOf(parts.keys, { workspace, key, ...opened });
  return vendor.begin({ workspace, key, ...opened, digest });
}

/** Of an order; meaningless without our key, and different for each check. */
function digestOf(
  keys: Keys,
  { workspace, key, person, files }: Omit<CheckOrder, 'digest'>,
): string {
  const pictures = files.map(({ role, mime, bytes }) => [role, mime, hash('sha256', bytes)]);
  const purpose = lineagePurpose('checkOrder', keys.lineageOf(workspace));
  return keys.mac(purpose, canonicalJson([key, { ...person }, pictures]));
}

async function openSubmission(
  parts: CheckQueueParts,
  { workspace, application_id: id, account_id }: CheckJob,
): Promise<Pick<CheckOrder, 'person' | 'files'> | null> {
  const opened = await openApplication(parts, workspace, account_id, id);
  if (opened === null) return null;
  const ids = JSON.parse(opened.documents) as DocumentIds;
  const files = await openDocuments(parts.db, opened.sealer, workspace, ids);
  return { person: checkedPerson(opened.applicant), files };
}

/** After an answer: deletes the job, or makes it due again when the vendor may have decided. */
async function tidy(db: Database, { workspace, id }: CheckJob): Promise<void> {
  await db.execute(prepared('finish_check')`with done as (
      delete from identity_job j using identity_check c
      where c.workspace = ${workspace} and c.id = ${id} and j.workspace = $1 and j.check_id = c.id
        and c.state in ('ended', 'parked')
    )
    update identity_job j set tries = tries + 1, lease = null, leased_until = null,
      pause = null, due = $now + case when j.again then interval '0'
        else interval '10 s' end
    from identity_check c where c.workspace = $1 and c.id = $2 and j.workspace = $1
      and j.check_id = c.id and c.state in (${raw(checkOpen)})`);
}
