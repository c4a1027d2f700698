// The endpoint where a buyer's browser reports the buyer's decision. Whoever has the URL may call
// it, as with the page.
import { z } from 'zod';
import { CHALLENGE_DECISIONS, decideChallenge } from './challenge.ts';
import { publicEndpoint } from './endpoint.ts';
import { refusals } from './refusals.ts';

/** Names of challenges. */
export const CHALLENGE_PARAMS = z.strictObject({ id: z.guid() });

const decide = publicEndpoint({
  id: 'processorDecideChallenge',
  route: 'POST /challenge/{id}',
  summary: 'Confirms or refuses a payment at the bank, as the buyer.',
  params: CHALLENGE_PARAMS,
  body: z.strictObject({ decision: z.enum(CHALLENGE_DECISIONS) }),
  answers: { 200: z.object({ decision: z.enum(CHALLENGE_DECISIONS) }) },
  refusals: [refusals.CHALLENGE_ABSENT, refusals.CHALLENGE_OVER],
  async run({ db }, { params, body: { decision } }) {
    await decideChallenge(db, params.id, decision);
    return { status: 200, bare: { decision } };
  },
});

/** Endpoints for buyers' browsers. */
export const challengeOperations = [decide];
