// Clients and their secrets, tokens, one-time magic links, and the operations of the auth host.
export { requireOpenAccount } from './authorize-api.ts';
export {
  addClient,
  createClient,
  listClients,
  replaceClientSecret,
  rotateSecret,
  setClientDisabled,
} from './clients.ts';
export type { ClientCredentials, ShownClient } from './clients.ts';
export {
  beyondDevelopers,
  decidePending,
  pendingClients,
  proposeClient,
  proposeSecret,
} from './pending.ts';
export type { PendingClient } from './pending.ts';
export { createLink, LINK_SECONDS } from './magic-links.ts';
export { refusals } from './refusals.ts';
export { endAccess, endLinksOf, moveAccess } from './end-access.ts';
export { forgetExpired } from './retention.ts';
export {
  FLOW_SCOPES,
  FLOWS,
  isScope,
  SCOPE_NAMES,
  SCOPES,
  scopesIn,
  SESSION_SCOPES,
  USER_SCOPES,
} from './scopes.ts';
export type { OAuthServices } from './services.ts';
export { rotateSigningKey } from './signing-keys.ts';
export { ACCESS_SECONDS, tokensOf } from './tokens.ts';
export type { Grant, Tokens } from './tokens.ts';
export { signWebhookToken } from './webhook-token.ts';
export { endSession, openLink, readLink, SECRET, signSession } from './sessions.ts';
export type { OpenedLink, StandingLink } from './sessions.ts';
