// Signs the bearer tokens of webhook requests for the delivery loop.
import type { OAuthServices } from './services.ts';
import { tokensOf, type IssuedToken } from './tokens.ts';

/**
 * Gives a signer of webhook tokens: audience the endpoint, no scopes. [seed: Authentication, G-62]
 */
export function signWebhookToken(
  services: OAuthServices,
): (endpointId: string) => Promise<IssuedToken> {
  return async (endpointId) => (await tokensOf(services)).signWebhookToken(endpointId);
}
