// One-time magic links with which the persons behind a business prove who they are. A link opens
// the identity flow of that person's own account only, whoever forwards it. [G-13, G-55]
import { z } from 'zod';
import type { Answer, Caller, IdempotencyClaim } from '../../../core/operation.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Services } from '../../context.ts';
import { createLink, LINK_SECONDS, FLOW_SCOPES } from '../../access/oauth/index.ts';
import { onceSealed } from '../../idempotent/index.ts';
import { agentById } from './read.ts';
import { refusals as no } from './refusals.ts';

/** Seconds that the session of such a link lives. */
const SESSION_SECONDS = 3_600;

export const agentLinkAnswer = z.strictObject({ redirect: z.string() });

/**
 * Creates a link for the person of an agent. It opens a full page, since it is forwarded and not
 * framed. A session sees only the agents of its own account's business.
 */
export async function agentLink(
  services: Services,
  caller: Caller,
  wire: string,
  idempotency: IdempotencyClaim | null,
): Promise<Answer> {
  const { workspace } = caller;
  const id = uuidOfWireId('agt', wire);
  const own = caller.accountId === null ? null : uuidOfWireId('acct', caller.accountId);
  const agent = await agentById(services.db, workspace, id);
  const foreign = caller.kind !== 'client' && agent?.owner_id !== own;
  if (agent === null || foreign) throw refuse(no.ENTITY_AGENT_NOT_FOUND);
  if (agent.kyc_status === 'ACCEPT') throw refuse(no.ENTITY_AGENT_VERIFIED);
  const { random, urls, word } = services;
  return onceSealed(services, workspace, idempotency, async (tx) => {
    const link = await personLink({ random, urls, word, db: tx }, caller, agent.person_id);
    const secret = { place: 'redirect', text: link.redirect, seconds: LINK_SECONDS };
    return { status: 200, payload: { redirect: '' }, secrets: [secret] };
  });
}

/** Creates the link into the identity flow of a person behind a business. */
export function personLink(
  { word, ...services }: Parameters<typeof createLink>[0] & Pick<Services, 'word'>,
  { workspace, clientId, integrator }: Pick<Caller, 'workspace' | 'clientId' | 'integrator'>,
  account: string,
): ReturnType<typeof createLink> {
  return createLink(services, {
    ...{ workspace, clientId, integrator, account },
    mechanism: `${word}_hosted`,
    flow: 'kyc',
    scopes: FLOW_SCOPES.kyc,
    sessionSeconds: SESSION_SECONDS,
  });
}
