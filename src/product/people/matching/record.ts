// The wire form of matches. [seed: KYC match check]
import { z } from 'zod';
import type { Queryable } from '../../../db/index.ts';
import { accountId, wireId } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import type { MatchCheckRow } from './tables.ts';

export const matchCheck = z.strictObject({
  kyc_match_check_id: z.string(),
  matched_account_id: z.string(),
  matched_kyc_id: z.string(),
  match_score: z.number().min(0).max(1),
}).meta({ title: 'KYCMatchCheck' });

export type ShownMatch = Pick<
  MatchCheckRow,
  'id' | 'matched_account_id' | 'matched_application_id' | 'score'
>;

/** A stored score as a number of 0 to 1. */
export function scoreOf({ score }: Pick<ShownMatch, 'score'>): number {
  return score / 10_000;
}

/** The wire records of matches, highest score first; of equal ones the earlier application. */
export function renderMatches(rows: readonly ShownMatch[]): z.output<typeof matchCheck>[] {
  const stored = (one: ShownMatch): string => one.matched_application_id;
  const sorted = rows.toSorted(
    (a, b) => b.score - a.score || (stored(a) < stored(b) ? -1 : 1),
  );
  return sorted.map((row) => ({
    kyc_match_check_id: wireId('kycmc', row.id),
    matched_account_id: accountId(row.matched_account_id),
    matched_kyc_id: wireId('kyc', row.matched_application_id),
    match_score: scoreOf(row),
  }));
}

/**
 * True where a caller may see matches: the integrator's clients only. A session or user token
 * belongs to whoever claims to be that person; with scores they could probe what others stated.
 * [G-50]
 */
export function mayCompare({ kind }: Pick<Caller, 'kind'>): boolean {
  return kind === 'client';
}

/** The matches of an application; empty without an application. */
export async function matchesOf(
  db: Queryable,
  workspace: number,
  application: string | null,
): Promise<ShownMatch[]> {
  if (application === null) return [];
  return db.query<ShownMatch>({
    name: 'match_checks_of',
    text: `select id, matched_account_id, matched_application_id, score from match_check
      where workspace = $1 and application_id = $2`,
    values: [workspace, application],
  });
}
