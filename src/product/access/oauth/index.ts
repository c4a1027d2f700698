// Clients and their secrets, tokens, one-time magic links, and the operations of the auth host.
export { operations } from './api.ts';
export { requireOpenAccount } from './authorize-api.ts';
export { addClient, createClient, rotateSecret, setClientDisabled } from './clients.ts';
export type { Client, ClientCredentials } from './clients.ts';
export { createLink, LINK_SECONDS, readLinkStatus } from './magic-links.ts';
export type { AuthorizedInvoiceOfLink, Link, LinkRequest, LinkStatus } from './magic-links.ts';
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
  scopesOfFlow,
  SESSION_SCOPES,
  USER_SCOPES,
} from './scopes.ts';
export type { Flow, Scope } from './scopes.ts';
export type { OAuthServices } from './services.ts';
export { rotateSigningKey, wrappedSigningKeys } from './signing-keys.ts';
export { ACCESS_SECONDS, tokensOf } from './tokens.ts';
export type { AccessClaims } from './claims.ts';
export type { Grant, IssuedToken, Tokens } from './tokens.ts';
export { signWebhookToken } from './webhook-token.ts';
export { endSession, openLink, readLink, SECRET, signSession } from './sessions.ts';
export type { OpenedLink, StandingLink } from './sessions.ts';
