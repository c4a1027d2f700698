// Answers for what a buyer decides about a payment at the sandbox's bank: confirmed or refused,
// once, within ten minutes; a notice tells of it. Whoever has the address decides, as with a real
// bank's page it is whoever can log in there. Refuses to know how it is shown.
import type { Database } from '../../db/index.ts';
import { refuse } from '../../kernel/refusal.ts';
import { OUTSIDE_NOTICE, told } from './notice-rows.ts';
import { refusals } from './refusals.ts';

/** What a buyer can decide. */
export const CHALLENGE_DECISIONS = ['confirm', 'refuse'] as const;
export type ChallengeDecision = (typeof CHALLENGE_DECISIONS)[number];

/** A payment that waits, or waited, for its buyer. */
export interface Challenge {
  readonly world: number;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
  /** False once it was decided, given up, or ten minutes old. */
  readonly open: boolean;
}

const OPEN = `state = 'challenged' and created > world_now(world) - interval '10 minutes'`;

/** A copy of a world has the same page; of several, the newest is the one that goes on. */
const NEWEST = `challenge = $1
  and world = (select max(world) from processor_charge where challenge = $1)`;

/** The address of the page; `base`: of the processor host. */
export function challengeUrl(base: string, id: string): string {
  return `${base}/challenge/${id}`;
}

/** The challenge of that id, or null. */
export async function challengeOf(db: Database, id: string): Promise<Challenge | null> {
  const rows = await db.query<Challenge>({
    name: 'processor_challenge',
    text: `select world, amount, currency, ${OPEN} as open
      from processor_charge where ${NEWEST}`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Takes the decision: the money is reserved, or declined. Refused where it comes too late. */
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
          failure_code = $2, updated = world_now(world)
        where ${NEWEST} and ${OPEN} returning world, key
      ), ${told('hit', 'charge')}
      select from hit`,
    values: [id, declined, ...OUTSIDE_NOTICE],
  });
  if (decided === 1) return;
  throw refuse(
    (await challengeOf(db, id)) === null ? refusals.CHALLENGE_ABSENT : refusals.CHALLENGE_OVER,
  );
}
