// From which score on a tenant's matches are listed, and from which a match sends an application to
// a person. Chosen by its operators, for both directions of the error. [G-53]
import type { Database, Queryable } from '../../../db/index.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { audit } from '../../tell/audit/index.ts';
import { changeSettings } from './store.ts';

/** Scores in ten-thousandths, as they are stored with matches. */
export interface MatchThresholds {
  /** From which score on matches are listed; null: from the least, 5000. */
  readonly listed: number | null;
  /** From which score on a person reviews; 0: never; null: as the installation says. */
  readonly review: number | null;
}

const LEAST = 5_000;
const MOST = 10_000;
const HUNDREDTH = 100;
const RANGE = 'must be a score from 0.5 to 1 with at most two decimals';
const NOT_CHOSEN: MatchThresholds = { listed: null, review: null };

/** What was chosen for a tenant. */
export async function matchThresholds(db: Queryable, workspace: number): Promise<MatchThresholds> {
  const [row] = await db.query<MatchThresholds>({
    name: 'match_thresholds',
    text: `select match_listed_from as listed, match_review_from as review
      from tenant_setting where workspace = $1`,
    values: [workspace],
  });
  return row ?? NOT_CHOSEN;
}

/**
 * The score, 0 to 1, from which a match sends an application to a person; null: none does. Where
 * nothing was chosen, `reviewMatches` of the installation decides about all that is listed.
 */
export function reviewedFrom(
  { listed, review }: MatchThresholds,
  { reviewMatches }: { readonly reviewMatches: boolean },
): number | null {
  if (review !== null) return review === 0 ? null : review / MOST;
  return reviewMatches ? (listed ?? LEAST) / MOST : null;
}

/**
 * Sets what is listed and reviewed from now on, as an act of `actor`. Refuses a score that is no
 * threshold, and a review of what is not listed.
 */
export async function chooseMatchThresholds(
  db: Database,
  workspace: number,
  actor: string,
  wish: MatchThresholds,
): Promise<void> {
  const { listed, review } = wish;
  const isScore = (score: number): boolean =>
    Number.isInteger(score / HUNDREDTH) && score >= LEAST && score <= MOST;
  if (listed !== null && !isScore(listed)) {
    throw refuse(inputRefusals.INVALID_FIELD, { listed: RANGE });
  }
  if (review !== null && review !== 0 && !isScore(review)) {
    throw refuse(inputRefusals.INVALID_FIELD, { review: RANGE });
  }
  if (review !== null && review !== 0 && review < (listed ?? LEAST)) {
    throw refuse(inputRefusals.INVALID_FIELD, { review: 'must not be below what is listed' });
  }
  await db.transaction(async (tx) => {
    const version = await changeSettings(tx, workspace, {});
    const [before] = await tx.query<MatchThresholds>({
      text: `update tenant_setting s set match_listed_from = $2, match_review_from = $3
        from tenant_setting b where s.workspace = $1 and b.workspace = s.workspace
        returning b.match_listed_from as listed, b.match_review_from as review`,
      values: [workspace, listed, review],
    });
    const was = before ?? NOT_CHOSEN;
    const detail = {
      ...{ version, listed, review, listed_before: was.listed, review_before: was.review },
    };
    await audit(tx, { workspace, actor, act: 'match_thresholds_changed', detail });
  });
}
