// What operators do at the console, turned into commands: checks that the workspace is theirs,
// seals the note, and runs the command, which decides.
import type { Command } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountIs } from '../account/index.ts';
import { audit } from '../../tell/audit/index.ts';
import type { Services } from '../../context.ts';
import { dependentOn } from '../../access/operator/index.ts';
import { DOCUMENT_REASONS } from '../business/case.ts';
import { entityById } from '../business/index.ts';
import { isListed } from './business.ts';
import { releaseCase } from './claim.ts';
import {
  decideCase,
  judgeOne,
  secondCase,
  startCheck,
  type CaseAnswer,
  type VersionedCase,
} from './decide.ts';
import { hitSeen } from './hit.ts';
import { sealNote } from './notes.ts';
import { refusals as no } from './refusals.ts';
import { actorName, requireWorkspace, type Reviewer } from './reviewer.ts';
import type { Verdict } from './subject.ts';
import { sql } from '../../../db/index.ts';

type ActServices = Pick<Services, 'db' | 'engine' | 'random' | 'keys' | 'policies'>;

/** The match score, in ten-thousandths, from which a second operator must confirm. */
const GRAVE_SCORE = 9_000;

/** A case as the operator saw it. */
export interface SeenCase extends VersionedCase {
  readonly workspace: number;
}

/** Whose key seals the notes, and whether a watch-list names a business; null for no case. */
async function caseNow(
  services: ActServices,
  reviewer: Reviewer,
  { workspace, subject, id }: Omit<SeenCase, 'version'>,
): Promise<{ readonly account: string; readonly listed: boolean } | null> {
  if (subject === 'person') return { account: id, listed: false };
  if (subject === 'hit') {
    const hit = await hitSeen(services.db, reviewer, id);
    return hit === null ? null : { account: hit.account, listed: false };
  }
  const entity = await entityById(services.db, workspace, id);
  if (entity === null) return null;
  return { account: entity.account_id, listed: await isListed(services, entity) };
}

/** What all commands about a case have in common. */
async function prepared(
  services: ActServices,
  reviewer: Reviewer,
  { workspace, subject, id, version }: SeenCase,
  text: string,
) {
  requireWorkspace(reviewer, workspace);
  const { policies } = services;
  const found = await caseNow(services, reviewer, { workspace, subject, id });
  if (found === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
  const { account, listed } = found;
  const note = await sealNote(services, workspace, account, text);
  const limits = { restricted: BigInt(policies.reviewFourEyesMinor), score: GRAVE_SCORE, listed };
  return { subject, id, version, operator: reviewer.operatorId, note, limits };
}

async function run<I>(
  { engine, db }: ActServices,
  command: Command<I>,
  input: I,
  reviewer: Reviewer,
  { workspace, id }: Pick<SeenCase, 'workspace' | 'id'>,
): Promise<CaseAnswer> {
  const { payload } = await engine.run(command, input, { workspace, actor: actorName(reviewer) });
  await releaseCase(db, reviewer, workspace, id);
  return payload as CaseAnswer;
}

/** Decides a case, or proposes the decision where a second operator is needed. */
export async function decide(
  services: ActServices,
  reviewer: Reviewer,
  seen: SeenCase,
  verdict: Verdict,
  note: string,
): Promise<CaseAnswer> {
  const input = { ...(await prepared(services, reviewer, seen, note)), verdict };
  return run(services, decideCase, input, reviewer, seen);
}

/** Decides about a document of a business: `accepted`, or why it is not. */
export async function judge(
  services: ActServices,
  reviewer: Reviewer,
  seen: SeenCase,
  document: string,
  finding: string,
): Promise<void> {
  const { workspace, subject, id, version } = seen;
  requireWorkspace(reviewer, workspace);
  const reason = DOCUMENT_REASONS.find((one) => one === finding);
  if (reason === undefined && finding !== 'accepted') throw refuse(no.REVIEW_REASON_NEEDED);
  const limits = { restricted: 0n, score: GRAVE_SCORE, listed: false };
  const { operatorId: operator } = reviewer;
  const input = { subject, id, version, operator, limits, document, reason };
  const by = { workspace, actor: actorName(reviewer) };
  await services.engine.run(judgeOne, { ...input, entry: services.random.uuid() }, by);
}

/** Confirms or rejects another operator's proposal. */
export async function second(
  services: ActServices,
  reviewer: Reviewer,
  seen: SeenCase,
  agrees: boolean,
  note: string,
): Promise<CaseAnswer> {
  const dependent = await dependentOn(services.db, reviewer.operatorId);
  const input = { ...(await prepared(services, reviewer, seen, note)), agrees, dependent };
  return run(services, secondCase, input, reviewer, seen);
}

/** Has an accepted person verified again. */
export async function check(
  services: ActServices,
  reviewer: Reviewer,
  workspace: number,
  account: string,
  text: string,
): Promise<CaseAnswer> {
  requireWorkspace(reviewer, workspace);
  const note = await sealNote(services, workspace, account, text);
  const fresh_application_id = services.random.uuid();
  const input = { account, fresh_application_id, operator: reviewer.operatorId, note };
  return run(services, startCheck, input, reviewer, { workspace, id: account });
}

/** Marks an account as an operator's own; they then decide nothing about it. */
export async function nameOwnAccount(
  { db, random }: Pick<Services, 'db' | 'random'>,
  admin: Reviewer,
  workspace: number,
  account: string,
  operator: string,
): Promise<void> {
  requireWorkspace(admin, workspace);
  if (!isUuid(operator) || !(await accountIs(db, workspace, account))) {
    throw refuse(no.REVIEW_CASE_NOT_FOUND);
  }
  await db.transaction(async (tx) => {
    const added = await tx.execute(sql`
      insert into operator_account (workspace, id, operator_id, account_id, created)
      select w.workspace, ${random.uuid()}, o.id, ${account}, clock_timestamp() + w.clock_offset
      from operator o join workspace w on w.workspace = ${workspace} where o.id = ${operator}
      on conflict do nothing`);
    if (added === 0) return;
    const entry = { workspace, actor: actorName(admin), subject: account } as const;
    await audit(tx, { ...entry, act: 'operator_account_named', detail: { operator } });
  });
}
