// The buyer's decision at the simulated bank: confirmed or refused, once, within ten minutes,
// followed by a webhook. Whoever has the URL decides; at a real bank that is whoever can log in.
import type { Database } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { OUTSIDE_NOTICE, told } from './notice-rows.ts';
import { refusals } from './refusals.ts';

/** Possible decisions. */
export const CHALLENGE_DECISIONS = ['confirm', 'refuse'] as const;
export type ChallengeDecision = (typeof CHALLENGE_DECISIONS)[number];

/** A payment that waits or waited for its buyer. */
export interface Challenge {
  readonly workspace: number;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
  /** False once decided, given up, or ten minutes old. */
  readonly open: boolean;
}

const open = (now: string): string =>
  `state = 'challenged' and created > ${now} - interval '10 minutes'`;

/** A clone of a workspace has the same page; of several, the newest one continues. */
const NEWEST = `challenge = $1
  and workspace = (select max(workspace) from processor_charge where challenge = $1)`;

/** URL of the page; `base`: of the processor host. */
export function challengeUrl(base: string, id: string): string {
  return `${base}/challenge/${id}`;
}

/** The challenge of that id, or null. */
export async function challengeOf(db: Database, id: string): Promise<Challenge | null> {
  const rows = await db.query<Challenge>({
    name: 'processor_challenge',
    text: `select workspace, amount, currency, ${open('workspace_now(workspace)')} as open
      from processor_charge where ${NEWEST}`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Applies the decision: the money is authorized or declined. Refused if it comes too late. */
export async function decideChallenge(
  db: Database,
  id: string,
  decision: ChallengeDecision,
): Promise<void> {
  const declined = decision === 'refuse' ? 'authentication_required' : null;
  const decided = await db.execute({
    name: 'processor_decide_challenge',
    text: `with hit as (
        update processor_charge
        set state = case when $2::text is null then 'authorized' else 'declined' end,
          failure_code = $2, updated = workspace_at(workspace, $now)
        where ${NEWEST} and ${open('workspace_at(workspace, $now)')}
        returning workspace, key
      ), ${told('processor', 'charge')}
      select from hit`,
    values: [id, declined, ...OUTSIDE_NOTICE],
  });
  if (decided === 1) return;
  throw refuse(
    (await challengeOf(db, id)) === null ? refusals.CHALLENGE_ABSENT : refusals.CHALLENGE_OVER,
  );
}
