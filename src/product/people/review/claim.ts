// Claims on cases. They keep two operators from doing the same work, but do not stop anybody from
// deciding.
import type { Database, Queryable } from '../../../db/index.ts';
import { audit } from '../../tell/audit/index.ts';
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
  return db.transaction(async (tx) => {
    const taken = await tx.execute({
      text: `insert into review_claim as c (workspace, subject_id, operator_id, until)
        values ($1, $2, $3, clock_timestamp() + ${HELD})
        on conflict (workspace, subject_id) do update
          set operator_id = excluded.operator_id, until = excluded.until
          where c.operator_id = excluded.operator_id or c.until < clock_timestamp()`,
      values: [workspace, subjectId, reviewer.operatorId],
    });
    if (taken === 0) return false;
    const entry = { workspace, actor: actorName(reviewer), subject: subjectId } as const;
    await audit(tx, { ...entry, act: 'review_taken' });
    return true;
  });
}

/** Releases a case. */
export function releaseCase(
  db: Database,
  reviewer: Reviewer,
  workspace: number,
  subjectId: string,
): Promise<void> {
  return db.transaction(async (tx) => {
    const given = await tx.execute({
      text: `delete from review_claim
        where workspace = $1 and subject_id = $2 and operator_id = $3`,
      values: [workspace, subjectId, reviewer.operatorId],
    });
    if (given === 0) return;
    const entry = { workspace, actor: actorName(reviewer), subject: subjectId } as const;
    await audit(tx, { ...entry, act: 'review_returned' });
  });
}

/** The operator who has claimed a case, or null. */
export async function claimOf(
  db: Queryable,
  workspace: number,
  subjectId: string,
): Promise<string | null> {
  const rows = await db.query<{ operator_id: string }>({
    name: 'review_claim_of',
    text: `select operator_id from review_claim
      where workspace = $1 and subject_id = $2 and until > clock_timestamp()`,
    values: [workspace, subjectId],
  });
  return rows[0]?.operator_id ?? null;
}
