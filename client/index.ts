// The public client: for servers, apps and receivers of events. No dependencies; runs wherever
// there is `fetch`: Node 20 and later, Deno, Bun, browsers, React Native.
export { createClient } from './client.ts';
export type { ClientOptions } from './client.ts';
export { createUserClient } from './user-client.ts';
export type {
  TosCompletion,
  UserClient,
  UserClientOptions,
  UserToken,
} from './user-client.ts';
export { HoldfastError, isRefusal } from './error.ts';
export type { LocalCode } from './error.ts';
export type { Urls } from './bind.ts';
export type { Fetch, FetchedAnswer } from './transport.ts';
export { verifyWebhook, WebhookError } from './webhooks.ts';
export type { WebhookEvent, WebhookFault, WebhookHeaders, WebhookRequest } from './webhooks.ts';
export type * from './generated.ts';
