// Answers for the bearer token of webhook requests, as the delivery loop asks for it. Refuses to
// know how it is sent.
import type { OAuthServices } from './services.ts';
import { tokensOf } from './tokens.ts';
import type { IssuedToken } from './tokens.ts';

/**
 * A maker of webhook tokens: audience the endpoint's id, no scopes. [seed: Authentication, G-62]
 */
export function signWebhookToken(
  services: OAuthServices,
): (endpointId: string) => Promise<IssuedToken> {
  return async (endpointId) => (await tokensOf(services)).signWebhookToken(endpointId);
}
