// The endpoint where a buyer's browser reports the buyer's decision. Whoever has the URL may call
// it, as with the page.
import { z } from 'zod';
import { CHALLENGE_DECISIONS, decideChallenge } from './challenge.ts';
import { publicEndpoint } from './endpoint.ts';
import { refusals } from './refusals.ts';

const decision = z.enum(CHALLENGE_DECISIONS);

/** Endpoints for buyers' browsers. */
export const challengeOperations = [
  publicEndpoint({
    id: 'processorDecideChallenge',
    route: 'POST /challenge/{id}',
    summary: 'Confirms or refuses a payment at the bank, as the buyer.',
    params: z.strictObject({ id: z.guid() }),
    body: z.strictObject({ decision }),
    answer: z.object({ decision }),
    refusals: [refusals.CHALLENGE_ABSENT, refusals.CHALLENGE_OVER],
    async run({ db }, { params, body }) {
      await decideChallenge(db, params.id, body.decision);
      return { decision: body.decision };
    },
  }),
];
