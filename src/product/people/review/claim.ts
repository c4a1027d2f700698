// Claims on cases. They keep two operators from doing the same work, but do not stop anybody from
// deciding.
import { prepared, type Database, type Queryable } from '../../../db/index.ts';
import { audit, type Act } from '../../tell/audit/index.ts';
import { actorName, requireWorkspace, type Reviewer } from './reviewer.ts';

/** How long a claim lasts unless it is renewed. */
const HELD = `interval '20 minutes'`;

/** Claims a case; false where another operator has it. */
export function claimCase(
  db: Database,
  reviewer: Reviewer,
  workspace: number,
  subjectId: string,
): Promise<boolean> {
  requireWorkspace(reviewer, workspace);
  const text = `insert into review_claim as c (workspace, subject_id, operator_id, until)
    values ($1, $2, $3, $now + ${HELD})
    on conflict (workspace, subject_id) do update
      set operator_id = excluded.operator_id, until = excluded.until
      where c.operator_id = excluded.operator_id or c.until < $now`;
  return change(db, reviewer, workspace, subjectId, { act: 'review_taken', text });
}

/** Releases a case; false where it was not this operator's. */
export function releaseCase(
  db: Database,
  reviewer: Reviewer,
  workspace: number,
  subjectId: string,
): Promise<boolean> {
  const text = `delete from review_claim
    where workspace = $1 and subject_id = $2 and operator_id = $3`;
  return change(db, reviewer, workspace, subjectId, { act: 'review_returned', text });
}

/** Changes a claim and audits it; false where nothing changed. */
function change(
  db: Database,
  reviewer: Reviewer,
  workspace: number,
  subject: string,
  { act, text }: { readonly act: Act; readonly text: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const values = [workspace, subject, reviewer.operatorId];
    if ((await tx.execute({ text, values })) === 0) return false;
    await audit(tx, { workspace, actor: actorName(reviewer), subject, act });
    return true;
  });
}

/** The operator who has claimed a case, or null. */
export async function claimOf(
  db: Queryable,
  workspace: number,
  subjectId: string,
): Promise<string | null> {
  const rows = await db.query<{ operator_id: string }>(prepared('review_claim_of')`
    select operator_id from review_claim
    where workspace = ${workspace} and subject_id = ${subjectId} and until > clock_timestamp()`);
  return rows[0]?.operator_id ?? null;
}
